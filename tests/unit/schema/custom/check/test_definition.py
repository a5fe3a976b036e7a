from __future__ import annotations

from typing import Any

import pytest

from schemas import STRING, Schema, array, checked, needs, obj
from windlass.schema.custom import unknown_formats


def test_null_is_no_resource() -> None:
    assert checked(obj() | {"nullable": True}) == [
        "root.nullable: Forbidden: nullable cannot be true at the root"
    ]


def test_a_keyword_that_has_no_fault_of_its_own_is_refused_too() -> None:
    assert checked(obj(a=STRING | {"$schema": "x"})) == [
        "root: Invalid value: \"\": OpenAPIV3Schema 'schema' is not supported"
    ]


def test_a_schema_that_cannot_be_read_is_not_asked_whether_it_is_structural() -> None:
    assert checked({"id": "x"}) == ["root.id: Forbidden: id is not supported"]


@pytest.mark.parametrize(
    "more", [needs("spec"), {"description": "x"}, {"x-kubernetes-preserve-unknown-fields": True}]
)
def test_some_keywords_may_stand_at_the_root_of_a_kind_with_status(more: Schema) -> None:
    assert checked(obj() | more, status=True) == []


@pytest.mark.parametrize("more", [{"maxProperties": 7}, {"minProperties": 0}, {"allOf": [{}]}])
def test_other_keywords_may_not(more: dict[str, Any]) -> None:
    (fault,) = checked(obj() | more, status=True)

    assert fault.startswith("root: Invalid value: ")
    assert fault.endswith(
        ": only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength "
        "Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example "
        "XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status "
        "subresource is enabled"
    )
    assert checked(obj() | more) == []


def test_formats_that_are_not_enforced_are_found() -> None:
    formats = {
        "a": STRING | {"format": "banana"},
        "b": array({"type": "integer", "format": "int8"}),
        "c": {"type": "boolean", "format": "date"},
        "d": STRING | {"format": "date-time"},
        "e": {"type": "number", "format": "double"},
        "f": STRING | {"anyOf": [{"format": "apple"}, {"format": "uuid"}]},
    }

    assert unknown_formats(obj(**formats)) == ["banana", "int8", "date", "apple"]
