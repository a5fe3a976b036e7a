"""CEL: rules about the change from one state to the next."""

from contract import Api
from contract_crd import (
    Definitions,
    array,
    integer,
    invalid,
    map_by,
    mapping,
    needs,
    obj,
    rules,
    spec,
    string,
)

IMMUTABLE = rules({"rule": "self == oldSelf", "message": "cannot change"})


async def test_a_rule_about_the_old_value_is_checked_on_update_only(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string(maxLength=9) | IMMUTABLE, g=integer()))

    assert (await widgets.create("a", spec={"f": "x"})).status == 201
    assert invalid(await api.patch(widgets.at("a"), {"spec": {"f": "y"}})) == {
        'spec.f: Invalid value: "y": cannot change'
    }
    assert (await api.patch(widgets.at("a"), {"spec": {"g": 1}})).status == 200


async def test_a_rule_about_the_old_value_does_not_see_it_come_or_go(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string(maxLength=9) | IMMUTABLE))
    (await widgets.create("a", spec={"f": "x"})).ok()

    removed = await api.patch(widgets.at("a"), {"spec": {"f": None}})
    added = await api.patch(widgets.at("a"), {"spec": {"f": "y"}})

    assert removed.ok()["spec"] == {}
    assert added.ok()["spec"] == {"f": "y"}


async def test_a_rule_one_level_up_sees_a_value_come_and_go(api: Api, crds: Definitions) -> None:
    rule = {"rule": "has(self.f) == has(oldSelf.f)", "message": "stays as it is"}
    widgets = await crds.serve(obj(spec=obj(f=string()) | rules(rule)))
    (await widgets.create("a", spec={"f": "x"})).ok()

    assert invalid(await api.patch(widgets.at("a"), {"spec": {"f": None}})) == {
        "spec: Invalid value: stays as it is"
    }


async def test_an_optional_old_value_is_there_on_update(api: Api, crds: Definitions) -> None:
    rule = {
        "rule": "oldSelf.hasValue() || self.startsWith('new')",
        "optionalOldSelf": True,
        "message": "be new",
    }
    widgets = await crds.serve(spec(f=string(maxLength=9) | rules(rule)))

    assert invalid(await widgets.create("a", spec={"f": "old"})) == {'spec.f: Invalid value: "old": be new'}
    assert (await widgets.create("a", spec={"f": "new"})).status == 201
    assert (await api.patch(widgets.at("a"), {"spec": {"f": "old"}})).status == 200


async def test_old_items_are_found_by_their_keys(api: Api, crds: Definitions) -> None:
    item = obj(key=string(maxLength=5), size=integer() | rules("self >= oldSelf")) | needs("key")
    widgets = await crds.serve(spec(disks=array(item, maxItems=5) | map_by("key")))
    (await widgets.create("a", spec={"disks": [{"key": "x", "size": 5}, {"key": "y", "size": 1}]})).ok()

    shrunk = {"disks": [{"key": "y", "size": 1}, {"key": "x", "size": 4}]}
    grown = {"disks": [{"key": "y", "size": 2}, {"key": "z", "size": 0}, {"key": "x", "size": 5}]}

    assert invalid(await api.patch(widgets.at("a"), {"spec": shrunk})) == {
        "spec.disks[1].size: Invalid value: 4: failed rule: self >= oldSelf"
    }
    assert (await api.patch(widgets.at("a"), {"spec": grown})).ok()["spec"] == grown


async def test_old_values_of_a_map_are_found_by_their_keys(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(sizes=mapping(integer() | rules("self >= oldSelf"), maxProperties=5)))
    (await widgets.create("a", spec={"sizes": {"x": 5, "y": 1}})).ok()

    assert invalid(await api.patch(widgets.at("a"), {"spec": {"sizes": {"x": 4, "z": 0}}})) == {
        "spec.sizes[x]: Invalid value: 4: failed rule: self >= oldSelf"
    }
    assert (await api.patch(widgets.at("a"), {"spec": {"sizes": {"y": None, "z": 0}}})).status == 200


async def test_apply_is_an_update_too(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=string(maxLength=9) | IMMUTABLE))

    assert (await api.apply(widgets.at("a"), widgets.object("a", spec={"f": "x"}))).status == 201
    assert invalid(await api.apply(widgets.at("a"), widgets.object("a", spec={"f": "y"}))) == {
        'spec.f: Invalid value: "y": cannot change'
    }
