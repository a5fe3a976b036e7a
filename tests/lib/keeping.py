"""Keepers of certificates in one process: an API server, time that is moved by hand, and a way that fails."""

from __future__ import annotations

import asyncio
import base64
import ssl
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from caching import eventually, turns
from unsteady import Unsteady
from windlass.aio import ManualClock
from windlass.client import Client
from windlass.errors import ConnectionFailedError
from windlass.kinds.admissionregistration.v1 import (
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
)
from windlass.kinds.core.v1 import Secret
from windlass.pki import Keyring, RotationPolicy
from windlass.webhook import CertificateKeeper, KeeperOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Request, Response
    from windlass.cluster import Cluster

HOST = "hooks.default.svc"
POLICY = RotationPolicy(
    authority_lifetime=timedelta(hours=3),
    serving_lifetime=timedelta(hours=1),
    propagation=timedelta(minutes=1),
    leeway=timedelta(seconds=10),
)
_NO_CHECK_TIME = 0x200000  # of OpenSSL; certificates are made on a clock that is moved by hand
Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration


class Way(Unsteady):
    """A way to the server on which requests of some methods are lost."""

    lost: tuple[str, ...] = ()

    @override
    async def send(self, request: Request) -> Response:
        if request.method in self.lost:
            raise ConnectionFailedError(f"{request}: lost")
        return await super().send(request)


class Replica:
    """One of several processes that keep the same certificates."""

    def __init__(self, site: Site, name: str, options: KeeperOptions) -> None:
        self.way = Way(site.cluster.transport())
        self.keeper = CertificateKeeper(options, clock=site.clock, random=Random(name))
        self._task = asyncio.create_task(self.keeper.run(Client(self.way)), name=name)

    @property
    def revision(self) -> int:
        return self.keeper.keyring.revision if self.keeper.keyring else 0

    def is_trusted_by(self, bundle: str) -> bool:
        """Whether a client that trusts these authorities would talk to it."""
        client_context = ssl.create_default_context(cadata=bundle)
        client_context.verify_flags |= ssl.VERIFY_X509_STRICT | _NO_CHECK_TIME
        up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = client_context.wrap_bio(down, up, server_hostname=HOST)
        server = self.keeper.context.wrap_bio(up, down, server_side=True)
        for side in (client, server, client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError:
                return False
        return True

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.wait((self._task,))
        if not self._task.cancelled():
            self._task.result()


class Site:
    """An API server, a client of its administrator, and replicas that share a clock."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.client = Client(cluster.transport())
        self.clock = ManualClock()
        self.replicas: list[Replica] = []

    def start(self, **options: Any) -> Replica:
        given = {"secret": "hooks", "namespace": "default", "hosts": (HOST,), "policy": POLICY, **options}
        self.replicas.append(Replica(self, str(len(self.replicas)), KeeperOptions(**given)))
        return self.replicas[-1]

    async def started(self, **options: Any) -> Replica:
        replica = self.start(**options)
        await replica.keeper.ready()
        await turns(100)
        return replica

    async def elapse(self, time: timedelta, step: timedelta, check: Callable[[], None] | None = None) -> None:
        """Let time pass, and let everybody do after each step what there is to do."""
        end = self.clock.now() + time
        while self.clock.now() < end:
            await self.clock.advance(min(step, end - self.clock.now()))
            await turns(100)
            if check is not None:
                check()

    async def secret(self) -> Secret:
        return await self.client.get(Secret, "hooks", "default")

    async def stored(self) -> Keyring:
        return Keyring.read({name: value.decode() for name, value in (await self.secret()).data.items()})

    async def agreed(self, revision: int = 1) -> None:
        """Wait until all replicas use one keyring of at least this revision."""

        def is_so() -> bool:
            keyrings = [replica.keeper.keyring for replica in self.replicas]
            return all(each == keyrings[0] and each and each.revision >= revision for each in keyrings)

        await eventually(is_so)

    async def stop(self) -> None:
        for replica in self.replicas:
            await replica.stop()


def configuration(
    name: str, kind: type[Configuration] = ValidatingWebhookConfiguration, hooks: int = 1, **config: Any
) -> Configuration:
    """A configuration as a chart makes it, without a bundle."""
    service = {"service": {"name": "hooks", "namespace": "default"}}
    webhook = {
        "clientConfig": {**service, **config},
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
    named = [{"name": f"hook-{index}.example.com", **webhook} for index in range(hooks)]
    return kind.from_wire({"metadata": {"name": name}, "webhooks": named})


def bundles(configured: Any) -> list[str]:
    """What each webhook of a configuration trusts."""
    configs = [webhook["clientConfig"] for webhook in configured.to_wire()["webhooks"]]
    return [base64.b64decode(config.get("caBundle", "")).decode() for config in configs]
