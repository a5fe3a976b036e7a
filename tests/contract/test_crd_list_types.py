"""list types: sets and maps refuse duplicates."""

from typing import Any

import pytest

from contract import Api, Object
from contract_crd import (
    ATOMIC_LIST,
    ATOMIC_MAP,
    SET,
    Definitions,
    array,
    integer,
    invalid,
    map_by,
    needs,
    obj,
    spec,
    string,
)

PORTS = array(obj(port=integer(), protocol=string(default="TCP"), name=string()) | needs("port")) | map_by(
    "port", "protocol"
)


@pytest.mark.parametrize(
    ("schema", "value", "complaints"),
    [
        pytest.param(array(string()) | SET, ["x", "y", "x"], {'spec.f[2]: Duplicate value: "x"'}, id="text"),
        pytest.param(
            array(integer()) | SET, [1, 2, 1, 1], {"spec.f[2]: Duplicate value: 1"}, id="named-once"
        ),
        pytest.param(
            array(obj(a=integer(), b=integer()) | ATOMIC_MAP) | SET,
            [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
            {'spec.f[1]: Duplicate value: {"a":1,"b":2}'},
            id="objects-whatever-their-order",
        ),
        pytest.param(
            array(array(integer())) | SET, [[1], [1]], {"spec.f[1]: Duplicate value: [1]"}, id="lists"
        ),
        pytest.param(
            PORTS,
            [{"port": 1, "name": "a"}, {"port": 1, "protocol": "TCP", "name": "b"}],
            {'spec.f[1]: Duplicate value: {"port":1,"protocol":"TCP"}'},
            id="keys-with-their-defaults",
        ),
        pytest.param(
            array(obj(name=string(), tags=array(string()) | SET) | needs("name")) | map_by("name"),
            [{"name": "a", "tags": ["x", "x"]}, {"name": "a"}],
            {'spec.f[1]: Duplicate value: {"name":"a"}', 'spec.f[0].tags[1]: Duplicate value: "x"'},
            id="at-every-level",
        ),
    ],
)
async def test_a_duplicate_is_refused(
    crds: Definitions, schema: Object, value: Any, complaints: set[str]
) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert invalid(await widgets.create("a", spec={"f": value})) == complaints


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(PORTS, [{"port": 1, "protocol": "UDP"}, {"port": 1, "protocol": "TCP"}], id="other-key"),
        pytest.param(array(string()) | ATOMIC_LIST, ["x", "x"], id="atomic"),
        pytest.param(array(obj(a=integer())), [{"a": 1}, {"a": 1}], id="no-list-type"),
    ],
)
async def test_what_is_no_duplicate_is_taken(crds: Definitions, schema: Object, value: Any) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert (await widgets.create("a", spec={"f": value})).ok()["spec"] == {"f": value}


async def test_the_order_of_a_set_and_of_a_map_is_kept(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(tags=array(string()) | SET, ports=PORTS))
    ports = [{"port": 2, "protocol": "TCP"}, {"port": 1, "protocol": "TCP"}]

    (await widgets.create("a", spec={"tags": ["b", "a"], "ports": ports})).ok()

    assert (await api.get(widgets.at("a"))).ok()["spec"] == {"tags": ["b", "a"], "ports": ports}


async def test_a_key_is_asked_for(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=PORTS))

    assert invalid(await widgets.create("a", spec={"f": [{"name": "x"}]})) == {
        "spec.f[0].port: Required value"
    }


async def test_a_merge_patch_replaces_a_list_whatever_its_type(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(ports=PORTS))
    (await widgets.create("a", spec={"ports": [{"port": 1}, {"port": 2}]})).ok()

    patched = await api.patch(widgets.at("a"), {"spec": {"ports": [{"port": 3}]}})

    assert patched.ok()["spec"]["ports"] == [{"port": 3, "protocol": "TCP"}]
