"""A schema as a server shows it in a message: with the field names of the structure that it is held in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.golang import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Schema = Mapping[str, Any]

_TEXT, _FLAG, _VALUE, _LIST = '""', "false", "null", "null"
_FIELDS: Final[tuple[tuple[str, str, str], ...]] = (
    ("ID", "id", _TEXT),
    ("Schema", "$schema", _TEXT),
    ("Ref", "$ref", _VALUE),
    ("Description", "description", _TEXT),
    ("Type", "type", _TEXT),
    ("Nullable", "nullable", _FLAG),
    ("Format", "format", _TEXT),
    ("Title", "title", _TEXT),
    ("Default", "default", _VALUE),
    ("Maximum", "maximum", _VALUE),
    ("ExclusiveMaximum", "exclusiveMaximum", _FLAG),
    ("Minimum", "minimum", _VALUE),
    ("ExclusiveMinimum", "exclusiveMinimum", _FLAG),
    ("MaxLength", "maxLength", _VALUE),
    ("MinLength", "minLength", _VALUE),
    ("Pattern", "pattern", _TEXT),
    ("MaxItems", "maxItems", _VALUE),
    ("MinItems", "minItems", _VALUE),
    ("UniqueItems", "uniqueItems", _FLAG),
    ("MultipleOf", "multipleOf", _VALUE),
    ("Enum", "enum", _LIST),
    ("MaxProperties", "maxProperties", _VALUE),
    ("MinProperties", "minProperties", _VALUE),
    ("Required", "required", _LIST),
    ("Items", "items", _VALUE),
    ("AllOf", "allOf", _LIST),
    ("OneOf", "oneOf", _LIST),
    ("AnyOf", "anyOf", _LIST),
    ("Not", "not", _VALUE),
    ("Properties", "properties", _VALUE),
    ("AdditionalProperties", "additionalProperties", _VALUE),
    ("PatternProperties", "patternProperties", _VALUE),
    ("Dependencies", "dependencies", _VALUE),
    ("AdditionalItems", "additionalItems", _VALUE),
    ("Definitions", "definitions", _VALUE),
    ("ExternalDocs", "externalDocs", _VALUE),
    ("Example", "example", _VALUE),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", _VALUE),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", _FLAG),
    ("XIntOrString", "x-kubernetes-int-or-string", _FLAG),
    ("XListMapKeys", "x-kubernetes-list-map-keys", _LIST),
    ("XListType", "x-kubernetes-list-type", _VALUE),
    ("XMapType", "x-kubernetes-map-type", _VALUE),
    ("XValidations", "x-kubernetes-validations", _LIST),
)
"""The name of each field, its keyword, and what stands for an absent one."""
_DOCS: Final = (("Description", "description", _TEXT), ("URL", "url", _TEXT))
_RULE: Final = (
    ("Rule", "rule", _TEXT),
    ("Message", "message", _TEXT),
    ("MessageExpression", "messageExpression", _TEXT),
    ("Reason", "reason", _VALUE),
    ("FieldPath", "fieldPath", _TEXT),
    ("OptionalOldSelf", "optionalOldSelf", _VALUE),
)


def internal_text(schema: Schema) -> str:
    """The text of a schema, every field included."""
    parts = (
        f'"{name}":{absent if schema.get(keyword) is None else _text(keyword, schema[keyword])}'
        for name, keyword, absent in _FIELDS
    )
    return f"{{{','.join(parts)}}}"


def rule_text(rule: Mapping[str, Any]) -> str:
    """The text of a rule, every field included."""
    return _struct(rule, _RULE)


def _text(keyword: str, value: Any) -> str:
    return _WRITERS.get(keyword, json_text)(value)


def _schemas(value: Sequence[Schema]) -> str:
    return f"[{','.join(map(internal_text, value))}]"


def _named(value: Mapping[str, Schema]) -> str:
    return _mapped({name: internal_text(each) for name, each in value.items()})


def _items(value: Any) -> str:
    if isinstance(value, list):
        return f'{{"Schema":null,"JSONSchemas":{_schemas(value)}}}'
    return f'{{"Schema":{internal_text(value)},"JSONSchemas":null}}'


def _others(value: Any) -> str:
    if isinstance(value, dict):
        return f'{{"Allows":true,"Schema":{internal_text(value)}}}'
    return f'{{"Allows":{json_text(value)},"Schema":null}}'


def _dependencies(value: Mapping[str, Any]) -> str:
    return _mapped({name: _dependency(each) for name, each in value.items()})


def _dependency(value: Any) -> str:
    if isinstance(value, dict):
        return f'{{"Schema":{internal_text(value)},"Property":null}}'
    return f'{{"Schema":null,"Property":{json_text(value)}}}'


def _docs(value: Mapping[str, Any]) -> str:
    return _struct(value, _DOCS)


def _rules(value: Sequence[Mapping[str, Any]]) -> str:
    return f"[{','.join(map(rule_text, value))}]"


def _mapped(texts: Mapping[str, str]) -> str:
    return f"{{{','.join(f'{json_text(name)}:{texts[name]}' for name in sorted(texts))}}}"


def _struct(value: Mapping[str, Any], fields: Sequence[tuple[str, str, str]]) -> str:
    parts = (
        f'"{name}":{absent if value.get(key) is None else json_text(value[key])}'
        for name, key, absent in fields
    )
    return f"{{{','.join(parts)}}}"


_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "additionalItems": _others,
    "additionalProperties": _others,
    "allOf": _schemas,
    "anyOf": _schemas,
    "definitions": _named,
    "dependencies": _dependencies,
    "externalDocs": _docs,
    "items": _items,
    "not": internal_text,
    "oneOf": _schemas,
    "patternProperties": _named,
    "properties": _named,
    "x-kubernetes-validations": _rules,
}
"""How the values of keywords are written that are no plain values."""
