"""Schemas as merging sees them."""

from __future__ import annotations

from typing import Any

import pytest

from ownership_samples import (
    ATOMIC,
    INTEGER,
    MAP,
    METADATA,
    SET,
    TEXT,
    UNKNOWN,
    Object,
    array,
    list_map,
    obj,
    shape,
)
from windlass.schema.ownership.atom import DEDUCED, UNTYPED, Atom, Grammar, Unfit
from windlass.schema.shape import Library

VALUES: tuple[Any, ...] = ({}, [], "a", 1, None)
OMITS = (
    'associative list with keys has an element that omits all key fields ["b" "a"] '
    "(and doesn't have default values for any key fields)"
)


def atom(schema: Object) -> Atom:
    return Grammar().atom(shape(schema))


@pytest.mark.parametrize(
    ("schema", "scalar"),
    [
        (INTEGER, "numeric"),
        ({"type": "number"}, "numeric"),
        ({"type": "boolean"}, "boolean"),
        (TEXT, "string"),
        ({"type": "string", "format": "byte"}, "string"),
        ({"type": "string", "format": "date-time"}, "untyped"),
        ({"x-kubernetes-int-or-string": True}, "untyped"),
        (MAP, ""),
        (SET, ""),
    ],
)
def test_a_scalar_is_checked_by_its_type_unless_it_has_a_format(schema: Object, scalar: str) -> None:
    assert atom(schema).scalar == scalar


@pytest.mark.parametrize(
    ("schema", "leaf"),
    [
        (TEXT, True),
        (array(TEXT), True),
        ({**array(TEXT), "x-kubernetes-list-type": "atomic"}, True),
        (SET, False),
        (list_map("name", name=TEXT), False),
        (MAP, False),
        ({**MAP, **ATOMIC}, True),
        ({**MAP, "x-kubernetes-map-type": "granular"}, False),
        (obj(a=TEXT), False),
        ({**obj(a=TEXT), **ATOMIC}, True),
        (UNKNOWN, False),
        ({"type": "object"}, False),
        ({**array(TEXT), "x-kubernetes-patch-strategy": "merge"}, False),
        ({**array(TEXT), "x-kubernetes-patch-strategy": "merge,retainKeys"}, False),
        ({**array(TEXT), "x-kubernetes-patch-strategy": "retainKeys"}, True),
    ],
)
def test_what_has_parts_of_its_own_is_said_by_the_schema(schema: Object, leaf: bool) -> None:  # noqa: FBT001
    assert atom(schema).leaf is leaf


def test_quantities_are_scalars_and_raw_extensions_are_owned_as_a_whole() -> None:
    quantity, raw = (
        "io.k8s.apimachinery.pkg.api.resource.Quantity",
        "io.k8s.apimachinery.pkg.runtime.RawExtension",
    )
    library = Library({quantity: {"type": "string"}, raw: {"type": "object"}})

    found = Grammar().atom(library.shape(quantity))

    assert (found.scalar, found.mapping, found.listing) == ("untyped", None, None)
    assert Grammar().atom(library.shape(raw)) is UNTYPED
    assert UNTYPED.leaf


def test_what_the_schema_says_nothing_about_is_deduced() -> None:
    mapping = atom({"type": "object"}).mapping

    assert mapping is not None
    assert mapping.element is DEDUCED
    assert DEDUCED.mapping is not None
    assert DEDUCED.mapping.element is DEDUCED
    assert [DEDUCED.form(value) for value in VALUES] == [dict, list, str, str, dict]


def test_a_value_of_the_wrong_type_is_treated_as_one_of_the_right_type() -> None:
    assert [atom(MAP).form(value) for value in VALUES] == [dict] * len(VALUES)
    assert [atom(SET).form(value) for value in VALUES] == [list] * len(VALUES)
    assert [atom(TEXT).form(value) for value in VALUES] == [str] * len(VALUES)


@pytest.mark.parametrize(
    ("schema", "known"),
    [
        (obj(a=TEXT), False),
        ({**obj(a=TEXT), "additionalProperties": False}, False),
        ({**obj(a=TEXT), "additionalProperties": True}, True),
        ({**obj(a=TEXT), "additionalProperties": TEXT}, True),
        ({**obj(a=TEXT), **UNKNOWN}, True),
        ({"type": "object"}, True),
    ],
)
def test_a_field_without_a_name_in_the_schema_needs_its_leave(schema: Object, known: bool) -> None:  # noqa: FBT001
    mapping = atom(schema).mapping
    assert mapping is not None

    if known:
        assert mapping.fields["b"][0::2] == ("f:b", False)
    else:
        with pytest.raises(Unfit, match="field not declared in schema"):
            mapping.field("b")


def test_unknown_fields_are_kept_all_the_way_down_but_not_in_definitions() -> None:
    library = Library(
        {"other": obj(a=TEXT), "root": {**obj(inline=obj(a=TEXT), other={"$ref": "other"}), **UNKNOWN}}
    )
    mapping = Grammar().atom(library.shape("root")).mapping
    assert mapping is not None

    inline, other = (mapping.fields[name][1].mapping for name in ("inline", "other"))

    assert inline is not None
    assert inline.element is DEDUCED
    assert other is not None
    assert other.element is None


def test_every_object_has_metadata_also_one_that_is_embedded() -> None:
    embedded = {"type": "object", "x-kubernetes-embedded-resource": True}
    grammar = Grammar(shape(METADATA))

    root = grammar.resource(shape(obj(spec=obj(template=embedded), metadata={"type": "object"})))

    assert root.mapping is not None
    assert root.mapping.named.keys() == {"apiVersion", "kind", "metadata", "spec"}
    spec = root.mapping.fields["spec"][1].mapping
    assert spec is not None
    template = spec.fields["template"][1].mapping
    assert template is not None
    assert template.named.keys() == {"apiVersion", "kind", "metadata"}
    assert template.element is None
    assert template.fields["metadata"][1] is root.mapping.fields["metadata"][1]


def test_a_schema_that_contains_itself_is_read_as_deep_as_it_is_used() -> None:
    library = Library(
        {
            "node": obj(
                next={"$ref": "node"}, others={"type": "object", "additionalProperties": {"$ref": "node"}}
            )
        }
    )
    node = Grammar().atom(library.shape("node"))

    assert node.mapping is not None
    assert node.mapping.fields["next"][1] is node
    others = node.mapping.fields["others"][1].mapping
    assert others is not None
    assert others.element is node


@pytest.mark.parametrize(
    ("schema", "item", "step"),
    [
        (SET, "a", 'v:"a"'),
        (SET, 1, "v:1"),
        (list_map("name", name=TEXT), {"name": "a", "x": 1}, 'k:{"name":"a"}'),
        (list_map("b", "a", a=TEXT, b=TEXT), {"b": 1, "a": 2}, 'k:{"a":2,"b":1}'),
        (list_map("b", "a", a=TEXT, b=TEXT), {"b": 1}, 'k:{"b":1}'),
        (list_map("b", "a", a={"default": "x"}, b=TEXT), {"b": 1}, 'k:{"a":"x","b":1}'),
        (list_map("b", "a", a={"default": "x"}, b=TEXT), {"b": 1, "a": "y"}, 'k:{"a":"y","b":1}'),
        (list_map("a", a={"default": ""}), {}, 'k:{"a":""}'),
        (list_map("a", a={"default": None}), {"a": None}, 'k:{"a":null}'),
    ],
)
def test_items_are_told_apart_by_their_values_or_keys(schema: Object, item: object, step: str) -> None:
    listing = atom(schema).listing

    assert listing is not None
    assert listing.step(item) == listing.find(item) == step


@pytest.mark.parametrize(
    ("schema", "item", "fault"),
    [
        (SET, None, "associative list without keys has an element that's an explicit null"),
        (SET, {}, "associative list without keys has an element that's a map type"),
        (SET, [], "not supported: associative list with lists as elements"),
        (list_map("a"), None, "associative list with keys may not have a null element"),
        (list_map("a"), "x", "associative list with keys may not have non-map elements"),
        (
            list_map("b", "a"),
            {"c": 1},
            OMITS,
        ),
    ],
)
def test_an_item_that_cannot_be_told_apart_is_unfit(schema: Object, item: object, fault: str) -> None:
    listing = atom(schema).listing
    assert listing is not None

    with pytest.raises(Unfit) as unfit:
        listing.step(item)

    assert str(unfit.value) == fault
    assert listing.find(item) == ""


def test_a_merge_key_tells_items_apart_where_there_is_no_list_type() -> None:
    schema = {
        **array(obj(name=TEXT)),
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "name",
    }
    listing = atom(schema).listing

    assert listing is not None
    assert listing.step({"name": "a"}) == 'k:{"name":"a"}'
