"""Subresources with a form of their own: scaling, evicting a pod, asking for a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.client.options import DeleteOptions, MergePatch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from windlass.api import Resource
    from windlass.client.client import Client
    from windlass.kinds.authentication.v1 import TokenRequestStatus
    from windlass.kinds.autoscaling.v1 import Scale


async def get_scale(client: Client, kind: type[Resource], name: str, namespace: str = "") -> Scale:
    """How many replicas an object wants and has, whatever its kind."""
    from windlass.kinds.autoscaling.v1 import Scale  # only loaded by those who scale

    return Scale.from_wire(await client.subresource("scale").read_form(kind, name, namespace))


async def set_scale(
    client: Client, kind: type[Resource], name: str, replicas: int, namespace: str = ""
) -> Scale:
    """Make an object want this many replicas."""
    from windlass.kinds.autoscaling.v1 import Scale

    patch = MergePatch({"spec": {"replicas": replicas}})
    return Scale.from_wire(await client.subresource("scale").patch_form(kind, name, namespace, patch))


async def evict(client: Client, name: str, namespace: str = "", options: DeleteOptions | None = None) -> None:
    """Ask for a pod to leave, within what disruption budgets allow.

    Raises:
        TooManyRequests: a budget forbids it for now. This is the answer, so it is not tried again.
    """
    from windlass.kinds.core.v1 import Pod

    form = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": name},
        "deleteOptions": (options or DeleteOptions()).body(dry_run=False),
    }
    await client.subresource("eviction").post_form(Pod, name, namespace, form)


async def request_token(
    client: Client,
    name: str,
    namespace: str = "",
    audiences: Sequence[str] = (),
    lifetime: timedelta | None = None,
) -> TokenRequestStatus:
    """A token for a service account, for these audiences and this long (the server's own and an hour)."""
    from windlass.kinds.authentication.v1 import TokenRequest
    from windlass.kinds.core.v1 import ServiceAccount

    spec: dict[str, object] = {"audiences": list(audiences)}
    if lifetime is not None:
        spec["expirationSeconds"] = int(lifetime.total_seconds())
    form = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
    said = await client.subresource("token").post_form(ServiceAccount, name, namespace, form)
    return TokenRequest.from_wire(said).status
