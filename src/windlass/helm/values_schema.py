"""The schema of a custom resource whose spec are the values of a chart.

An API server that validates more than Helm would reject objects that work. What is made here therefore only
states what Helm checks too, of the values that an object itself has:

- Helm validates the spec together with the chart's defaults. So nothing is required, and numbers of
  properties are not checked.
- `null` removes a default. So everything is nullable; and an `enum` becomes a pattern, since that of a
  definition would reject null.
- Values that the schema does not mention are kept, and Helm decides about them.
- What a structural schema cannot state is left to Helm: alternatives (`anyOf` and the like), conditions,
  schemas without a type, references to other files, formats, which validators read differently.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Json

_FREE: Final = "x-kubernetes-preserve-unknown-fields"
_INT_OR_STRING: Final = "x-kubernetes-int-or-string"
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "string": ("minLength", "maxLength", "pattern"),
    "integer": ("minimum", "maximum", "multipleOf"),
    "number": ("minimum", "maximum", "multipleOf"),
    "boolean": (),
    "array": ("minItems", "maxItems"),
    "object": (),
}
_LONGEST: Final = 200
_MOST: Final = 10_000


def schema_of_values(schema: Any, *, free: Iterable[str] = ()) -> Json:
    """The schema of a spec from a chart's `values.schema.json`; keys of `free` are not validated.

    A key is free where the operator's overrides replace what an object says there.
    """
    whole = schema if isinstance(schema, dict) else {}
    made = _Conversion(whole).of(whole | {"type": "object"}) if _is_object(whole) else _free(whole)
    for key in set(free) & made.get("properties", {}).keys():
        made["properties"][key] = _free(made["properties"][key])
    made.pop("nullable", None)
    return made | {"type": "object", _FREE: True}


def schema_of_defaults(values: Mapping[str, Any]) -> Json:
    """The schema of a spec from a chart's `values.yaml`: the keys with their defaults, for people to read.

    A default does not say which other types fit, so that nothing is validated.
    """
    properties = {str(key): _free({"description": _default(value)}) for key, value in values.items()}
    return {"type": "object", _FREE: True} | ({"properties": properties} if properties else {})


def _default(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return f"Default: {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}"


def _is_object(schema: Mapping[str, Any]) -> bool:
    return schema.get("type", "object") in ("object", ["object"], ["object", "null"], ["null", "object"])


def _free(schema: Mapping[str, Any]) -> Json:
    """Return the schema of any value; it must be nullable, or the API server prunes null of a known key."""
    return {_FREE: True, "nullable": True} | _described(schema)


def _described(schema: Mapping[str, Any]) -> Json:
    text = schema.get("description") or schema.get("title")
    return {"description": text} if isinstance(text, str) else {}


class _Conversion:
    """Converts one document, in which schemas may refer to each other.

    A schema that contains itself is left to Helm where it does, and so is what follows after very many.
    """

    def __init__(self, document: Json) -> None:
        self._document = document
        self._left = _MOST

    def of(self, schema: Any, within: frozenset[str] = frozenset()) -> Json:
        """The structural schema; one that allows any value where there is none.

        `within` are the references that led here.
        """
        self._left -= 1
        schema, within = self._resolved(schema, within)
        if schema is None or self._left < 0:
            return _free({})
        types = _types(schema)
        if types == {"integer", "string"}:
            return {_INT_OR_STRING: True, "nullable": True} | _described(schema)
        if len(types) != 1 or not types <= _KEPT.keys():
            return _free(schema)
        (kind,) = types
        made = {"type": kind, "nullable": True} | _described(schema)
        made |= {key: schema[key] for key in _KEPT[kind] if _fits(key, schema.get(key))}
        made |= _bounds(schema) if kind in ("integer", "number") else {}
        made |= _choices(schema) if kind == "string" else {}
        if kind == "array":
            made["items"] = self.of(schema.get("items"), within)
        return made | self._members(schema, within) if kind == "object" else made

    def _members(self, schema: Json, within: frozenset[str]) -> Json:
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if isinstance(properties, dict) and properties:
            made = {str(name): self.of(each, within) for name, each in properties.items()}
            return {"properties": made, _FREE: True}
        if isinstance(others, dict) and not schema.get("patternProperties"):
            return {"additionalProperties": self.of(others, within)}
        return {_FREE: True}

    def _resolved(self, schema: Any, within: frozenset[str]) -> tuple[Json | None, frozenset[str]]:
        """The schema that references lead to; none where they lead nowhere, or in a circle."""
        while isinstance(schema, dict) and "$ref" in schema:
            reference = schema["$ref"]
            if not isinstance(reference, str) or not reference.startswith("#") or reference in within:
                return None, within
            schema, within = self._at(reference), within | {reference}
        return (schema if isinstance(schema, dict) else None), within

    def _at(self, reference: str) -> Any:
        found: Any = self._document
        for part in reference.removeprefix("#").strip("/").split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, dict) else None
        return found


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema allows, but for null."""
    stated = schema.get("type")
    listed = stated if isinstance(stated, list) else [stated]
    types = {each for each in listed if isinstance(each, str) and each != "null"}
    return types - {"integer"} if "number" in types else types


def _fits(key: str, value: Any) -> bool:
    """Whether a constraint is one that a server understands; a broken one is left to Helm."""
    if key == "pattern":
        return isinstance(value, str)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value > 0 if key == "multipleOf" else True


def _bounds(schema: Mapping[str, Any]) -> Json:
    """Bounds that exclude their value: a number in JSON schema, a switch beside the bound in a definition."""
    made: Json = {}
    for inclusive, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        value = schema.get(exclusive)
        if value is True and inclusive in schema:
            made[exclusive] = True
        elif _fits(exclusive, value) and inclusive not in schema:
            made |= {inclusive: value, exclusive: True}
    return made


def _choices(schema: Mapping[str, Any]) -> Json:
    """The texts that a value may be, as a pattern: an `enum` of a definition never allows null."""
    stated = schema.get("enum")
    choices = (
        stated if isinstance(stated, list) and stated else [schema["const"]] if "const" in schema else []
    )
    texts = [each for each in choices if isinstance(each, str)]
    return {"pattern": f"^(?:{'|'.join(map(re.escape, texts))})$"} if texts else {}
