"""PeerPods, and the cloud that their instances lie in."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.api import find_condition
from windlass.kinds.core.v1 import Secret
from windlass.operators.peerpod import PeerPod
from windlass.operators.peerpod.cloud import CleaningOptions
from windlass.operators.peerpod.controllers import CLEANED, FINALIZER

if TYPE_CHECKING:
    from windlass.operators.peerpod.cloud import Cloud

PROVIDER = "fake"


def peer(
    name: str, instance: str, owner: str = "", provider: str = PROVIDER, *, pod: str = "shop", **spec: Any
) -> PeerPod:
    """A PeerPod as the cloud-api-adaptor makes it; `owner` is the UID of its pod."""
    owners = [{"apiVersion": "v1", "kind": "Pod", "name": pod, "uid": owner, "controller": True}]
    metadata = {"name": name, "finalizers": [FINALIZER], **({"ownerReferences": owners} if owner else {})}
    return PeerPod.from_wire(
        {"metadata": metadata, "spec": {"cloudProvider": provider, "instanceID": instance, **spec}}
    )


def cleaning(cloud: Cloud, **options: Any) -> CleaningOptions:
    """No time for anybody else, unless said."""
    return CleaningOptions(**{"clouds": {PROVIDER: lambda _: cloud}, "grace": timedelta(), **options})


def credentials(name: str = "peer-pods-secret", **values: str) -> Secret:
    """The Secret that a cloud wants."""
    return Secret.from_wire({"metadata": {"name": name}, "stringData": values or {"KEY": "secret"}})


def reason(found: PeerPod) -> str:
    """Why the instance of a PeerPod is still there, or is gone."""
    condition = find_condition(found.status.conditions, CLEANED)
    return condition.reason if condition else ""
