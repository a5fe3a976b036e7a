"""The schema of a custom resource whose spec are the values of a chart.

An API server that validates more than Helm would reject objects that work. What is made here therefore only
states what Helm checks too, of the values that an object itself has:

- Helm validates the spec together with the chart's defaults. So nothing is required, and numbers of
  properties are not checked.
- `null` removes a default. So everything is nullable; and an `enum` becomes a rule in CEL, which null does
  not reach, since that of a definition would reject null. Below lists and maps, whose size would make rules
  too expensive, texts have a pattern in its place. Elements of a list, where null removes nothing, have an
  `enum`.
- Helm takes whole numbers of any size for integers, an API server those below 2^53. So an integer is stated
  as such only if its bounds or its choices exclude larger ones, and as a number otherwise.
- Values that the schema does not mention are kept, and Helm decides about them.
- What a structural schema cannot state is left to Helm: alternatives (`anyOf` and the like), conditions,
  schemas without a type, tuples, references to other files or below an `$id` of their own, formats, which
  validators read differently.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windlass.api import Json

_FREE: Final = "x-kubernetes-preserve-unknown-fields"
_INT_OR_STRING: Final = "x-kubernetes-int-or-string"
RULES: Final = "x-kubernetes-validations"
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "string": ("minLength", "maxLength", "pattern"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "boolean": (),
    "array": ("minItems", "maxItems"),
    "object": (),
}
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_LONGEST: Final = 200
_LONGEST_MESSAGE: Final = 1000
_MOST: Final = 10_000
_MOST_CHOICES: Final = 50
_LARGEST_INTEGER: Final = 2**53 - 1
_OTHER_BASE: Final = "$id"
_ABSENT: Final = object()


def schema_of_values(
    schema: Any, *, free: Iterable[str] = (), defaults: Mapping[str, Any] | None = None
) -> Json:
    """The schema of a spec from a chart's `values.schema.json`; paths of `free` are not validated.

    A path, as `helm --set` has it, is free where the operator's overrides replace what an object says there.
    Descriptions show the `defaults`.
    """
    whole = schema if isinstance(schema, dict) else {}
    made = _free(whole)
    if _is_object(whole):
        place = _Place(default=defaults or {})
        references = References(whole)
        made = _Conversion(references).of({**references.root, "type": "object"}, place)
    for path in sorted(set(free)):
        made = _freed(made, _steps(path))
    of_root = {key: each for key, each in made.items() if key not in ("nullable", "description")}
    return of_root | _described(whole) | {"type": "object", _FREE: True}


def schema_of_defaults(values: Mapping[str, Any]) -> Json:
    """The schema of a spec from a chart's `values.yaml`: the keys with their defaults, for people to read.

    A default does not say which other types fit, so that nothing is validated.
    """
    properties = {str(key): _free({"description": _default(value)}) for key, value in values.items()}
    return {"type": "object", _FREE: True} | ({"properties": properties} if properties else {})


class References:
    """Find what the references within one JSON schema lead to."""

    def __init__(self, document: Json) -> None:
        self.root = {key: value for key, value in document.items() if key not in ("$id", "id")}

    def resolve(
        self, schema: Any, within: frozenset[str] = frozenset()
    ) -> tuple[Json | None, frozenset[str]]:
        """Return the schema that references lead to; none where they lead nowhere, or in a circle.

        `within` are the references that led here, returned with those that were followed. Below a schema
        with an address of its own, references have another base, and are not followed.
        """
        while isinstance(schema, dict) and "$ref" in schema:
            reference = schema["$ref"]
            if _has_address(schema) or _OTHER_BASE in within or not _is_pointer(reference):
                return None, within
            if reference in within:
                return None, within
            (schema, has_base), within = self._at(reference), within | {reference}
            within |= {_OTHER_BASE} if has_base else set()
        if not isinstance(schema, dict):
            return None, within
        return schema, within | ({_OTHER_BASE} if _has_address(schema) else set())

    def _at(self, reference: str) -> tuple[Any, bool]:
        """What a pointer leads to, and whether a schema on the way there has an address of its own."""
        found: Any = self.root
        has_base = False
        for part in reference.removeprefix("#").strip("/").split("/"):
            if part:
                key = part.replace("~1", "/").replace("~0", "~")
                found = found.get(key) if isinstance(found, dict) else None
                has_base = has_base or (isinstance(found, dict) and _has_address(found))
        return found, has_base


def accepts(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether a schema accepts a value, as far as its type, its choices and its own bounds tell."""
    types = _types(schema)
    if value is None:
        return not types or "null" in _listed(schema)
    if types and not any(_is_of(value, kind) for kind in types):
        return False
    if (choices := enumerated(schema)) and value not in choices:
        return False
    if isinstance(value, str):
        pattern = schema.get("pattern")
        fits = not isinstance(pattern, str) or matches(pattern, value)
        return fits and len(value) >= stated_number(schema, "minLength")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = _range(schema)
        return low <= value <= high and value != schema.get("exclusiveMinimum", _ABSENT)
    return not isinstance(value, list) or len(value) >= stated_number(schema, "minItems")


def stated_number(schema: Mapping[str, Any], key: str) -> float:
    """The number that a schema states; 0 if it states none."""
    return schema[key] if is_usable(key, schema.get(key)) else 0


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text; false where Python does not understand it."""
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False


def type_of(schema: Mapping[str, Any]) -> str:
    """The type that a schema allows, but for null; empty where there are several, or none is stated."""
    types = _types(schema)
    return types.pop() if len(types) == 1 else ""


def bounds(schema: Mapping[str, Any]) -> Json:
    """Bounds that exclude their value: a number in JSON schema, a switch beside the bound in a definition."""
    made: Json = {}
    for inclusive, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        value = schema.get(exclusive)
        if value is True and inclusive in schema:
            made[exclusive] = True
        elif is_usable(exclusive, value) and inclusive not in schema:
            made |= {inclusive: value, exclusive: True}
    return made


def _default(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return f"Default: {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}"


def _is_object(schema: Mapping[str, Any]) -> bool:
    return schema.get("type", "object") in ("object", ["object"], ["object", "null"], ["null", "object"])


def _is_pointer(reference: Any) -> bool:
    return isinstance(reference, str) and (reference == "#" or reference.startswith("#/"))


def _has_address(schema: Mapping[str, Any]) -> bool:
    return isinstance(schema.get("$id"), str) or isinstance(schema.get("id"), str)


def _free(schema: Mapping[str, Any], default: Any = _ABSENT) -> Json:
    """Return the schema of any value; it must be nullable, or the API server prunes null of a known key."""
    return {_FREE: True, "nullable": True} | _described(schema, default)


def _described(schema: Mapping[str, Any], default: Any = _ABSENT) -> Json:
    text = schema.get("description") or schema.get("title")
    lines = [text] if isinstance(text, str) else []
    if default is not _ABSENT and default is not None:
        lines.append(_default(default))
    return {"description": "\n".join(lines)} if lines else {}


def _steps(path: str) -> tuple[str, ...]:
    """The keys of a path in Helm's grammar, up to the first list: `a.b[0].c` is a, then b."""
    keys = re.split(r"(?<!\\)\[", path)[0]
    return tuple(step.replace("\\", "") for step in re.split(r"(?<!\\)\.", keys) if step)


def _freed(schema: Json, path: Sequence[str]) -> Json:
    """Return a schema that accepts anything at a path, and is otherwise the same."""
    if not path or schema.get("type", "object") != "object" or "additionalProperties" in schema:
        return _free(schema)
    properties = schema.get("properties", {})
    if path[0] not in properties:
        return schema
    return schema | {"properties": properties | {path[0]: _freed(properties[path[0]], path[1:])}}


@dataclass(frozen=True)
class _Place:
    """Where a schema stands: the references that led to it, and the chart's default there.

    It `is_element` of a list, or `is_repeated` below a list or a map.
    """

    within: frozenset[str] = frozenset()
    default: Any = _ABSENT
    is_element: bool = False
    is_repeated: bool = False

    def below(self, name: str) -> _Place:
        """The place of a property."""
        inner = self.default.get(name, _ABSENT) if isinstance(self.default, dict) else _ABSENT
        return replace(self, default=inner, is_element=False)

    def each(self, *, is_element: bool) -> _Place:
        """The place of every element of a list, or of every value of a map."""
        return replace(self, default=_ABSENT, is_element=is_element, is_repeated=True)


class _Conversion:
    """Converts one document, in which schemas may refer to each other.

    A schema that contains itself is left to Helm where it does, and so is what follows after very many.
    """

    def __init__(self, references: References) -> None:
        self._references = references
        self._left = _MOST

    def of(self, schema: Any, place: _Place) -> Json:
        """The structural schema; one that allows any value where there is none."""
        self._left -= 1
        schema, within = self._references.resolve(schema, place.within)
        place = replace(place, within=within)
        if schema is None or self._left < 0:
            return _free({}, place.default)
        if _types(schema) == {"integer", "string"}:
            return {_INT_OR_STRING: True, "nullable": True} | _described(schema, place.default)
        kind = type_of(schema)
        if kind not in _KEPT:
            return _free(schema, place.default)
        if kind == "object":
            return {"type": kind, "nullable": True} | self._members(schema, place)
        made = {"type": kind, "nullable": True} | _described(schema, place.default)
        made |= {key: schema[key] for key in _KEPT[kind] if is_usable(key, schema.get(key))}
        if kind == "array":
            items = None if "prefixItems" in schema else schema.get("items")
            return made | {"items": self.of(items, place.each(is_element=True))}
        return (
            made | (_numeric(schema, kind) if kind in ("integer", "number") else {}) | _choices(schema, place)
        )

    def _members(self, schema: Json, place: _Place) -> Json:
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if isinstance(properties, dict) and properties:
            made = {str(name): self.of(each, place.below(str(name))) for name, each in properties.items()}
            return _described(schema) | {"properties": made, _FREE: True}
        described = _described(schema, place.default)
        if isinstance(others, dict) and not schema.get("patternProperties"):
            return described | {"additionalProperties": self.of(others, place.each(is_element=False))}
        return described | {_FREE: True}


def _listed(schema: Mapping[str, Any]) -> list[Any]:
    stated = schema.get("type")
    return stated if isinstance(stated, list) else [stated]


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema allows, but for null; where none is stated, those of its choices."""
    types = {each for each in _listed(schema) if isinstance(each, str) and each != "null"}
    if "type" not in schema:
        types = {kind for each in enumerated(schema) for kind in _TYPES if _is_of(each, kind)}
    return types - {"integer"} if "number" in types else types


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, (object,)))


def enumerated(schema: Mapping[str, Any]) -> list[Any]:
    """The values that a schema enumerates; none if it does not."""
    stated = schema.get("enum")
    if isinstance(stated, list) and stated:
        return stated
    return [schema["const"]] if "const" in schema else []


def is_usable(key: str, value: Any) -> bool:
    """Whether a constraint is one that a server understands; a broken one is left to Helm."""
    if key == "pattern":
        return isinstance(value, str)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value > 0 if key == "multipleOf" else True


def _range(schema: Mapping[str, Any]) -> tuple[float, float]:
    """The least and the largest number that the bounds allow, exclusive bounds included."""
    low, high = (
        [schema[key] for key in keys if is_usable(key, schema.get(key))]
        for keys in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
    )
    return max(low, default=float("-inf")), min(high, default=float("inf"))


def _numeric(schema: Mapping[str, Any], kind: str) -> Json:
    """What is particular to numbers: a server takes large ones neither for integers nor for multiples."""
    numbers = [each for each in enumerated(schema) if _is_of(each, kind)] or _range(schema)
    if not all(abs(each) <= _LARGEST_INTEGER for each in numbers):
        return {"type": "number"} | bounds(schema)
    step = schema.get("multipleOf")
    return bounds(schema) | ({"multipleOf": step} if is_usable("multipleOf", step) else {})


def _choices(schema: Mapping[str, Any], place: _Place) -> Json:
    """The values that a scalar may have, as a rule, an `enum` or a pattern."""
    stated, kind = enumerated(schema), type_of(schema)
    found = [each for each in stated if _is_of(each, kind)]
    if not found:
        return {}
    if place.is_element and None not in stated:
        return {"enum": found}
    if not place.is_repeated and len(found) <= _MOST_CHOICES:
        numbers = [float(each) for each in found] if kind == "number" else found
        message = f"must be {' or '.join(json.dumps(each, ensure_ascii=False) for each in found)}"
        rule = {"rule": f"self in {json.dumps(numbers, ensure_ascii=False)}"}
        return {RULES: [rule | ({"message": message} if len(message) <= _LONGEST_MESSAGE else {})]}
    return {"pattern": f"^(?:{'|'.join(map(re.escape, found))})$"} if kind == "string" else {}
