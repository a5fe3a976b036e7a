from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.apiserver.crd import enforce
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.traits import Traits, keep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.crd.registrar import Registrar
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.world import World
    from windlass.schema import Fault, Shape

Object = dict[str, Any]

_NOT_COUNTED: Final = frozenset({"metadata", "kind", "apiVersion"})


class CustomTraits(Traits):
    """A kind that a definition describes: pruned, defaulted and validated by the schema of each version."""

    generation = True
    unconditional = False

    def __init__(self, crd: Object, version: Object, stored: Shape, registrar: Registrar) -> None:
        self.definition: str = crd["metadata"]["name"]
        self.version = version
        self.status = "status" in (version.get("subresources") or {})
        self.field_labels = {
            each["jsonPath"].lstrip("."): tuple(each["jsonPath"].lstrip(".").split("."))
            for each in version.get("selectableFields") or ()
        }
        self._stored = stored
        self._registrar = registrar
        self._terminating = "deletionTimestamp" in crd["metadata"]

    @override
    def body(self, resource: Resource, record: Record) -> bytes:
        if record.canon is resource.shape:
            return record.body
        obj = record.object()
        enforce.prune(obj, resource.shape)
        enforce.fill(obj, resource.shape)
        text = orjson.dumps(obj)
        if record.canon is None and text == record.body:
            record.canon = resource.shape
        return text

    @override
    def to_storage(self, resource: Resource, obj: Object) -> Object:
        if self._stored is resource.shape:
            return obj
        enforce.prune(obj, self._stored)
        enforce.fill(obj, self._stored)
        return obj

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        return enforce.decode(resource, body, call, validation)

    @override
    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        return enforce.patched(resource, outcome, call, validation)

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        pass

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        for name in old.keys() | obj.keys():
            if name not in ("status", "metadata", "kind", "apiVersion"):
                keep(obj, old, name)
        meta = {**old["metadata"], "resourceVersion": obj["metadata"].get("resourceVersion", "")}
        if "managedFields" in obj["metadata"]:
            meta["managedFields"] = obj["metadata"]["managedFields"]
        obj["metadata"] = meta

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        ignored = _NOT_COUNTED | ({"status"} if self.status else set())
        return any(obj.get(name) != old.get(name) for name in (obj.keys() | old.keys()) - ignored)

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        return ()

    @override
    def deleted(self, obj: Object, world: World) -> None:
        self._registrar.emptied(self.definition)
