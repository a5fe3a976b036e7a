"""list types: which are refused in a definition."""

import pytest

from contract import Object
from contract_crd import (
    ATOMIC_MAP,
    SET,
    Definitions,
    array,
    map_by,
    needs,
    obj,
    spec,
    string,
)

KEYED = obj(name=string()) | needs("name")


@pytest.mark.parametrize(
    ("schema", "field", "message"),
    [
        pytest.param(
            array(string()) | {"x-kubernetes-list-type": "bag"},
            ".x-kubernetes-list-type",
            'Unsupported value: "bag": supported values: "atomic", "set", "map"',
            id="unknown-list-type",
        ),
        pytest.param(
            string() | SET,
            ".type",
            'Invalid value: "string": must be array if x-kubernetes-list-type is specified',
            id="list-type-of-a-string",
        ),
        pytest.param(
            array(KEYED) | {"x-kubernetes-list-type": "map"},
            ".x-kubernetes-list-map-keys",
            "Required value: must not be empty if x-kubernetes-list-type is map",
            id="map-without-keys",
        ),
        pytest.param(
            array(KEYED) | {"x-kubernetes-list-map-keys": ["name"]},
            ".x-kubernetes-list-type",
            "Required value: must be map if x-kubernetes-list-map-keys is non-empty",
            id="keys-without-map",
        ),
        pytest.param(
            array(KEYED) | map_by("id"),
            ".x-kubernetes-list-map-keys",
            'Invalid value: ["id"]: entries must all be names of item properties',
            id="key-is-no-property",
        ),
        pytest.param(
            array(KEYED) | map_by("name", "name"),
            ".x-kubernetes-list-map-keys",
            'Invalid value: ["name","name"]: must not contain duplicate entries',
            id="key-twice",
        ),
        pytest.param(
            array(obj(name=string())) | map_by("name"),
            ".items.properties[name].default",
            "Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be "
            "a required property",
            id="optional-key",
        ),
        pytest.param(
            array(obj(name=string(nullable=True)) | needs("name")) | map_by("name"),
            ".items.properties[name].nullable",
            "Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
            id="nullable-key",
        ),
        pytest.param(
            array(string()) | map_by("name"),
            ".items.type",
            'Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
            id="map-of-strings",
        ),
        pytest.param(
            array(obj(a=string())) | SET,
            ".items.x-kubernetes-map-type",
            "Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
            id="set-of-granular-objects",
        ),
        pytest.param(
            array(string(nullable=True)) | SET,
            ".items.nullable",
            "Forbidden: cannot be nullable when x-kubernetes-list-type is set",
            id="set-of-nullable-items",
        ),
        pytest.param(
            string() | ATOMIC_MAP,
            ".type",
            'Invalid value: "string": must be object if x-kubernetes-map-type is specified',
            id="map-type-of-a-string",
        ),
        pytest.param(
            array(obj(name=obj()) | needs("name")) | map_by("name"),
            ".items.properties[name].type",
            'Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
            id="key-is-an-object",
        ),
        pytest.param(
            array(array(string()) | SET) | SET,
            ".items.x-kubernetes-list-type",
            'Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
            id="set-of-sets",
        ),
        pytest.param(
            obj() | {"x-kubernetes-map-type": "sorted"},
            ".x-kubernetes-map-type",
            'Unsupported value: "sorted": supported values: "atomic", "granular"',
            id="unknown-map-type",
        ),
    ],
)
async def test_a_list_type_that_does_not_fit_its_items_is_refused(
    crds: Definitions, schema: Object, field: str, message: str
) -> None:
    assert await crds.refuse(spec(a=schema)) == {
        f"spec.validation.openAPIV3Schema.properties[spec].properties[a]{field}: {message}"
    }


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(array(string()) | SET, id="set-of-scalars"),
        pytest.param(array(obj(a=string()) | ATOMIC_MAP) | SET, id="set-of-atomic-objects"),
        pytest.param(array(array(string())) | SET, id="set-of-atomic-lists"),
        pytest.param(array(obj(name=string(default="x"))) | map_by("name"), id="map-with-a-defaulted-key"),
    ],
)
async def test_a_list_type_that_fits_its_items_is_taken(crds: Definitions, schema: Object) -> None:
    assert (await crds.create(crds.new(spec(a=schema)))).status == 201
