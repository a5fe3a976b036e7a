from __future__ import annotations

from typing import Any

import pytest

from schemas import ATOMIC_MAP, INTEGER, SET, STRING, Schema, array, map_by, mapping, obj, said
from windlass.schema.custom.unique import Uniqueness
from windlass.schema.shape import Shape

PORTS = array(obj(port=INTEGER, protocol=STRING, name=STRING)) | map_by("port", "protocol")


@pytest.mark.parametrize(
    ("schema", "value", "faults"),
    [
        pytest.param(array(STRING) | SET, ["x", "y", "x"], ['f[2]: Duplicate value: "x"'], id="text"),
        pytest.param(array(INTEGER) | SET, [1, 2, 1, 1], ["f[2]: Duplicate value: 1"], id="named-once"),
        pytest.param(array(INTEGER) | SET, [1, True, "1"], [], id="types-differ"),
        pytest.param(array(INTEGER) | SET, [None, None], ["f[1]: Duplicate value: null"], id="nulls"),
        pytest.param(
            array(obj(a=INTEGER, b=INTEGER) | ATOMIC_MAP) | SET,
            [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
            ['f[1]: Duplicate value: {"a":1,"b":2}'],
            id="objects-whatever-their-order",
        ),
        pytest.param(array(array(INTEGER)) | SET, [[1], [1]], ["f[1]: Duplicate value: [1]"], id="lists"),
        pytest.param(
            PORTS,
            [{"port": 1, "protocol": "TCP", "name": "a"}, {"port": 1, "protocol": "TCP", "name": "b"}],
            ['f[1]: Duplicate value: {"port":1,"protocol":"TCP"}'],
            id="keys",
        ),
        pytest.param(
            PORTS, [{"port": 1, "protocol": "UDP"}, {"port": 1, "protocol": "TCP"}], [], id="other-key"
        ),
        pytest.param(
            array(obj(k=STRING)) | map_by("k"),
            [{}, {"k": "a"}, None, {"k": "a"}],
            ["f[2]: Duplicate value: {}", 'f[3]: Duplicate value: {"k":"a"}'],
            id="one-key-which-may-be-missing",
        ),
        pytest.param(
            array(obj(k=STRING)) | map_by("k"),
            [{"k": "a"}, "text", {"k": "a"}],
            ['f[1]: Invalid value: "text": must be an object for an array of list-type map'],
            id="no-object",
        ),
        pytest.param(
            mapping(array(STRING) | SET),
            {"x.y": ["a", "a"]},
            ['f[x.y][1]: Duplicate value: "a"'],
            id="in-a-map",
        ),
        pytest.param(
            array(obj(tags=array(STRING) | SET)),
            [{}, {"tags": ["x", "x"]}],
            ['f[1].tags[1]: Duplicate value: "x"'],
            id="in-a-list",
        ),
        pytest.param(array(STRING), ["x", "x"], [], id="no-list-type"),
        pytest.param(array(STRING) | SET, "text", [], id="no-list"),
    ],
)
def test_repetitions_are_found_where_lists_are_sets_or_maps(
    schema: Schema, value: Any, faults: list[str]
) -> None:
    assert said(Uniqueness(Shape(obj(f=schema))).faults({"f": value})) == faults
