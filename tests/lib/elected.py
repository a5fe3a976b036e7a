"""An operator as small as can be: while it leads it counts in a ConfigMap, as fast as it can.

A program of its own: its one argument is a JSON object with the fields of `Settings`. It prints a line for
whatever it learns: `leader NAME`, `leading`, `stopped` when what it does as a leader has ended, `refused` for
each write that its fence refuses, `conflict` for each that the server does, `failed WHY` for each without an
answer. SIGTERM ends it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from windlass.aio import run
from windlass.api import ObjectMeta
from windlass.client import Client, ClientOptions, HttpTransport, connect, load_config
from windlass.controller import FencedTransport
from windlass.errors import Conflict, ConnectionFailedError, NotLeadingError
from windlass.kinds.core.v1 import ConfigMap
from windlass.manager import Election, ElectionOptions

if TYPE_CHECKING:
    from windlass.client import ClusterConfig, Request, Response
    from windlass.controller import Fence

COUNTER = "counter"

Mode = Literal["update", "apply", "apply, stopping before the fence", "apply, stopping behind the fence"]
"""How it writes: with the version that it has read, so that the server refuses what is out of date, or without.
It can stop itself, as SIGSTOP would, in the middle of its tenth write."""

_TENTH = 10


@dataclass(frozen=True)
class Settings:
    """Who it is, where it writes, and how long everybody waits."""

    kubeconfig: str
    namespace: str
    identity: str
    duration: float = 4
    deadline: float = 3
    retry: float = 0.5
    mode: Mode = "update"

    @property
    def options(self) -> ElectionOptions:
        return ElectionOptions(
            name="election",
            namespace=self.namespace,
            identity=self.identity,
            lease_duration=timedelta(seconds=self.duration),
            renew_deadline=timedelta(seconds=self.deadline),
            retry_period=timedelta(seconds=self.retry),
            on_new_leader=lambda leader: say(f"leader {leader}"),
        )


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - this is what it is for


class Stopping(HttpTransport):
    """Stops this process, once, when its tenth write has passed the fence."""

    def __init__(self, config: ClusterConfig) -> None:
        super().__init__(config)
        self._writes = 0

    @override
    async def send(self, request: Request) -> Response:
        if request.method != "GET":
            self._writes += 1
            if self._writes == _TENTH:
                stop_here()
        return await super().send(request)


def stop_here() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


class Counter:
    """Counts, with its name beside the count."""

    def __init__(self, settings: Settings, config: ClusterConfig) -> None:
        self._settings = settings
        self._behind = settings.mode == "apply, stopping behind the fence"
        self._transport = Stopping(config) if self._behind else HttpTransport(config)
        self._count = 0
        self._seen: ConfigMap | None = None
        self.stopping = asyncio.Event()
        self.leading = False

    async def lead(self, fence: Fence) -> None:
        """Count until told to stop, or cancelled."""
        say("leading")
        self.leading = True
        options = ClientOptions(namespace=self._settings.namespace)
        client = Client(FencedTransport(self._transport, fence), options)
        try:
            while not self.stopping.is_set():
                try:
                    await self._write(client)
                except ConnectionFailedError as error:
                    say(f"failed {error}")
        except NotLeadingError:
            say("refused")
            raise
        finally:
            self.leading = False
            say("stopped")

    async def close(self) -> None:
        await self._transport.close()

    async def _write(self, client: Client) -> None:
        self._count += 1
        if self._count == _TENTH and self._settings.mode == "apply, stopping before the fence":
            stop_here()
        data = {"writer": self._settings.identity, "count": str(self._count)}
        if self._settings.mode != "update":
            metadata = ObjectMeta(name=COUNTER, namespace=self._settings.namespace)
            await client.apply(ConfigMap(metadata=metadata, data=data), force=True)
            return
        self._seen = self._seen or await client.get(ConfigMap, COUNTER)
        self._seen.data = data
        try:
            self._seen = await client.update(self._seen)
        except Conflict:
            say("conflict")
            self._seen = None


async def main(settings: Settings) -> None:
    config = load_config(settings.kubeconfig)
    async with AsyncExitStack() as opened:
        counter = Counter(settings, config)
        opened.push_async_callback(counter.close)
        client = await opened.enter_async_context(connect(config))
        election = Election(client, settings.options)
        running = asyncio.ensure_future(election.run(counter.lead))

        def stop() -> None:
            counter.stopping.set()  # so that no write is given up on its way
            if not counter.leading:
                running.cancel()

        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
        await asyncio.wait((running,))
        if not running.cancelled():
            running.result()


def settings_from(text: str) -> Settings:
    given: dict[str, Any] = json.loads(text)
    return Settings(**given)


if __name__ == "__main__":
    run(main(settings_from(sys.argv[1])))
