"""The Endpoints of a service, kept as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.cluster.controller.endpoints.member import is_headless
from windlass.cluster.controller.endpoints.slices import HEADLESS
from windlass.cluster.controller.endpoints.subsets import subsets_of, truncated
from windlass.cluster.controller.endpoints.trigger import TRIGGER
from windlass.kinds.core.v1 import Endpoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.kinds.core.v1 import Pod, Service
    from windlass.reconcile import Context

MANAGED_BY: Final = "endpoints.kubernetes.io/managed-by"
MANAGER: Final = "endpoint-controller"
_OVER_CAPACITY: Final = "endpoints.kubernetes.io/over-capacity"


async def keep_endpoints(service: Service, pods: Sequence[Pod], trigger: str | None, ctx: Context) -> None:
    """Have the Endpoints of a service hold these pods; a newer time alone is no reason to write."""
    desired = _desired(service, pods)
    live = await ctx.get(Endpoints, ctx.key.name)
    if live is None or not _is_as(live, desired):
        if trigger:
            desired["metadata"]["annotations"][TRIGGER] = trigger
        await ctx.apply(Endpoints.from_wire(desired), owned=False)


def _desired(service: Service, pods: Sequence[Pod]) -> Json:
    labels = {name: value for name, value in service.metadata.labels.items() if name != HEADLESS}
    labels |= {MANAGED_BY: MANAGER} | ({HEADLESS: ""} if is_headless(service) else {})
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
