import json

from schemas import STRING, array, obj
from windlass.schema.custom import has_defaults, internal_text


def test_every_field_is_shown_in_the_order_of_the_structure() -> None:
    shown = json.loads(internal_text({"type": "object", "description": "<x>"}))

    assert list(shown)[:6] == ["ID", "Schema", "Ref", "Description", "Type", "Nullable"]
    assert list(shown)[-1] == "XValidations"
    assert (shown["Type"], shown["Description"], shown["Ref"], shown["Nullable"]) == (
        "object",
        "<x>",
        None,
        False,
    )


def test_characters_are_escaped_as_go_escapes_them() -> None:
    assert '"Description":"\\u003cx\\u003e"' in internal_text({"description": "<x>"})


def test_what_is_below_is_shown_in_the_same_way() -> None:
    schema = obj(b=STRING, a=array(STRING)) | {
        "additionalProperties": True,
        "allOf": [{"maximum": 3}],
        "not": {"required": ["x"]},
        "dependencies": {"x": ["y"], "z": {}},
        "externalDocs": {"url": "u"},
        "x-kubernetes-validations": [{"rule": "true"}],
    }

    shown = json.loads(internal_text(schema))

    assert list(shown["Properties"]) == ["a", "b"]
    assert shown["Properties"]["a"]["Items"]["Schema"]["Type"] == "string"
    assert shown["Properties"]["a"]["Items"]["JSONSchemas"] is None
    assert shown["AdditionalProperties"] == {"Allows": True, "Schema": None}
    assert (shown["AllOf"][0]["Maximum"], shown["Not"]["Required"]) == (3, ["x"])
    assert shown["Dependencies"]["x"] == {"Schema": None, "Property": ["y"]}
    assert shown["Dependencies"]["z"]["Schema"]["Type"] == ""
    assert shown["ExternalDocs"] == {"Description": "", "URL": "u"}
    assert shown["XValidations"][0]["Rule"] == "true"


def test_schemas_in_a_list_and_values_of_a_map_are_shown_too() -> None:
    shown = json.loads(internal_text({"items": [STRING], "additionalProperties": STRING}))

    assert [each["Type"] for each in shown["Items"]["JSONSchemas"]] == ["string"]
    assert shown["AdditionalProperties"]["Schema"]["Type"] == "string"


def test_a_default_is_found_wherever_it_stands() -> None:
    assert has_defaults(obj(a=array(obj(b=STRING | {"default": ""}))))
    assert not has_defaults(obj(default=STRING))
    assert not has_defaults(STRING | {"default": None})
