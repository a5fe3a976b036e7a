from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import cached_property
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from windlass.aio import Clock, SystemClock
from windlass.cache import Cache
from windlass.errors import ConfigError
from windlass.pki import FolderContext
from windlass.webhook.inject import Injector, Targets
from windlass.webhook.rounds import Rounds

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

    from windlass.client import Client
    from windlass.reconcile import Rule

_EVERY: Final = timedelta(seconds=10)
"""The kubelet changes mounted files about once a minute, and tells nobody."""


def inject_ca_from(namespace: str, certificate: str) -> dict[str, str]:
    """The annotation by which cert-manager brings the authority of a Certificate into a `caBundle`."""
    return {"cert-manager.io/inject-ca-from": f"{namespace}/{certificate}"}


class MountedCertificates:
    """Certificates that somebody else makes and mounts: `tls.crt` and `tls.key` of a folder.

    The bundle in `ca.crt` is kept in the `targets`, if there are any; where cert-manager does that, by the
    annotation of `inject_ca_from`, there are none, and nothing is written at all.

    Raises:
        ConfigError: from `context`, there is no usable pair in the folder.
    """

    def __init__(
        self,
        folder: Path,
        targets: Targets | None = None,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
    ) -> None:
        self._folder = folder
        self._targets = targets or Targets()
        self._clock = clock or SystemClock()
        self._random = random or SystemRandom()
        self._rounds = Rounds(f"The bundle in {folder}", self._clock, self._random)
        self._injector = Injector(self._targets, self._bundle, clock=self._clock, random=self._random)

    @property
    def name(self) -> str:
        """What readiness calls it."""
        return "certificates"

    @property
    def rules(self) -> list[Rule]:
        """What it has to be allowed to do."""
        return self._targets.rules

    @property
    def bundle(self) -> str:
        """What lies beside the pair; empty if nothing does."""
        file = self._folder / "ca.crt"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @cached_property
    def context(self) -> ssl.SSLContext:
        """TLS by the files as they are when a connection begins."""
        return FolderContext(self._folder, "webhooks").context

    async def ready(self) -> None:
        """Return at once: files are there, or `context` says that they are not."""

    def problem(self) -> str | None:
        """None: what cannot be used is said when the context is made, and logged when it changes."""
        return None

    async def run(self, client: Client) -> None:
        """Keep the bundle where it belongs until cancelled."""
        if not list(self._targets):
            await asyncio.get_running_loop().create_future()
        cache = Cache(client, clock=self._clock, random=self._random)
        async with asyncio.TaskGroup() as group:
            group.create_task(cache.run())
            group.create_task(self._injector.run(client, cache))
            group.create_task(self._rounds.run(self._round))

    async def _round(self) -> timedelta:
        self._injector.use(await self._bundle())
        return _EVERY

    async def _bundle(self) -> str:
        try:
            return (self._folder / "ca.crt").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"there is no bundle for clients in {self._folder}: {error}") from error
