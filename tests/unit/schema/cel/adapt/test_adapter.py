from __future__ import annotations

from typing import Any

import pytest

from windlass.schema.cel.adapt import adapted, adapter
from windlass.schema.cel.operation import equal, find
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import ABSENT, Duration, Timestamp

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def of(**properties: Any) -> dict[str, Any]:
    """The schema of an object."""
    return {"type": "object", "properties": properties}


def test_a_value_without_a_schema_is_what_it_is() -> None:
    value = {"a": [1, None]}

    assert adapted(value, None) is value


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (TEXT, "a", "a"),
        (WHOLE, 1, 1),
        ({"type": "number"}, 1, 1.0),
        ({"type": "string", "format": "duration"}, "1 day", Duration(86_400 * 10**9)),
        ({"type": "string", "format": "date"}, "1970-01-02", Timestamp(86_400 * 10**9)),
        ({"type": "string", "format": "date-time"}, "1970-01-01T00:00:01Z", Timestamp(10**9)),
        ({"type": "string", "format": "byte"}, "aGk=", b"hi"),
        ({"type": "string", "format": "ipv4"}, "::", "::"),
        ({"x-kubernetes-int-or-string": True}, "1", "1"),
        ({"x-kubernetes-int-or-string": True}, 1, 1),
        ({"type": "string", "nullable": True}, None, None),
    ],
)
def test_a_scalar_is_what_its_schema_says(schema: Any, value: Any, expected: Any) -> None:
    found = adapted(value, schema)

    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        (TEXT, 1, "invalid data, expected string, got int64"),
        (TEXT, None, "invalid data, got null for schema with nullable=false"),
        (WHOLE, 1.5, "invalid data, expected int, got float64"),
        (WHOLE, True, "invalid data, expected int, got bool"),
        ({"type": "boolean"}, "true", "invalid data, expected bool, got string"),
        ({"type": "number"}, "1", "invalid data, expected float, got string"),
        (of(a=TEXT), [], "invalid data, expected a map for the provided schema with type=object"),
        ({"type": "array", "items": TEXT}, {}, "invalid data, expected an array for the provided schema"),
        ({"type": "array"}, [], "invalid array type, expected Items with a non-empty Schema"),
        ({"x-kubernetes-int-or-string": True}, [], "invalid data, expected XIntOrString value to be either"),
        ({"type": "string", "format": "duration"}, "x", "Invalid duration x: unable to parse x as duration"),
        ({"type": "string", "format": "byte"}, "a+b=", "illegal base64 data at input byte 1"),
        ({"type": "string", "format": "byte"}, "aGkxa", "illegal base64 data at input byte 4"),
        ({}, 1, "invalid type, expected object, array, number, integer, boolean or string"),
    ],
)
def test_a_value_that_is_not_of_its_schema_is_an_error(schema: Any, value: Any, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        adapted(value, schema)

    assert message in str(caught.value)


def test_what_nobody_looks_at_may_be_broken() -> None:
    value = adapted(
        {"good": 1, "bad": "x", "list": [1, "x"]},
        of(good=WHOLE, bad=WHOLE, list={"type": "array", "items": WHOLE}),
    )

    assert (find(value, "good"), find(value, "list")[0]) == (1, 1)
    with pytest.raises(EvaluationError, match="expected int, got string"):
        find(value, "bad")
    with pytest.raises(EvaluationError, match="expected int, got string"):
        find(value, "list")[1]


def test_an_object_has_the_fields_of_its_schema_as_expressions_spell_them() -> None:
    value = adapted(
        {"a-b": "x", "namespace": "y", "other": "z", "none": None},
        of(**{"a-b": TEXT, "namespace": TEXT, "none": TEXT}),
    )

    assert dict(value) == {"a__dash__b": "x", "__namespace__": "y"}
    assert [find(value, name) for name in ("other", "none", "missing")] == [ABSENT] * 3
    with pytest.raises(EvaluationError, match="no such overload"):
        find(value, 1)


def test_a_map_keeps_its_keys_as_they_are() -> None:
    value = adapted({"a-b": "x"}, {"type": "object", "additionalProperties": TEXT})

    assert dict(value) == {"a-b": "x"}


def test_an_embedded_object_and_a_resource_have_a_type_and_a_name() -> None:
    obj = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n", "labels": {}}, "spec": {}}
    bare = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}

    for value in (
        adapted(obj, bare | {"x-kubernetes-embedded-resource": True}),
        adapter(bare, resource=True)(obj),
    ):
        assert (value["kind"], value["metadata"]["name"]) == ("Pod", "n")
        assert find(value, "spec") is ABSENT
        assert find(value["metadata"], "labels") is ABSENT


def listed(kind: str, items: Any, *keys: str) -> dict[str, Any]:
    """The schema of a list."""
    return {
        "type": "array",
        "items": items,
        "x-kubernetes-list-type": kind,
        "x-kubernetes-list-map-keys": list(keys),
    }


ITEM = of(k=TEXT, p=WHOLE, v=WHOLE)


def test_sets_are_equal_in_any_order_and_lists_are_not() -> None:
    assert equal(adapted(["a", "b"], listed("set", TEXT)), ["b", "a"])
    assert not equal(adapted(["a", "b"], listed("set", TEXT)), ["b", "c"])
    assert not equal(adapted(["a", "b"], listed("atomic", TEXT)), ["b", "a"])
    assert equal(adapted(["a", "b"], listed("atomic", TEXT)), ["a", "b"])


def test_lists_that_are_maps_are_equal_by_their_keys() -> None:
    schema = listed("map", ITEM, "k", "p")
    one = [{"k": "a", "p": 1, "v": 1}, {"k": "a", "p": 2, "v": 2}]

    assert equal(adapted(one, schema), adapted(one[::-1], schema))
    assert not equal(adapted(one, schema), adapted([one[0], one[1] | {"v": 3}], schema))
    assert not equal(adapted(one, schema), adapted([one[0], one[1] | {"p": 3}], schema))


def test_joined_sets_have_nothing_twice_and_joined_maps_the_later_of_each_key() -> None:
    schema = listed("map", ITEM, "k")
    keyed = adapted([{"k": "a", "v": 1}, {"k": "b", "v": 2}], schema)
    later = adapted([{"k": "b", "v": 3}, {"k": "c", "v": 4}], schema)

    assert list(adapted(["a", "b"], listed("set", TEXT)).joined(["b", "c"])) == ["a", "b", "c"]
    assert [dict(each) for each in keyed.joined(later)] == [
        {"k": "a", "v": 1},
        {"k": "b", "v": 3},
        {"k": "c", "v": 4},
    ]
    assert equal(keyed.joined(later), later.joined(keyed)) is False


def test_unknown_values_that_are_preserved_count_when_objects_are_compared() -> None:
    schema = of(a=TEXT) | {"x-kubernetes-preserve-unknown-fields": True}
    value = adapted({"a": "x", "more": [1]}, schema)

    assert equal(value, adapted({"a": "x", "more": [1]}, schema))
    assert not equal(value, adapted({"a": "x", "more": [2]}, schema))


@pytest.mark.parametrize("schema", [of(a=TEXT), {"type": "array", "items": TEXT}])
def test_a_container_cannot_be_compared_with_something_else(schema: Any) -> None:
    value = adapted({} if schema["type"] == "object" else [], schema)

    assert not equal(1, value)
    with pytest.raises(EvaluationError, match="no such overload"):
        equal(value, 1)


def test_a_large_schema_costs_nothing_before_it_is_looked_at() -> None:
    recursive: dict[str, Any] = {"type": "object", "properties": {}}
    recursive["properties"]["again"] = recursive

    value = adapted({"again": {"again": {}}}, recursive)

    assert find(value["again"]["again"], "again") is ABSENT
