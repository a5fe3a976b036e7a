"""The peer that uses kopf: `kopf run --all-namespaces --standalone --quiet benchmarks/peer_kopf.py`.

WIDGET_SEED keeps the status of every Widget fresh; WIDGET_COUNT fills an index with so many of them instead.

It does less than an operator of kopf does unless told otherwise: it posts no events, and it logs nothing for
each object. It has no workers to limit: kopf keeps a task for each object for some seconds after its last
change.
"""

import hashlib
import os
from typing import Any

import kopf

SEED = os.environ.get("WIDGET_SEED", "")
COUNT = int(os.environ.get("WIDGET_COUNT", "0"))
WIDGETS = ("bench.windlass.dev", "v1", "widgets")


@kopf.on.startup()  # type: ignore[untyped-decorator]
def configure(settings: Any, **_: Any) -> None:
    settings.posting.enabled = False


if SEED:

    @kopf.on.resume(*WIDGETS)  # type: ignore[untyped-decorator]
    @kopf.on.create(*WIDGETS)  # type: ignore[untyped-decorator]
    @kopf.on.update(*WIDGETS)  # type: ignore[untyped-decorator]
    async def reconcile(meta: Any, spec: Any, status: Any, patch: Any, **_: Any) -> None:
        text = hashlib.sha256(spec["description"].encode()).hexdigest()[:16]
        fresh = {"observedGeneration": meta["generation"], "digest": f"{SEED}:{text}", "ready": True}
        if dict(status) != fresh:
            patch.status.update(fresh)


if COUNT:
    seen: set[str] = set()

    @kopf.index(*WIDGETS)  # type: ignore[untyped-decorator]
    async def widgets(name: str, body: Any, **_: Any) -> Any:
        seen.add(name)
        if len(seen) == COUNT:
            print("synced", flush=True)
        return {name: dict(body)}
