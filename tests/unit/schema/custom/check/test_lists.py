from __future__ import annotations

import pytest

from schemas import ATOMIC_MAP, SET, STRING, Schema, array, checked_field, map_by, needs, obj

KEYED = obj(name=STRING) | needs("name")
KEYS = ".x-kubernetes-list-map-keys"


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        pytest.param(
            array(STRING) | {"x-kubernetes-list-type": "bag"},
            '.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
            id="unknown-list-type",
        ),
        pytest.param(
            STRING | SET,
            '.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
            id="list-type-of-a-string",
        ),
        pytest.param(
            array(KEYED) | {"x-kubernetes-list-type": "map"},
            f"{KEYS}: Required value: must not be empty if x-kubernetes-list-type is map",
            id="map-without-keys",
        ),
        pytest.param(
            array(KEYED) | {"x-kubernetes-list-map-keys": ["name"]},
            ".x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty",
            id="keys-without-map",
        ),
        pytest.param(
            array(STRING) | SET | {"x-kubernetes-list-map-keys": ["name"]},
            '.x-kubernetes-list-type: Invalid value: "set": '
            "must be map if x-kubernetes-list-map-keys is non-empty",
            id="keys-of-a-set",
        ),
        pytest.param(
            array(KEYED) | map_by("id"),
            f'{KEYS}: Invalid value: ["id"]: entries must all be names of item properties',
            id="key-is-no-property",
        ),
        pytest.param(
            array(KEYED) | map_by("name", "name"),
            f'{KEYS}: Invalid value: ["name","name"]: must not contain duplicate entries',
            id="key-twice",
        ),
        pytest.param(
            array(obj(name=STRING)) | map_by("name"),
            ".items.properties[name].default: Required value: this property is in x-kubernetes-list-map-keys, "
            "so it must have a default or be a required property",
            id="optional-key",
        ),
        pytest.param(
            array(obj(name=STRING | {"nullable": True}) | needs("name")) | map_by("name"),
            ".items.properties[name].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, "
            "so it cannot be nullable",
            id="nullable-key",
        ),
        pytest.param(
            array(STRING) | map_by("name"),
            '.items.type: Invalid value: "string": '
            "must be object if parent array's x-kubernetes-list-type is map",
            id="map-of-strings",
        ),
        pytest.param(
            array(obj(a=STRING)) | SET,
            ".items.x-kubernetes-map-type: Invalid value: null: "
            "must be atomic as item of a list with x-kubernetes-list-type=set",
            id="set-of-granular-objects",
        ),
        pytest.param(
            array(STRING | {"nullable": True}) | SET,
            ".items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set",
            id="set-of-nullable-items",
        ),
        pytest.param(
            STRING | ATOMIC_MAP,
            '.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
            id="map-type-of-a-string",
        ),
        pytest.param(
            array(obj(name=obj()) | needs("name")) | map_by("name"),
            '.items.properties[name].type: Invalid value: "object": '
            "must be a scalar type if parent array's x-kubernetes-list-type is map",
            id="key-is-an-object",
        ),
        pytest.param(
            array(array(STRING) | SET) | SET,
            '.items.x-kubernetes-list-type: Invalid value: "set": '
            "must be atomic as item of a list with x-kubernetes-list-type=set",
            id="set-of-sets",
        ),
        pytest.param(
            obj() | {"x-kubernetes-map-type": "sorted"},
            '.x-kubernetes-map-type: Unsupported value: "sorted": supported values: "atomic", "granular"',
            id="unknown-map-type",
        ),
    ],
)
def test_a_list_type_that_does_not_fit_its_items_is_refused(schema: Schema, fault: str) -> None:
    assert checked_field(schema) == [fault]


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(array(STRING) | SET, id="set-of-scalars"),
        pytest.param(array(obj(a=STRING) | ATOMIC_MAP) | SET, id="set-of-atomic-objects"),
        pytest.param(array(array(STRING)) | SET, id="set-of-atomic-lists"),
        pytest.param(
            array(obj(name=STRING | {"default": "x"})) | map_by("name"), id="map-with-a-defaulted-key"
        ),
    ],
)
def test_a_list_type_that_fits_its_items_is_taken(schema: Schema) -> None:
    assert checked_field(schema) == []
