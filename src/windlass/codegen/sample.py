"""Sample objects: what a schema says, made into the smallest object that shows it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from windlass.errors import SchemaError, UndecodableError
from windlass.schema import structural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json, Resource

_BY_FORMAT = {
    "byte": "ZXhhbXBsZQ==",
    "cidr": "192.0.2.0/24",
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "datetime": "2026-01-01T00:00:00Z",
    "duration": "1h",
    "email": "someone@example.com",
    "hexcolor": "#336699",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "mac": "00:00:5e:00:53:01",
    "rgbcolor": "rgb(51,102,153)",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uuid4": "00000000-0000-4000-8000-000000000000",
}
_TEXT = "example"
_QUANTITY = "1Gi"
_ONE_OF = re.compile(r"[\[(]has\(self\.[^&|]*(==|>=) 1")
_WAY_OUT = "show what fits with Field(examples=[…])"


def sample(kind: type[Resource]) -> Json:
    """An object of this kind that its schema accepts: examples and defaults as given, required fields filled.

    Rules in CEL are beyond it, but for `ExactlyOneOf` and `AtLeastOneOf`: a type with others shows by
    `Field(examples=[…])` what obeys them.

    Raises:
        SchemaError: nothing fits a required field (a pattern, a list without duplicates, a type of Python
            that its schema says nothing about), and no `Field(examples=[…])` says what does.
    """
    known = kind.__kind__
    schema = structural(kind)
    body = {
        name: _value(below, f"{known.name}.{name}")
        for name, below in schema["properties"].items()
        if name not in ("apiVersion", "kind", "metadata", "status")
        and (name in schema.get("required", ()) or name == "spec")
    }
    metadata = {"name": f"{known.name.lower()}-sample"}
    made = {"apiVersion": known.api_version, "kind": known.name, "metadata": metadata, **body}
    try:
        kind.from_wire(made)
    except UndecodableError as error:
        raise SchemaError(f"no sample can be made: {error}; {_WAY_OUT}") from error
    return made


def sample_file(kind: type[Resource], group: str = "") -> str:
    """The name of a sample's file, as kubebuilder names it: `demo_v1_webapp.yaml`."""
    known = kind.__kind__
    return f"{group or known.group.split('.')[0]}_{known.version}_{known.name.lower()}.yaml"


def sample_value(schema: Json, path: str) -> Any:
    """A value that a structural schema accepts; errors name its `path`.

    Raises:
        SchemaError: nothing fits that could be found.
    """
    return _value(schema, path)


def _value(schema: Json, path: str) -> Any:
    for key in ("example", "default"):
        if key in schema and schema[key] != {}:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("x-kubernetes-int-or-string"):
        return _int_or_string(schema, path)
    make = _BY_TYPE.get(schema.get("type", ""))
    return make(schema, path) if make else {}


def _int_or_string(schema: Json, path: str) -> int | str:
    """A number, or a text where a pattern asks for one: a quantity is a text to the rules in CEL."""
    pattern = schema.get("pattern")
    if pattern is None:
        return 1
    for text in (_QUANTITY, "1"):
        if re.search(pattern, text):
            return text
    raise SchemaError(f"{path} must match {pattern!r}; {_WAY_OUT}")


def _array(schema: Json, path: str) -> list[Any]:
    count = schema.get("minItems", 0)
    if count > 1 and schema.get("x-kubernetes-list-type") in ("set", "map"):
        raise SchemaError(f"{path} must have {count} different items; {_WAY_OUT}")
    return [_value(schema["items"], f"{path}[]") for _ in range(count)]


def _object(schema: Json, path: str) -> Json:
    properties: Json = schema.get("properties", {})
    wanted = {
        name for name in properties if name in schema.get("required", ()) or _is_shown(properties[name])
    }
    for members in _alternatives(schema):
        if not wanted.intersection(members):
            wanted.add(members[0])
    shown = {name: _value(properties[name], f"{path}.{name}") for name in properties if name in wanted}
    if schema.get("x-kubernetes-embedded-resource"):
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": _TEXT}} | shown
    for index in range(schema.get("minProperties", 0) - len(shown)):
        shown[f"{_TEXT}-{index}"] = _value(schema.get("additionalProperties") or {}, f"{path}.*")
    return shown


def _is_shown(schema: Json) -> bool:
    return "example" in schema or "default" in schema


def _alternatives(schema: Json) -> list[list[str]]:
    """The properties of which `ExactlyOneOf` and `AtLeastOneOf` want one."""
    rules = (_ONE_OF.fullmatch(each["rule"]) for each in schema.get("x-kubernetes-validations", ()))
    named = [re.findall(r"has\(self\.(\w+)\)", rule[0]) for rule in rules if rule]
    known = [[name for name in names if name in schema.get("properties", {})] for names in named]
    return [names for names in known if names]


def _string(schema: Json, path: str) -> str:
    if "pattern" in schema:
        raise SchemaError(f"{path} must match {schema['pattern']!r}; {_WAY_OUT}")
    if schema.get("format") in _BY_FORMAT:
        return _BY_FORMAT[schema["format"]]
    shortest: int = schema.get("minLength", 0)
    longest: int = schema.get("maxLength", len(_TEXT))
    return (_TEXT * (shortest // len(_TEXT) + 1))[: max(shortest, min(longest, len(_TEXT)))]


def _number(schema: Json, path: str) -> int | float:
    step = schema.get("multipleOf", 1)
    bounds = [schema[key] for key in ("minimum", "maximum") if key in schema]
    near = [step * (bound // step + offset) for bound in bounds for offset in (0, 1, -1)]
    for number in (step, *near, sum(bounds) / 2):
        if _fits(number, schema):
            return int(number) if schema["type"] == "integer" else number
    raise SchemaError(f"{path} is bounded so narrowly that no number comes to mind; {_WAY_OUT}")


def _fits(number: float, schema: Json) -> bool:
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    steps = number / schema.get("multipleOf", 1)
    return (
        (least < number if schema.get("exclusiveMinimum") else least <= number)
        and (number < most if schema.get("exclusiveMaximum") else number <= most)
        and ((schema["type"] == "number" and "multipleOf" not in schema) or math.isclose(steps, round(steps)))
    )


_BY_TYPE: Mapping[str, Callable[[Json, str], Any]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": lambda _schema, _path: False,
}
