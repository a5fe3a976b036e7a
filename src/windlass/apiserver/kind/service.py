from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from typing_extensions import override

from windlass.apiserver.allocation import ServiceAllocator, drop_with_type
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.world import World

Object = dict[str, Any]


class ServiceTraits(BuiltinTraits):
    """A service has an address of its own in the cluster, and ports on its nodes."""

    field_labels = {"spec.clusterIP": ("spec", "clusterIP"), "spec.type": ("spec", "type")}

    def __init__(self, builtin: BuiltinKind) -> None:
        super().__init__(builtin)
        self._allocator = ServiceAllocator()

    @override
    def shown(self, body: bytes) -> bytes:
        if b'"ExternalName"' not in body or b'"internalTrafficPolicy"' not in body:
            return body
        obj = orjson.loads(body)
        self.hide(obj)
        return orjson.dumps(obj)

    @override
    def hide(self, obj: Object) -> None:
        spec = obj.get("spec", {})  # a bookmark has none
        if spec.get("type") == "ExternalName":  # traffic to one never comes in
            spec.pop("internalTrafficPolicy", None)

    @override
    def begin(self, obj: Object, old: Object | None, world: World, *, dry_run: bool) -> None:
        self._allocator.choose(obj, old, world, dry_run=dry_run)

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_update(obj, old, world)
        drop_with_type(obj["spec"], old["spec"])
        if obj["spec"].get("type") != "LoadBalancer":
            obj["status"] = {**obj["status"], "loadBalancer": {}}

    @override
    def stored(self, obj: Object, world: World) -> None:
        self._allocator.take(obj, world)

    @override
    def deleted(self, obj: Object, world: World) -> None:
        self._allocator.release(obj, world)
        _delete_endpoints(obj["metadata"], world)


def _delete_endpoints(service: Object, world: World) -> None:
    """Otherwise a service that follows under the name would be reached there."""
    endpoints = world.store.collection("/endpoints")
    record = endpoints.get(f"{service['namespace']}/{service['name']}")
    if record is None:
        return
    obj = record.object()
    meta = obj["metadata"]
    if not meta.get("finalizers"):
        endpoints.delete(record.key, record)
    elif "deletionTimestamp" not in meta:
        meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = world.now(), 0
        endpoints.put(record.key, obj, record)
