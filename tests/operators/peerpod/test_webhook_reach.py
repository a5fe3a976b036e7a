"""Whom the webhook holds up while nobody serves it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from peer_pods import SERVED_BY, WHO, config
from windlass.api import ObjectMeta
from windlass.errors import ApiError
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.core.v1 import Namespace, Pod
from windlass.kinds.node.v1 import RuntimeClass
from windlass.manager import ManagerOptions
from windlass.operators.peerpod import PeerPodOptions
from windlass.operators.peerpod.webhook import OPT_OUT
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from peer_pods import Peering

EVERYWHERE = TrialOptions(manager=ManagerOptions(name="peer-pods-operator"), whole=True)
ONLY_THE_WEBHOOK = {"daemonSet": False, "extendedResource": False, "runtimeClass": True}


def pod(name: str, runtime_class: str = "", **labels: str) -> Pod:
    """A pod of a runtime class, or of none."""
    spec = {"containers": [{"name": "app", "image": "app:1"}]}
    chosen = {"runtimeClassName": runtime_class} if runtime_class else {}
    return Pod.from_wire({"metadata": {"name": name, "labels": labels}, "spec": spec | chosen})


async def test_only_pods_of_the_runtime_class_depend_on_the_webhook_and_they_may_opt_out(
    peering: Peering,
) -> None:
    place = f"place-{uuid4().hex[:8]}"
    options = PeerPodOptions(
        namespace=place, selector=f"{SERVED_BY}={WHO}", webhook_image="nobody.example.com/hook:1"
    )
    async with peering(options, EVERYWHERE, name_by_test=True) as peers:
        client = peers.trial.client
        await client.create(Namespace(metadata=ObjectMeta(name=place)))
        await client.create(config(peers.pool, components=ONLY_THE_WEBHOOK))
        await peers.trial.until(RuntimeClass, peers.name, lambda _: True)
        await peers.trial.until(MutatingWebhookConfiguration, f"{peers.name}-webhook-{place}", lambda _: True)

        await client.create(pod("plain"))
        await client.create(pod("opted-out", peers.name, **{OPT_OUT: "disabled"}))
        with pytest.raises(ApiError, match=r"failed calling webhook \"mwebhook.peerpods.io\""):
            await client.create(pod("confidential", peers.name))
        await client.delete(Namespace, place)
