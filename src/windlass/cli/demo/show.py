"""The course of the demo: all is started at once, samples are applied, and what becomes of them is shown."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.cli.demo.board import Board
from windlass.cli.demo.cast import load_cast
from windlass.cli.demo.keeper import BoardKeeper
from windlass.cli.demo.screen import Lines, Table
from windlass.cli.demo.stage import open_stage
from windlass.cli.demo.words import introduction
from windlass.cli.foreground import first_of
from windlass.client import connect, find_kind, load_config
from windlass.errors import ApiError, ConnectionFailedError, ToolError
from windlass.manager import Manager, ManagerOptions
from windlass.operators.ptemplate.simulator import Module, ModuleSimulator
from windlass.testing import install_kinds
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from datetime import timedelta
    from typing import Any

    from windlass.cli.demo.cast import Player
    from windlass.cli.demo.screen import Screen
    from windlass.cli.demo.stage import Stage
    from windlass.client import Client

_PAUSE: Final = 0.1
_NAME: Final = "windlass-demo"
_NAMESPACE: Final = "default"
_OF_OTHERS: Final = {"ptemplate": (Module,)}  # KMM's, in whose place the demo itself loads modules


@dataclass(frozen=True)
class Outcome:
    """How the demo ended, where it was to end by itself."""

    board: Board
    seconds: float

    @property
    def ready(self) -> bool:
        """Whether every sample was ready."""
        return self.board.all_ready

    @property
    def text(self) -> str:
        """How many were ready."""
        expected, missing = len(self.board.expected), len(self.board.missing)
        return f"{expected - missing} of {expected} resources are ready after {self.seconds:.0f} s."

    @property
    def problem(self) -> str:
        """What was not."""
        return "\n".join(["not everything became ready:", *self.board.missing])


class Show:
    """One run of the demo. `patience` is how long to wait until all is ready; None goes on for ever."""

    def __init__(self, *, nodes: int, patience: timedelta | None, plain: bool, real: bool = False) -> None:
        self._nodes = nodes
        self._real = real
        self._patience = patience
        self._plain = plain
        self._board = Board()
        self._changed = asyncio.Event()
        self._all_ready = asyncio.Event()

    async def run(self) -> Outcome:
        """Start everything and show it, until all is ready if that is wanted."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        cast = load_cast()
        async with open_stage() as stage:
            stage.start_control_plane(self._nodes, real=self._real)
            stage.start_simulator()
            greeting = introduction(stage, real=self._real)
            with Lines(greeting) if self._plain else Table(greeting) as screen:
                await self._beside(
                    stage.watch(screen.say),
                    self._play(stage, cast),
                    self._draw(screen),
                    _provide_helm(screen),
                )
        return Outcome(self._board, loop.time() - begin)

    async def _beside(self, *parts: Coroutine[Any, Any, None]) -> None:
        """Do all of this until the show is over, or until one part fails."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(each) for each in parts]
                await self._over()
                for task in tasks:
                    task.cancel()
        except BaseExceptionGroup as failed:
            raise first_of(failed) from None

    async def _over(self) -> None:
        if self._patience is None:
            await asyncio.get_running_loop().create_future()
            return
        try:
            await asyncio.wait_for(self._all_ready.wait(), self._patience.total_seconds())
        except TimeoutError:
            return

    async def _draw(self, screen: Screen) -> None:
        """Show each board; not where it is made, since a screen that is gone must end the demo."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            screen.show(self._board)
            if self._board.all_ready:
                self._all_ready.set()

    async def _play(self, stage: Stage, cast: Sequence[Player]) -> None:
        while not (stage.kubeconfig.exists() and stage.kubeconfig.read_bytes()):  # noqa: ASYNC110
            await asyncio.sleep(_PAUSE)  # it is another process that writes it
        stage.start_operators()

        def show(board: Board) -> None:
            self._board = board
            self._changed.set()

        async with connect(load_config(stage.kubeconfig)) as client:
            manager = Manager(client, ManagerOptions(name=_NAME))
            manager.add(BoardKeeper(cast, show))
            manager.add(ModuleSimulator())
            async with asyncio.TaskGroup() as group:
                group.create_task(manager.run())
                group.create_task(_furnish(client, cast))


async def _furnish(client: Client, cast: Sequence[Player]) -> None:
    """Install the kinds, and apply the samples; from the beginning if the server goes away meanwhile."""
    for player in cast:
        while True:
            try:
                await install_kinds(client, (*player.kinds, *_OF_OTHERS.get(player.name, ())))
                for sample in player.samples:
                    kind = await find_kind(client, sample["apiVersion"], sample["kind"])
                    resource = kind.from_wire(sample)
                    if kind.__kind__.namespaced:
                        resource.metadata.namespace = resource.metadata.namespace or _NAMESPACE
                    await client.using(field_manager=_NAME).apply(resource)
                break
            except (ConnectionFailedError, ApiError, TimeoutError):
                await asyncio.sleep(_PAUSE)


async def _provide_helm(screen: Screen) -> None:
    """Obtain Helm where it is missing, and tell how that goes; who needs it says so itself meanwhile."""
    try:
        find_helm()
    except ToolError:
        screen.say("helm is missing, and is obtained now")
    else:
        return
    command = (sys.executable, "-m", "windlass", "tools", "install", "helm")
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        while process.stderr and (line := await process.stderr.readline()):
            screen.say(f"helm: {line.decode(errors='replace').strip()}")
        failed = await process.wait()
        screen.say("helm was not obtained, and what needs it waits for it" if failed else "helm is there now")
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
