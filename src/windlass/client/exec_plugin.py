from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.aio import Child, end_child, start_child
from windlass.client.credentials import Credentials, Identity, IdentitySource
from windlass.client.exec_credential import ExecCredential
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from windlass.aio import Clock

API_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_MOST_SAID = 2000


class InteractiveMode(StrEnum):
    """Whether a plugin wants to talk to a person."""

    NEVER = "Never"
    IF_AVAILABLE = "IfAvailable"
    ALWAYS = "Always"


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecPlugin(Credentials):
    """A program that prints credentials: run when they are first needed, and again when they expire.

    `cluster` is what the program is told about the cluster, if anything. `environment` is what its own
    environment is made from; without it, this process's environment at the time of the run. `timeout`
    bounds a run in which no person takes part.
    """

    command: str
    api_version: str
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    mode: InteractiveMode = InteractiveMode.IF_AVAILABLE
    cluster: Mapping[str, Any] | None = field(default=None, repr=False)
    install_hint: str = ""
    where: str = "exec"
    environment: Mapping[str, str] | None = field(default=None, repr=False)
    timeout: timedelta = timedelta(minutes=1)

    @override
    def open(self, clock: Clock) -> IdentitySource:
        return _ExecSource(self, clock)

    async def run(self, now: datetime) -> ExecCredential:
        """Run the program once and read what it prints.

        Cancelling kills the program, and so does running out of time; its children too, unless a person took
        part.

        Raises:
            ConfigError: it cannot be started, fails, takes too long, or prints nothing that can be used.
        """
        output = await _Run(self, interactive=self._interactive()).output()
        credential = ExecCredential.parse(output, self.api_version, self.name)
        if not credential.is_current(now):
            raise ConfigError(
                f"{self.name} printed a credential that expired on "
                f"{credential.expires:%Y-%m-%d %H:%M:%S %Z}; log in again, and compare this machine's clock"
            )
        if credential.identity.certificate:
            credential.identity.certificate.check_current(now)
        return credential

    @property
    def name(self) -> str:
        """The plugin as messages name it."""
        return f"{self.where}: the exec plugin {self.command}"

    def info(self, *, interactive: bool) -> str:
        """What the program is told in `KUBERNETES_EXEC_INFO`."""
        spec: dict[str, Any] = {"interactive": interactive}
        if self.cluster is not None:
            spec["cluster"] = self.cluster
        return json.dumps({"apiVersion": self.api_version, "kind": "ExecCredential", "spec": spec})

    def _interactive(self) -> bool:
        terminal = sys.stdin is not None and sys.stdin.isatty()
        if self.mode is InteractiveMode.ALWAYS and not terminal:
            raise ConfigError(
                f"{self.name} must talk to a person (interactiveMode: Always), but standard input is not a "
                "terminal; run it where there is one, or use another user"
            )
        return terminal and self.mode is not InteractiveMode.NEVER


class _Run:
    """One run of a plugin."""

    def __init__(self, plugin: ExecPlugin, *, interactive: bool) -> None:
        self._plugin = plugin
        self._interactive = interactive

    async def output(self) -> bytes:
        child = await self._start()
        process = child.process
        # Wall time, not the clock that others are given: the other side is a real process.
        limit = None if self._interactive else self._plugin.timeout.total_seconds()
        finished = False
        try:
            async with asyncio.timeout(limit):
                printed, said = await process.communicate()
            finished = True
        except TimeoutError as error:
            raise ConfigError(
                f"{self._plugin.name} did not finish within {limit:g} s; "
                "run it by hand to see what it waits for"
            ) from error
        finally:
            if not finished:
                await end_child(child)
        if process.returncode:
            raise ConfigError(
                f"{self._plugin.name} failed with exit code {process.returncode}{_quoted(said)}"
            )
        return printed

    async def _start(self) -> Child:
        from shutil import which  # only here, and it brings the compression modules along

        plugin = self._plugin
        given = os.environ if plugin.environment is None else plugin.environment
        environment = {
            **given,
            **plugin.env,
            "KUBERNETES_EXEC_INFO": plugin.info(interactive=self._interactive),
        }
        program = which(plugin.command, path=environment.get("PATH", os.defpath))
        if program is None:
            hint = (
                f"\n{plugin.install_hint}" if plugin.install_hint else "; install it or correct the command"
            )
            raise ConfigError(f"{plugin.name} was not found, or may not be executed{hint}")
        try:
            return await start_child(
                (program, *plugin.args),
                leads=not self._interactive,  # a terminal talks to one group only
                env=environment,
                stdin=None if self._interactive else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                # A person must see the questions; otherwise the words are kept for the error.
                stderr=None if self._interactive else asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise ConfigError(f"{plugin.name} cannot be started ({error.strerror or error})") from error


class _ExecSource(IdentitySource):
    """Runs a plugin when needed, one run at a time; who waits for a run shares its outcome."""

    def __init__(self, plugin: ExecPlugin, clock: Clock) -> None:
        self._plugin = plugin
        self._clock = clock
        self._lock = asyncio.Lock()
        self._ended = 0
        self._credential: ExecCredential | None = None
        self._failure: ConfigError | None = None

    @override
    async def identity(self) -> Identity:
        credential = self._credential
        if credential is None or not credential.is_current(self._clock.now()):
            credential = await self._renewed()
        return credential.identity

    @override
    async def renew(self, refused: Identity) -> bool:
        credential = self._credential
        if credential is None or credential.identity is refused:
            credential = await self._renewed()
        return credential.identity is not refused

    async def _renewed(self) -> ExecCredential:
        ended = self._ended
        async with self._lock:
            if self._ended == ended:  # else a run ended while this one waited
                await self._run()
        if self._failure is not None or self._credential is None:
            raise ConfigError(str(self._failure)) from self._failure
        return self._credential

    async def _run(self) -> None:
        try:
            fresh = await self._plugin.run(self._clock.now())
        except ConfigError as error:
            self._failure = error
        else:
            self._failure = None
            # The same identity stays the same object, so that nothing is repeated in vain after a 401.
            if self._credential is not None and fresh.identity == self._credential.identity:
                fresh = ExecCredential(self._credential.identity, fresh.expires)
            self._credential = fresh
        self._ended += 1


def _quoted(said: bytes | None) -> str:
    """What the program said on standard error; nothing when a person has seen it already."""
    if said is None:
        return ", see what it said above"
    text = said.decode("utf-8", "replace").strip()
    return f": {text[-_MOST_SAID:]}" if text else " and said nothing; run it by hand to see why"
