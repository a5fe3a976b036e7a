from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson
from typing_extensions import override

from windlass.apiserver.builtin import kinds, library
from windlass.apiserver.decode import builtin_types, complete, read
from windlass.apiserver.defaulting import fill
from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.table import KindLayout
from windlass.schema.ownership import Rules

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.api import Kind
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.table import Layout

Object = dict[str, Any]


class ConvertedTraits(BuiltinTraits):
    """A kind that is served under several names or versions, and stored under one of them.

    `versions`: all of them, as `apiVersion`, the stored one first.
    """

    versions: tuple[str, ...] = ()

    def to_stored(self, obj: Object) -> Object:
        """An object of another version as it is stored. The given one stays as it is."""
        raise NotImplementedError

    def from_stored(self, obj: Object) -> Object:
        """A stored object in the other version. The given one stays as it is."""
        raise NotImplementedError

    @property
    def is_stored(self) -> bool:
        """Whether this is the version that is stored."""
        return self.kind.api_version == self.versions[0]

    @override
    def body(self, resource: Resource, record: Record) -> bytes:
        if self.is_stored:
            return record.body
        return orjson.dumps(_read_again(self.from_stored(record.object()), self.kind))

    @override
    def to_storage(self, resource: Resource, obj: Object) -> Object:
        if self.is_stored:
            return obj
        stored = _read_again(self.to_stored(obj), self._kinds[self.versions[0]].kind)
        fill(f"{self.versions[0]}/{self.kind.name}", stored)
        return stored

    @override
    def rules(self, resource: Resource, subresource: str) -> Rules:
        own = super().rules(resource, subresource)
        return Rules(
            shapes={version: library().shape(each.definition) for version, each in self._kinds.items()},
            convert=self._convert,
            empty={version: _read_again({}, each.kind) for version, each in self._kinds.items()},
            reset={version: self.reset(subresource) for version in self._kinds},
            grammar=own.grammar,
        )

    @override
    def layout(self) -> Layout:
        layout = super().layout()
        if self.is_stored:
            return layout

        def cells(obj: Object, now: datetime) -> list[Any]:
            return layout.cells(self.to_stored(obj), now)

        return KindLayout(layout.columns, cells)

    @cached_property
    def _kinds(self) -> dict[str, BuiltinKind]:
        """What is known of the kind in each version."""
        return {
            each.kind.api_version: each
            for each in kinds()
            if each.kind.name == self.kind.name and each.kind.api_version in self.versions
        }

    def _convert(self, obj: Object, version: str) -> Object:
        """An object of the one version in the other."""
        converted = self.to_stored(obj) if version == self.versions[0] else self.from_stored(obj)
        kind = self._kinds[version].kind
        # What every object of the version has is there, as nothing, even if it was taken out of the other.
        return _read_again(converted, kind) | {"kind": kind.name, "apiVersion": version}


def _read_again(obj: Object, kind: Kind) -> Object:
    """An object without its kind, without what its version leaves out, and with what it always writes."""
    found, _ = read(obj, kind, builtin_types())
    complete(found, kind, builtin_types())
    del found["kind"], found["apiVersion"]
    return found
