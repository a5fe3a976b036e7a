from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.cluster.controller.endpoints.member import is_headless
from windlass.cluster.controller.endpoints.selection import LABELS, Selectors, matters, selector_of
from windlass.cluster.controller.endpoints.slices import HEADLESS
from windlass.cluster.controller.endpoints.subsets import subsets_of, truncated
from windlass.cluster.controller.endpoints.trigger import TRIGGER, TriggerTimes
from windlass.kinds.core.v1 import Endpoints, Pod, Service
from windlass.reconcile import KeyReconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json, Resource
    from windlass.reconcile import Context

_MANAGED_BY: Final = "endpoints.kubernetes.io/managed-by"
_MANAGER: Final = "endpoint-controller"
_OVER_CAPACITY: Final = "endpoints.kubernetes.io/over-capacity"


def _key_of(resource: Resource) -> Iterable[Key]:
    yield Key(resource.metadata.namespace, resource.metadata.name)


class EndpointsController(KeyReconciler):
    """Keeps the Endpoints of each service that selects pods; those of a service that is gone go too."""

    name = "endpoints"
    reads = (Watch(Service, to=_key_of), Watch(Endpoints, to=_key_of), Watch(Pod))
    indexes = (LABELS,)

    def __init__(self) -> None:
        self._selectors = Selectors()
        self._triggers = TriggerTimes()
        pods = Watch(Pod, to=self._selectors.services_of, when=matters)
        self.reads = (Watch(Service, to=_key_of), Watch(Endpoints, to=_key_of), pods)

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        service = await ctx.get(Service, key.name)
        live = await ctx.get(Endpoints, key.name)
        selector = selector_of(service) if service else {}
        self._selectors.note(key, selector)
        if service is None:
            self._triggers.forget(key)
            if live is not None and _is_left_over(live, ctx):
                await ctx.delete(Endpoints, key.name)
        elif selector:
            pods = await self._selectors.pods_of(key, ctx)
            trigger = self._triggers.since(key, service, pods)
            desired = _desired(service, pods)
            if live is None or not _is_as(live, desired):
                annotations = desired["metadata"]["annotations"] | ({TRIGGER: trigger} if trigger else {})
                desired["metadata"]["annotations"] = annotations
                await ctx.apply(Endpoints.from_wire(desired), owned=False)
        return Result.ready()


def _is_left_over(live: Endpoints, ctx: Context) -> bool:
    """Whether Endpoints had a service; somebody may just create his own before the service."""
    was_deleted = any(each.kind == "Service" and each.event == "deleted" for each in ctx.causes)
    return was_deleted or live.metadata.labels.get(_MANAGED_BY) == _MANAGER


def _desired(service: Service, pods: Any) -> Json:
    labels = {name: value for name, value in service.metadata.labels.items() if name != HEADLESS}
    labels |= {_MANAGED_BY: _MANAGER} | ({HEADLESS: ""} if is_headless(service) else {})
    all_subsets = subsets_of(service, pods)
    subsets = truncated(all_subsets)
    annotations = {_OVER_CAPACITY: "truncated"} if subsets != all_subsets else {}
    metadata = {
        "name": service.metadata.name,
        "namespace": service.metadata.namespace,
        "labels": labels,
        "annotations": annotations,
    }
    return {"metadata": metadata, "subsets": subsets}


def _is_as(live: Endpoints, desired: Json) -> bool:
    annotations = {name: value for name, value in live.metadata.annotations.items() if name == _OVER_CAPACITY}
    metadata = desired["metadata"]
    found = live.to_wire().get("subsets") or []
    same = (found, live.metadata.labels, annotations)
    return same == (desired["subsets"], metadata["labels"], metadata["annotations"])
