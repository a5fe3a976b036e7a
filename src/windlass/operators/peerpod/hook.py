"""The pod webhook as a part of what is set up: shared by all configs of a namespace, and served over TLS."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from windlass.errors import KeyringError, NotFound
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Secret, Service
from windlass.operators.peerpod.desired import (
    certificate_name,
    certificate_secret,
    configuration_name,
    hosts,
    place_of,
    service_name,
    webhook_configuration,
    webhook_deployment,
    webhook_name,
    webhook_service,
)
from windlass.operators.peerpod.removal import remove

if TYPE_CHECKING:
    from windlass.operators.peerpod.census import Census
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.operators.peerpod.report import Report
    from windlass.operators.peerpod.types import PeerPodConfig
    from windlass.pki import Keyring
    from windlass.reconcile import Context


class Hook:
    """The pod webhook."""

    def __init__(self, options: PeerPodOptions, census: Census) -> None:
        self._options = options
        self._census = census

    async def make(self, config: PeerPodConfig, report: Report, ctx: Context) -> None:
        """Have the webhook run, by a certificate that the API server trusts, and be asked."""
        place, options = place_of(config, self._options), self._options
        keyring = await self._keyring(place, report, ctx)
        instance_type = self._census.instance_type(place)
        live = await ctx.apply(webhook_deployment(place, instance_type, options), owned=False)
        await ctx.apply(webhook_service(place, options), owned=False)
        await ctx.apply(webhook_configuration(place, keyring.bundle, options), owned=False)
        _tell(report, live)

    async def remove(self, config: PeerPodConfig, ctx: Context) -> None:
        """Remove the webhook with the last config that wants it.

        The configuration goes first: nobody is to be asked who is no longer there.
        """
        place, options = place_of(config, self._options), self._options
        if self._census.is_last(ctx.key, lambda components: components.webhook, place=place):
            await remove(MutatingWebhookConfiguration, configuration_name(place, options), "", ctx)
            await remove(Deployment, webhook_name(options), place, ctx)
            await remove(Service, service_name(options), place, ctx)
            await remove(Secret, certificate_name(options), place, ctx)

    async def _keyring(self, place: str, report: Report, ctx: Context) -> Keyring:
        """The certificates, renewed where that is due; what cannot be read is made anew.

        A cache may lag behind what the last leader wrote, so the server is asked before any are made.
        """
        from windlass.pki import due, renewed

        policy, options = self._options.certificates, self._options
        name = certificate_name(options)
        found = _read(await ctx.get(Secret, name, place))
        if found is None:
            with suppress(NotFound):
                found = _read(await ctx.live.get(Secret, name, place))
        keyring = renewed(found, policy, hosts(place, options), ctx.now)
        await ctx.apply(certificate_secret(keyring, place, options), owned=False)
        report.look_again(due(keyring, policy))
        return keyring


def _read(secret: Secret | None) -> Keyring | None:
    from windlass.pki import Keyring

    if secret is None:
        return None
    try:
        return Keyring.read({name: value.decode() for name, value in secret.data.items()})
    except (KeyringError, UnicodeDecodeError):
        return None


def _tell(report: Report, live: Deployment) -> None:
    wanted, status = live.spec.replicas or 1, live.status
    seen = status.observed_generation >= (live.metadata.generation or 0)
    ready = min(status.available_replicas, status.updated_replicas) if seen else 0
    if ready >= wanted:
        report.found("WebhookReady", f"the webhook has {ready} replicas", reason="Available")
    else:
        report.lacks("WebhookReady", "RollingOut", f"the webhook has {ready} of {wanted} replicas")
