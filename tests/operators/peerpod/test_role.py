"""What the operator may do: enough, and not more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peer_pods import NAME, config
from windlass.api import Key
from windlass.client import MergePatch
from windlass.kinds.apps.v1 import DaemonSet
from windlass.operators.peerpod import PeerPodConfig, PeerPodOptions
from windlass.operators.peerpod.desired import ADAPTOR_RULES, daemon_set_key
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from peer_pods import Peering


async def test_it_lacks_no_grant_and_wastes_none(peering: Peering) -> None:
    trial = TrialOptions(least_privilege=True)
    async with peering(trial=trial, name_by_test=True) as peers:
        await peers.settings()
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, limit=3, components={}))
        await peers.says("WebhookReady", "False", "RollingOut")
        key = daemon_set_key(Key(peers.trial.namespace, NAME), PeerPodOptions())
        hand = MergePatch({"spec": {"template": {"spec": {"hostNetwork": False}}}})
        before = await peers.trial.client.patch(DaemonSet, key.name, hand)
        await peers.trial.until(
            DaemonSet, key.name, lambda found: found.metadata.generation != before.metadata.generation
        )
        await peers.offers(a=2, b=1)
        await peers.trial.client.delete(PeerPodConfig, NAME)
        await peers.trial.gone(PeerPodConfig, NAME)

        assert peers.trial.granted
        peers.trial.granted.check(except_for=ADAPTOR_RULES)
