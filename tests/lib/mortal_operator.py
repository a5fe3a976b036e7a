"""An operator whose objects are releases of a chart, and which ends itself in the middle of them.

A program of its own: its one argument is a JSON object with the fields of `Settings`. For each line that it
is given, it forks an operator, which has not to import anything any more; prints its process id; and prints
another line when that operator has ended.

While the file `order` says `NAME NUMBER`, an operator counts what it writes about the object of that name, by
itself or for its helm, and kills itself as soon as the server has answered the write of that number, before
anybody hears of the answer.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from shop_release import Shop
from windlass.aio import run
from windlass.client import Client, HttpTransport, Transport, load_config
from windlass.helm import HelmController, HelmProgram
from windlass.manager import Manager, ManagerOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response, Stream


@dataclass(frozen=True)
class Settings:
    """Where it works, with which chart, and which file has its order."""

    kubeconfig: str
    namespace: str
    chart: str
    order: str


class Mortal(Transport):
    """Passes requests on, until one of them is the last."""

    def __init__(self, transport: Transport, order: Path) -> None:
        self._transport = transport
        self._order = order
        self._written: dict[str, int] = {}

    @override
    async def send(self, request: Request) -> Response:
        answer = await self._transport.send(request)
        if request.method != "GET" and "/events" not in request.path and self._order.exists():
            self._count(request, self._order.read_text())
        return answer

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        async with self._transport.stream(request) as stream:
            yield stream

    @override
    async def close(self) -> None:
        await self._transport.close()

    def _count(self, request: Request, order: str) -> None:
        name, number = order.split()
        if name in request.path or name.encode() in (request.body or b""):
            self._written[order] = self._written.get(order, 0) + 1
            if self._written[order] == int(number):
                os.kill(os.getpid(), signal.SIGKILL)


async def operate(settings: Settings) -> None:
    """Run an operator until it dies."""
    transport = HttpTransport(load_config(Path(settings.kubeconfig)))
    async with Client(Mortal(transport, Path(settings.order))) as client:
        manager = Manager(client, ManagerOptions(name="mortal", namespaces=(settings.namespace,)))
        manager.add(HelmController(of=Shop, chart=Path(settings.chart), helm=HelmProgram(client)))
        await manager.run()


def main(settings: Settings) -> None:
    """Run one operator after the other."""
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            run(operate(settings))
            os._exit(0)
        print(child, flush=True)  # noqa: T201 - this is what it is for
        os.waitpid(child, 0)
        print("ended", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Settings(**json.loads(sys.argv[1])))
