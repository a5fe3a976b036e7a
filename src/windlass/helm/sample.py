"""The sample object of an entry of `watches.yaml`: the chart's defaults, and what its schema requires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.codegen import sample_value
from windlass.errors import SchemaError
from windlass.helm.values_schema import References, accepts, bounds, enumerated, is_usable, type_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json
    from windlass.helm.watches import HelmWatch

_NUMBERS: Final = ("minLength", "maxLength", "multipleOf", "minItems", "minimum", "maximum")
_MOST: Final = 1000  # schemas in a value that is made


def sample_of(watch: HelmWatch, values: Json, defaults: Json, schema: Any) -> Json:
    """Return an object that the entry's selector selects and that Helm accepts, as far as the schema tells.

    Its spec are the chart's `values` that are not empty. Where `defaults`, which are those of subcharts too,
    lack what the `schema` requires, a value that fits is put in.
    """
    labels = _selected(watch)
    metadata = {"name": f"{watch.kind.lower()}-sample"} | ({"labels": labels} if labels else {})
    spec = _trimmed(values)
    if isinstance(schema, dict):
        spec = _Completion(References(schema)).of(spec, defaults, schema)
    return {"apiVersion": watch.api_version, "kind": watch.kind, "metadata": metadata, "spec": spec}


def _selected(watch: HelmWatch) -> dict[str, str]:
    """Labels that the selector of an entry selects."""
    labels = dict(watch.selector.match_labels)
    for each in watch.selector.match_expressions:
        if each.operator in ("In", "Exists"):
            labels.setdefault(each.key, next(iter(each.values), "true"))
    return labels


def _trimmed(values: Mapping[str, Any]) -> Json:
    """Values without those that are empty."""
    shown = {key: _trimmed(value) if isinstance(value, dict) else value for key, value in values.items()}
    return {key: value for key, value in shown.items() if value not in ("", None) and value not in ([], {})}


class _Completion:
    """Puts into values what a schema requires and their defaults lack."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._left = 0

    def of(self, shown: Json, defaults: Json, schema: Json) -> Json:
        """Return the values with what is required; what nothing is known of is left out."""
        made = dict(shown)
        required = _texts(schema, "required")
        for name, each in _mapping(schema, "properties").items():
            below, within = self._references.resolve(each)
            present = defaults.get(name)
            if below is None:
                continue
            if isinstance(present, dict):
                inner = self.of(shown.get(name, {}), present, below)
                made |= {name: inner} if inner else {}
            elif not accepts(below, present) if present is not None else name in required:
                self._left = _MOST
                try:
                    made[name] = sample_value(self._plain(below, within), name)
                except SchemaError:
                    continue
        return made

    def _plain(self, schema: Any, within: frozenset[str]) -> Json:
        """A JSON schema in the terms of a structural one.

        Raises:
            SchemaError: it says nothing of the value, or too much.
        """
        self._left -= 1
        schema, within = self._references.resolve(schema, within)
        if schema is None or self._left < 0:
            raise SchemaError("the schema says nothing of the value")
        made = _stated(schema)
        known = made.keys() & {"example", "default", "enum"}
        if not made["type"] and not known:
            raise SchemaError("the schema says nothing of the value")
        if "pattern" in schema and not known:
            made["example"] = _matching(made, schema)
        if made["type"] == "array" and made.get("minItems"):
            made["items"] = self._plain(schema.get("items"), within)
        properties, required = _mapping(schema, "properties"), _texts(schema, "required")
        made["required"] = required
        made["properties"] = {name: self._plain(properties.get(name), within) for name in required}
        return made


def _stated(schema: Json) -> Json:
    """The keywords of a JSON schema that are about the value itself, as far as they are not broken."""
    made: Json = {key: schema[key] for key in _NUMBERS if is_usable(key, schema.get(key))} | bounds(schema)
    made["type"] = type_of(schema)
    if isinstance(schema.get("format"), str):
        made["format"] = schema["format"]
    examples = schema.get("examples")
    for key, found in (("example", examples), ("default", [schema.get("default")])):
        fitting = [each for each in found if accepts(schema, each)] if isinstance(found, list) else []
        if fitting and fitting[0] is not None:
            made[key] = fitting[0]
    choices = [each for each in enumerated(schema) if each is not None]
    return made | ({"enum": choices} if choices else {})


def _matching(plain: Json, schema: Json) -> Any:
    """The usual text, if it matches the pattern of its schema."""
    made = sample_value(plain, "")
    if not accepts(schema, made):
        raise SchemaError("the schema has a pattern")
    return made


def _mapping(schema: Json, key: str) -> Json:
    found = schema.get(key)
    return found if isinstance(found, dict) else {}


def _texts(schema: Json, key: str) -> list[str]:
    found = schema.get(key)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
