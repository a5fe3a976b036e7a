"""Whether the defaults in a schema are values that the schema takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windlass.schema.custom.check.node import META, fields, has, single
from windlass.schema.custom.embedded import Embedded, MalformedError
from windlass.schema.custom.judge import Judge, Reading
from windlass.schema.custom.prune import prune
from windlass.schema.fault import Fault
from windlass.schema.golang import shown_unstructured
from windlass.schema.shape import Shape
from windlass.schema.value import copied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from windlass.schema.custom.embedded import MetadataRules
    from windlass.schema.custom.rule import RuleEngine

    Schema = Mapping[str, Any]

_EMBEDDED = "x-kubernetes-embedded-resource"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a schema we are: the resource around us, and how a value here becomes such a resource."""

    path: str
    resource: Schema
    around: Callable[[Any], Any]
    in_metadata: bool = False

    def field(self, name: str, *, in_metadata: bool) -> _Place:
        return replace(
            self,
            path=f"{self.path}.properties[{name}]",
            around=lambda value: self.around({name: value}),
            in_metadata=self.in_metadata or in_metadata,
        )

    def items(self) -> _Place:
        return replace(self, path=f"{self.path}.items", around=lambda value: self.around([value]))


class DefaultCheck:
    """Checks the defaults of schemas, with a server's knowledge of metadata and of rules."""

    def __init__(self, metadata: MetadataRules, rules: RuleEngine | None) -> None:
        self._metadata = metadata
        self._rules = rules

    def faults(self, schema: Schema, path: str) -> Iterator[Fault]:
        """What is wrong with the defaults of a structural schema; those below a map are not checked."""
        root = {**schema, _EMBEDDED: True}
        return self._faults(root, _Place(path, root, _resource))

    def _faults(self, schema: Schema, place: _Place) -> Iterator[Fault]:
        embedded = has(schema, _EMBEDDED)
        if embedded:
            place = _Place(place.path, schema, _resource)
        default = schema.get("default")
        if default is not None:
            problems = self._in_metadata if place.in_metadata else self._elsewhere
            yield from problems(schema, default, place)
        items = single(schema, "items")
        if items is not None:
            yield from self._faults(items, place.items())
        for name, child in fields(schema).items():
            yield from self._faults(child, place.field(name, in_metadata=embedded and name in META))

    def _elsewhere(self, schema: Schema, default: Any, place: _Place) -> Iterator[Fault]:
        at = f"{place.path}.default"
        shape = Shape(schema)
        if prune(copied(default), shape, root=shape.embedded):
            yield _invalid(at, default, "must not have unknown fields")
        found = self._embedded_faults(shape, default, at)
        if not found:
            found = self._judged(schema, default, at)
        yield from found

    def _in_metadata(self, schema: Schema, default: Any, place: _Place) -> Iterator[Fault]:
        at = f"{place.path}.default"
        found = self._embedded_faults(Shape(place.resource), place.around(copied(default)), "")
        if found:
            texts = list(dict.fromkeys(map(str, found)))
            said = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
            yield _invalid(at, default, f"must result in valid metadata: {said}")
        else:
            yield from self._judged(schema, default, at)

    def _embedded_faults(self, shape: Shape, value: Any, at: str) -> Sequence[Fault]:
        embedded = Embedded(shape, self._metadata)
        value = copied(value)
        try:
            embedded.read(value, at)
        except MalformedError as error:
            return [error.fault]
        return embedded.faults(value, at)

    def _judged(self, schema: Schema, default: Any, at: str) -> list[Fault]:
        complaints = Judge(schema, Reading(defaults=True)).complaints(default)
        found = [complaint.fault(at) for complaint in complaints]
        if found or self._rules is None:
            return found
        rules = self._rules.compile(schema, resource=has(schema, _EMBEDDED))
        if rules is None:
            return []
        # A default comes into new objects, and into those that there are.
        return list(rules.faults(default, default, None, at)) or list(rules.faults(default, None, None, at))


def _resource(value: Any) -> Any:
    """A resource of which a default is a part; it has a type in any case."""
    return {"apiVersion": "validation/v1", "kind": "Validation"} | value


def _invalid(at: str, value: Any, detail: str) -> Fault:
    return Fault("FieldValueInvalid", at, f"Invalid value: {shown_unstructured(value)}: {detail}")
