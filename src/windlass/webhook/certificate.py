"""The certificates that a webhook server shows, and whoever makes them trusted."""

from __future__ import annotations

import asyncio
import socket
from functools import cached_property
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import ssl
    from collections.abc import Sequence
    from random import Random

    from windlass.aio import Clock
    from windlass.client import Client
    from windlass.pki import KeyPair
    from windlass.reconcile import Rule
    from windlass.webhook.configuration import Part
    from windlass.webhook.inject import Targets
    from windlass.webhook.options import WebhookOptions


class Certificates(Protocol):
    """What a server proves itself by."""

    @property
    def context(self) -> ssl.SSLContext:
        """TLS by the certificate that is current when a connection begins."""

    @property
    def bundle(self) -> str:
        """The authorities, as PEM text, that make it trusted; empty where that is for others to know."""

    @property
    def rules(self) -> Sequence[Rule]:
        """What it has to be allowed to do."""

    async def ready(self) -> None:
        """Wait until there is a certificate."""

    def problem(self) -> str | None:
        """Why clients cannot be served; None when they can."""

    async def run(self, client: Client) -> None:
        """Keep the certificates fresh until cancelled."""


class ProcessCertificates(Certificates):
    """A certificate that lives and ends with this process: for a test, or an operator on a laptop."""

    rules = ()

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = hosts

    @cached_property
    def context(self) -> ssl.SSLContext:
        """TLS by the certificate."""
        from windlass.pki import server_context, serving_certificate

        return server_context(serving_certificate(self._authority, self._hosts))

    @property
    def bundle(self) -> str:
        """Who signed it."""
        return self._authority.certificate

    async def ready(self) -> None:
        """Return at once."""

    def problem(self) -> str | None:
        """None."""
        return None

    async def run(self, client: Client) -> None:  # noqa: ARG002 - there is nothing to do
        """Wait until cancelled: it outlives the process."""
        await asyncio.get_running_loop().create_future()

    @cached_property
    def _authority(self) -> KeyPair:
        from windlass.pki import authority

        return authority("windlass-webhooks")


def certificates(
    options: WebhookOptions, parts: Sequence[Part], clock: Clock, random: Random
) -> Certificates:
    """The certificates that the options ask for: a folder's, a Secret's, or the process's own."""
    if options.folder:
        from windlass.webhook.mounted import MountedCertificates

        targets = _targets(options, parts) if options.install else None  # otherwise cert-manager does it
        return MountedCertificates(options.folder, targets, clock=clock, random=random)
    if options.service:
        from windlass.pki import RotationPolicy
        from windlass.webhook.keeper import CertificateKeeper, KeeperOptions

        kept = KeeperOptions(
            secret=options.secret or f"{options.service.name}-cert",
            namespace=options.service.namespace,
            hosts=tuple(hosts(options)),
            targets=_targets(options, parts),
            policy=options.rotation or RotationPolicy(),
        )
        return CertificateKeeper(kept, clock=clock, random=random)
    return ProcessCertificates(hosts(options))


def hosts(options: WebhookOptions) -> list[str]:
    """The names and addresses that a certificate must be for, so that the API server takes it."""
    if options.service:
        name = f"{options.service.name}.{options.service.namespace}.svc"
        return [name, f"{name}.cluster.local"]
    said = urlsplit(options.url).hostname
    here = [options.address.host, socket.gethostname(), "localhost", "127.0.0.1", "::1"]
    return list(dict.fromkeys(filter(None, [said, *here])))


def _targets(options: WebhookOptions, parts: Sequence[Part]) -> Targets:
    from windlass.webhook.configuration import configuration_name, definition_name, hooks_of
    from windlass.webhook.declare import Webhook
    from windlass.webhook.inject import Targets

    sorts = {each.mutates for each in hooks_of(parts)}
    return Targets(
        mutating=(configuration_name(options.operator, "mutating"),) if True in sorts else (),
        validating=(configuration_name(options.operator, "validating"),) if False in sorts else (),
        definitions=tuple(definition_name(each) for each in parts if not isinstance(each, Webhook)),
    )
