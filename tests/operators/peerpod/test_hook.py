"""The certificates of the webhook, which the operator keeps."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from peer_pods import config
from windlass.client import MergePatch
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.core.v1 import Secret
from windlass.operators.peerpod import PeerPodOptions
from windlass.pki import Keyring, RotationPolicy
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from peer_pods import Peering, Peers
    from windlass.aio import ManualClock

SHORT = RotationPolicy(serving_lifetime=timedelta(hours=1), propagation=timedelta(minutes=1))
ONLY = {"daemonSet": False, "runtimeClass": False, "extendedResource": False}


def keyring(found: Secret) -> Keyring:
    """The keyring that a Secret holds."""
    return Keyring.read({name: value.decode() for name, value in found.data.items()})


async def set_up(peers: Peers) -> Secret:
    """The Secret of the certificates, once the webhook is set up."""
    await peers.trial.client.create(config(peers.pool, components=ONLY))
    await peers.says("WebhookReady", "False", "RollingOut")
    return await peers.trial.client.get(Secret, f"{peers.name}-webhook-cert")


async def trusts(peers: Peers, wanted: Keyring) -> None:
    """Wait until the API server trusts what a keyring has signed."""
    bundle = wanted.bundle.encode()
    await peers.trial.until(
        MutatingWebhookConfiguration,
        f"{peers.name}-webhook-{peers.trial.namespace}",
        lambda found: found.webhooks[0].client_config.ca_bundle == bundle,
    )


async def test_a_certificate_that_is_due_is_replaced_and_what_is_trusted_stays(
    peering: Peering, clock: ManualClock
) -> None:
    options = PeerPodOptions(certificates=SHORT)
    async with peering(options, TrialOptions(clock=clock), name_by_test=True) as peers:
        first = await set_up(peers)
        await peers.trial.rest()
        await clock.advance(SHORT.serving_lifetime * SHORT.renew_at + timedelta(minutes=1))
        second = await peers.trial.until(
            Secret,
            first.metadata.name,
            lambda found: found.metadata.resource_version != first.metadata.resource_version,
        )

        assert keyring(second).serving != keyring(first).serving
        assert keyring(second).bundle == keyring(first).bundle
        await trusts(peers, keyring(second))


async def test_certificates_that_somebody_damaged_are_made_anew_and_trusted(peering: Peering) -> None:
    async with peering(name_by_test=True) as peers:
        first = await set_up(peers)
        damage = MergePatch({"stringData": {"tls.crt": "no certificate"}})
        await peers.trial.client.patch(Secret, first.metadata.name, damage)
        second = await peers.trial.until(
            Secret, first.metadata.name, lambda found: found.data["tls.crt"] != b"no certificate"
        )

        assert keyring(second).bundle != keyring(first).bundle
        await trusts(peers, keyring(second))
