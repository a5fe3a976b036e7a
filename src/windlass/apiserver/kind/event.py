from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.kind.converted import ConvertedTraits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.traits import FieldReader
    from windlass.schema.ownership import Rules

Object = dict[str, Any]

_NEW_NAMES: Final = {
    "involvedObject": "regarding",
    "message": "note",
    "reportingComponent": "reportingController",
    "source": "deprecatedSource",
    "firstTimestamp": "deprecatedFirstTimestamp",
    "lastTimestamp": "deprecatedLastTimestamp",
    "count": "deprecatedCount",
}
"""The names of the core group, and those that the group events.k8s.io has for the same."""

_OLD_NAMES: Final = {new: old for old, new in _NEW_NAMES.items()}
_ABOUT: Final = ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")


class EventTraits(ConvertedTraits):
    """Events are one collection with two names; the core group's is that of the store."""

    versions = ("v1", "events.k8s.io/v1")
    fault_group = ""

    def __init__(self, builtin: BuiltinKind) -> None:
        self.field_labels = _labels(core=not builtin.kind.group)
        super().__init__(builtin)

    @override
    def to_stored(self, obj: Object) -> Object:
        return {_OLD_NAMES.get(name, name): value for name, value in obj.items()}

    @override
    def from_stored(self, obj: Object) -> Object:
        return {_NEW_NAMES.get(name, name): value for name, value in obj.items()}

    @override
    def rules(self, resource: Resource, subresource: str) -> Rules:
        """Neither group knows the other's version: what is owned in terms of that is forgotten by a write."""
        every = super().rules(resource, subresource)
        version = resource.kind.api_version
        return replace(every, shapes={version: every.shapes[version]})


def _labels(*, core: bool) -> Mapping[str, FieldReader]:
    about = "involvedObject" if core else "regarding"
    labels = {f"{about}.{field}": _reader("involvedObject", field) for field in _ABOUT}
    labels |= {name: _reader(name) for name in ("reason", "type")}
    labels["reportingComponent" if core else "reportingController"] = _reader("reportingComponent")
    if core:
        labels["source"] = _source
    return labels


def _reader(name: str, field: str = "") -> FieldReader:
    """Reads a field, or a field of a structure, under either of its names: a watch shows what is stored."""

    def read(event: Mapping[str, Any]) -> str:
        value = event.get(name) or event.get(_NEW_NAMES.get(name, name)) or {}
        return str(value.get(field, "") if field else value or "")

    return read


def _source(event: Mapping[str, Any]) -> str:
    return _reader("source", "component")(event) or _reader("reportingComponent")(event)
