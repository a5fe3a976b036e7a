from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from windlass.aio import Clock, SystemClock
from windlass.api import Selection
from windlass.cache import Cache
from windlass.client import NO_RETRY
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Secret
from windlass.pki import Keyring, Lifespan, PairContext, RotationPolicy, due, renewed
from windlass.reconcile import Rule
from windlass.webhook.inject import Injector, Targets
from windlass.webhook.kept import KeyringSecret
from windlass.webhook.rounds import Rounds

if TYPE_CHECKING:
    import ssl

    from windlass.client import Client

_log = logging.getLogger("windlass.webhook")

_LONGEST: Final = timedelta(hours=1)
"""Wall time may jump while we sleep, so that we do not sleep for longer."""


@dataclass(frozen=True, kw_only=True)
class KeeperOptions:
    """Where the certificates lie, whom they are for, and who has to trust them.

    `secret` and `namespace` name the Secret that all replicas share, `hosts` are the names and addresses
    under which clients reach them: for the API server that is `<service>.<namespace>.svc`.

    Raises:
        ConfigError: there is nothing to serve under, or nowhere to keep it.
    """

    secret: str
    namespace: str
    hosts: tuple[str, ...]
    targets: Targets = field(default_factory=Targets)
    policy: RotationPolicy = field(default_factory=RotationPolicy)

    def __post_init__(self) -> None:
        if not self.secret or not self.namespace:
            raise ConfigError("certificates are kept in a Secret: name it, and its namespace")
        if not self.hosts:
            raise ConfigError("a serving certificate needs at least one host, such as hooks.shop.svc")


class CertificateKeeper:
    """Certificates of our own, kept in a Secret and renewed before they expire, by any number of replicas.

    Each replica serves by what the Secret holds, and whichever is first renews it: a write names the version
    that it replaces, so that of two replicas one is refused, and reads what the other wrote. None leads.
    A Secret that is deleted, damaged or set back to an older state gets the newest keyring back that a
    replica knows, so that no client notices. One that somebody else made is left alone; `problem` says so.

        keeper = CertificateKeeper(KeeperOptions(secret="hooks", namespace="shop", hosts=("hooks.shop.svc",)))
        manager.accompany(keeper)
        site = web.SockSite(runner, socket, ssl_context=keeper.context)
    """

    def __init__(
        self, options: KeeperOptions, *, clock: Clock | None = None, random: Random | None = None
    ) -> None:
        self.options = options
        self._clock = clock or SystemClock()
        self._random = random or SystemRandom()
        self._tls = PairContext()
        self._keyring: Keyring | None = None
        self._known = asyncio.Event()
        self._looking = asyncio.Lock()
        self._secret = KeyringSecret(options.secret, options.namespace)
        self._rounds = Rounds(f"The certificates in Secret {self._secret}", self._clock, self._random)
        self._injector = Injector(
            options.targets, self._newest_bundle, clock=self._clock, random=self._random
        )

    @property
    def name(self) -> str:
        """What readiness calls it."""
        return "certificates"

    @property
    def context(self) -> ssl.SSLContext:
        """TLS by the current certificate; a handshake before there is one is refused."""
        return self._tls.context

    @property
    def keyring(self) -> Keyring | None:
        """What is in use, once something is."""
        return self._keyring

    @property
    def bundle(self) -> str:
        """The authorities that make us trusted, once there are any."""
        return self._keyring.bundle if self._keyring is not None else ""

    @property
    def rules(self) -> list[Rule]:
        """What it has to be allowed to do."""
        options = self.options
        named = Rule(
            resources=("secrets",),
            verbs=("get", "list", "watch", "update"),
            names=(options.secret,),
            namespace=options.namespace,
        )
        new = Rule(resources=("secrets",), verbs=("create",), namespace=options.namespace)
        return [named, new, *options.targets.rules]

    async def ready(self) -> None:
        """Wait until there is a certificate to serve by."""
        await self._known.wait()

    def problem(self) -> str | None:
        """Why clients cannot be served: there is no certificate, or it has expired."""
        if self._keyring is None:
            return self._rounds.problem or f"the Secret {self._secret} was not read yet"
        if not Lifespan.of(self._keyring.serving.certificate).holds(self._clock.now()):
            return f"the certificate has expired; {self._rounds.problem or 'it is being renewed'}"
        return None

    async def run(self, client: Client) -> None:
        """Keep the certificates until cancelled. No fence may be before `client`: every replica writes."""
        self._client = client.retrying(NO_RETRY)  # failed rounds are ours to repeat
        cache = Cache(client, clock=self._clock, random=self._random)
        selection = Selection(
            namespace=self.options.namespace,
            fields=f"metadata.name={self.options.secret}",
            metadata_only=True,
        )
        cache.informer(Secret, selection).listen(lambda _: self._rounds.wake())
        async with asyncio.TaskGroup() as group:
            group.create_task(cache.run())
            group.create_task(self._injector.run(client, cache))
            group.create_task(self._rounds.run(self._round))

    async def _round(self) -> timedelta:
        keyring = await self._look()
        policy = self.options.policy
        left = due(keyring, policy) - self._clock.now()
        if left <= timedelta():  # it is due, but waits until the bundle has come to where it belongs
            return policy.leeway
        return min(left + policy.propagation * self._random.random(), _LONGEST)

    async def _newest_bundle(self) -> str:
        return (await self._look()).bundle

    async def _look(self) -> Keyring:
        """Read the Secret, do what is due, and use the outcome.

        Raises:
            ConfigError: the Secret is somebody else's.
            Conflict: another replica was faster; what it wrote is there to be read.
        """
        async with self._looking:
            secret, stored = await self._secret.read(self._client)
            newest = self._newest(stored)
            if newest is not None:
                self._use(newest)  # whatever becomes of the rest
            published = self._injector.since(newest.bundle) if newest is not None else None
            options = self.options
            keyring = renewed(newest, options.policy, options.hosts, self._clock.now(), published=published)
            if keyring is not stored:
                await self._secret.write(self._client, secret, keyring)
                _log.info("The certificates in Secret %s are at revision %d", self._secret, keyring.revision)
            self._use(keyring)
            return keyring

    def _newest(self, stored: Keyring | None) -> Keyring | None:
        """What is stored, unless we know something newer."""
        ours = self._keyring
        if ours is None or (stored is not None and stored.revision >= ours.revision):
            return stored
        found = f"holds revision {stored.revision}" if stored else "has lost its certificates"
        _log.warning("The Secret %s %s; revision %d is put back", self._secret, found, ours.revision)
        return ours

    def _use(self, keyring: Keyring) -> None:
        if self._keyring is None or keyring.serving != self._keyring.serving:
            self._tls.use(keyring.serving)
        self._keyring = keyring
        self._injector.use(keyring.bundle)
        self._known.set()
