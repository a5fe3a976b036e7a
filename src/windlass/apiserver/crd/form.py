from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from typing_extensions import override

from windlass.apiserver.crd import enforce
from windlass.apiserver.number import settle_numbers
from windlass.apiserver.table import CustomLayout
from windlass.apiserver.traits import Traits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.crd.family import Family
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.table import Layout

Object = dict[str, Any]


class CustomForm(Traits):
    """How objects of one version of a custom kind come in, are stored, and are shown again."""

    def __init__(self, version: Object, family: Family) -> None:
        self._family = family
        self._version = family.version(version["name"])
        self._columns = version.get("additionalPrinterColumns")
        self.schema = family.schemas[self._version]

    @override
    def body(self, resource: Resource, record: Record) -> bytes:
        if record.canon is self.schema and record.version == self._version:
            return record.body
        canon = self._family.canon(record, self._version)
        if canon is not None and record.canon == canon:
            return record.body
        text = self._family.read(record, self._version)
        if text == record.body:
            record.canon = canon
        return text

    @override
    def prepare_reading(self, resource: Resource, records: Iterable[Record]) -> None:
        self._family.prepare(records, self._version)

    @override
    def to_storage(self, resource: Resource, obj: Object) -> Object:
        return self._family.write(obj)

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        return enforce.decode(resource, self._family.schemas, call, validation)

    @override
    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        return enforce.patched(resource, self._family.schemas, outcome, call, validation)

    @override
    def in_version(self, resource: Resource, obj: Object, other: Resource) -> Object:
        found: Object = orjson.loads(orjson.dumps(self._family.convert(obj, other.kind.api_version)))
        return found

    @override
    def applied(self, resource: Resource, document: Object) -> Object:
        return enforce.applied(self.schema, document)

    @override
    def settle(self, obj: Object) -> bool:
        settle_numbers(obj)
        return False

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        self.schema.prune(obj)
        self.schema.fill(obj)
        return obj

    @override
    def layout(self) -> Layout:
        return CustomLayout(self._columns)
