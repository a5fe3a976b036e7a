"""What an apply takes away, and when that fails; `test_writing` has the common cases."""

from __future__ import annotations

from typing import Any

import pytest

from ownership_samples import INTEGER, TEXT, V1, V2, Server, list_map, obj, rules, shape, thing
from windlass.schema.ownership import Unfit

Object = dict[str, Any]

SPEC = obj(items=list_map("k", k=INTEGER, x=TEXT), size=TEXT)
SHAPES = {version: shape(obj(spec=SPEC)) for version in (V1, V2)}
NULL = "associative list with keys may not have a null element"
FIRST, SECOND = 'k:{"k":1}', 'k:{"k":2}'


def convert(value: Object, api_version: str) -> Object:
    return {**value, "apiVersion": api_version}


def owning(fields: Object, manager: str = "a", api_version: str = V1) -> Object:
    """An entry of managed fields, about the spec."""
    return {
        "manager": manager,
        "operation": "Apply",
        "apiVersion": api_version,
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": fields},
    }


def server(*entries: Object) -> Server:
    """An object with two items and a size, of which somebody edited the managed fields."""
    out = Server(rules(shapes=SHAPES, convert=convert))
    spec = {"items": [{"k": 1}, {"k": 2}], "size": "s"}
    out.live = thing(spec, metadata={"uid": "1", "managedFields": list(entries)})
    return out


def test_an_owner_of_an_item_without_its_key_in_another_version_makes_an_apply_fail() -> None:
    keyless = owning({"f:items": {FIRST: {}}}, "b", V2)
    having = server(owning({"f:size": {}}), keyless)

    with pytest.raises(Unfit) as unfit:
        having.apply("a", thing({"size": "s"}))

    assert str(unfit.value) == (
        "failed to prune fields: failed add back dangling items: "
        f"failed to convert pruned object to last applied version: .spec.items: element 0: {NULL}"
    )


def test_an_owner_of_an_item_without_its_key_makes_an_apply_fail_on_the_way_to_another_version() -> None:
    keyless = owning({"f:items": {SECOND: {}}}, "b")
    elsewhere = owning({"f:size": {}}, "c", V2)
    having = server(owning({"f:items": {FIRST: {".": {}, "f:k": {}}}}), keyless, elsewhere)

    with pytest.raises(Unfit) as unfit:
        having.apply("a", thing({"size": "s"}))

    assert str(unfit.value) == (
        "failed to prune fields: failed add back owned items: "
        f"failed to convert pruned object at version {V2}: .spec.items: element 0: {NULL}"
    )


def test_an_owner_of_an_item_without_its_key_in_the_same_version_is_no_fault() -> None:
    having = server(owning({"f:size": {}}), owning({"f:items": {FIRST: {}}}, "b"))

    new = having.apply("a", thing({"size": "s"}))

    assert new["spec"] == {"items": [{"k": 1}, {"k": 2}], "size": "s"}


def test_keys_that_are_given_up_without_their_items_make_an_apply_fail() -> None:
    having = server(owning({"f:items": {FIRST: {"f:k": {}}, SECOND: {"f:k": {}}}}))

    with pytest.raises(Unfit) as unfit:
        having.apply("a", thing({"items": [{"k": 3}]}))

    faults = [f"  .spec.items: element {position}: {NULL}" for position in (0, 1)]
    assert str(unfit.value).splitlines() == ["failed to compare objects: errors:", *faults]


@pytest.mark.parametrize(
    ("custom", "fault"),
    [
        (True, f'/, Kind=Thing is unstructured and is not suitable for converting to "{V1}"'),
        (False, "Object 'apiVersion' is missing in 'unstructured object has no version'"),
    ],
)
@pytest.mark.parametrize("last", [V1, V2])
def test_who_owns_the_version_cannot_apply_again(last: str, fault: str, *, custom: bool) -> None:
    having = server(owning({"f:size": {}}, api_version=last))
    having.rules = rules(shapes=SHAPES, convert=convert, custom=custom)
    having.entries()[0]["fieldsV1"]["f:apiVersion"] = {}

    with pytest.raises(Unfit) as unfit:
        having.apply("a", thing({"size": "s"}))

    assert str(unfit.value) == (
        "failed to prune fields: failed add back owned items: "
        f"failed to convert pruned object at version {V1}: {fault}"
    )
