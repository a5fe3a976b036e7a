from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.outside import Answer, Unreachable
from windlass.webhook import Place, Way, WebhookServer, install_webhooks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.manager import Manager, Page
    from windlass.testing.simulation.process import Process
    from windlass.webhook import Answering

HOST: Final = "webhooks.operator.test"


class Switchboard:
    """Leads the questions of the API server to the operator's processes that serve webhooks, by turns.

    One that has crashed answers no more, one that is frozen not in time. The configurations are there from
    the start, as what a chart installs is.
    """

    def __init__(self, installer: Client) -> None:
        self._installer = installer
        self._serving: dict[Process, Answering] = {}
        self._asked = 0
        self._is_installed = False

    async def connect(self, process: Process, manager: Manager) -> None:
        """Let a process that is about to run be asked, if it has webhooks."""
        for server in manager.companions:
            if isinstance(server, WebhookServer):
                server.reach_by(_Line(self._serving, process))
                if not self._is_installed:
                    await install_webhooks(self._installer, server.parts, _PLACE)
                    self._is_installed = True

    async def answer(self, path: str, body: bytes) -> Answer:
        """What one of the processes answers.

        Raises:
            Unreachable: none is there, or it crashed meanwhile.
        """
        there = [each for each in self._serving if each.state != "dead"]
        if not there:
            raise Unreachable("connect: connection refused")
        process = there[self._asked % len(there)]
        self._asked += 1
        page = await _asked(process, self._serving[process], path, body)
        return Answer(page.status, page.body, page.content_type)


_PLACE: Final = Place(name="operator", url=f"https://{HOST}")


class _Line(Way):
    """How one process is asked."""

    def __init__(self, serving: dict[Process, Answering], process: Process) -> None:
        self._serving = serving
        self._process = process

    @override
    @asynccontextmanager
    async def open(self, answer: Answering, client: Client) -> AsyncIterator[Place]:
        self._serving[self._process] = answer
        try:
            yield _PLACE
        finally:
            del self._serving[self._process]


async def _asked(process: Process, answer: Answering, path: str, body: bytes) -> Page:
    """What a process answers, within itself."""
    lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def work() -> Page:
        return await answer(path, body)

    def lose() -> None:
        if not lost.done():
            lost.set_result(None)

    process.at_death[lose] = None
    task = process.start(work)
    either: list[asyncio.Future[Any]] = [task, lost]
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        process.at_death.pop(lose, None)
    if not task.done():
        raise Unreachable("EOF")
    return task.result()
