from __future__ import annotations

from typing import Any

import pytest

from schemas import EMBEDDED, METADATA, PRESERVE, Schema, array, mapping, obj, said
from windlass.schema.custom.embedded import Embedded, MalformedError
from windlass.schema.shape import Shape

FREE: Schema = {"type": "object"} | EMBEDDED | PRESERVE
POD = {"apiVersion": "v1", "kind": "Pod"}


def embedded(schema: Schema = FREE) -> Embedded:
    return Embedded(Shape(obj(f=schema)), METADATA)


@pytest.mark.parametrize(
    ("schema", "place", "path"),
    [
        (FREE, lambda child: child, "f"),
        (array(FREE), lambda child: [POD, child], "f[1]"),
        (mapping(FREE), lambda child: {"x.y": child}, "f[x.y]"),
    ],
    ids=["field", "list", "map"],
)
def test_metadata_is_read_wherever_an_object_is_embedded(schema: Schema, place: Any, path: str) -> None:
    child = POD | {"metadata": {"name": "a", "colour": "red"}}

    assert embedded(schema).read({"f": place(child)}) == [f"{path}.metadata.colour"]
    assert child["metadata"] == {"name": "a"}


@pytest.mark.parametrize(
    ("child", "message"),
    [
        ({"apiVersion": 1, "kind": "Pod"}, "f.apiVersion: Invalid value: 1: must be a string"),
        ({"apiVersion": "v1", "kind": None}, "f.kind: Invalid value: null: must be a string"),
        (POD | {"metadata": ["x"]}, 'f.metadata: Invalid value: ["x"]: json: cannot unmarshal'),
    ],
    ids=["api-version", "kind", "metadata"],
)
def test_what_cannot_be_read_is_not_read(child: Any, message: str) -> None:
    with pytest.raises(MalformedError) as raised:
        embedded().read({"f": child})

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("child", "faults"),
    [
        pytest.param(POD, [], id="good"),
        pytest.param("text", [], id="no-object"),
        pytest.param(
            {"metadata": {}}, ["f.apiVersion: Required value", "f.kind: Required value"], id="no-type"
        ),
        pytest.param(
            POD | {"apiVersion": "a/b/c"},
            ['f.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
            id="api-version",
        ),
        pytest.param(
            {"apiVersion": "", "kind": ""},
            [f'f.{name}: Invalid value: "": must not be empty' for name in ("apiVersion", "kind")],
            id="empty",
        ),
        pytest.param(
            POD | {"kind": "K" * 64},
            [
                (
                    f'f.kind: Invalid value: "{"K" * 64}": may have mixed case, but should otherwise match: '
                    "must be no more than 63 characters"
                )
            ],
            id="long-kind",
        ),
        pytest.param(
            POD | {"metadata": {"labels": {"long": "x"}}},
            ['f.metadata.labels: Invalid value: "long": too long'],
            id="labels",
        ),
    ],
)
def test_the_type_and_metadata_of_an_embedded_object_are_validated(child: Any, faults: list[str]) -> None:
    assert said(embedded().faults({"f": child})) == faults


def test_a_kind_is_a_label_in_mixed_case() -> None:
    (fault,) = embedded().faults({"f": POD | {"kind": "a pod"}})

    assert fault.message.startswith(
        'Invalid value: "a pod": may have mixed case, but should otherwise match: a DNS-1035 label must '
    )
