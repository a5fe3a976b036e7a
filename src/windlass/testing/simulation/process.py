from __future__ import annotations

from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from windlass.testing.simulation.schedule import NOBODY, RUNNER

if TYPE_CHECKING:
    from asyncio import Handle, Task
    from collections.abc import Callable, Coroutine

    from windlass.testing.simulation.loop import SimulatedLoop

T = TypeVar("T")

PROCESS: ContextVar[Process | None] = ContextVar("windlass_simulated_process", default=None)
"""Which process the running code belongs to; none for the server, for people and for the simulation."""


class Process:
    """One incarnation of an operator: everything that its main coroutine starts, and nothing else.

    A crash is no cancellation: what belongs to the process is never resumed, so that none of its clean-up
    runs. A frozen process stands still while time goes on, as one does that was stopped by a signal or whose
    machine was suspended; thawed, it finds everything that came for it meanwhile, in order.
    """

    def __init__(self, name: str, loop: SimulatedLoop) -> None:
        self.name = name
        self.identity = name
        self.state: Literal["running", "frozen", "dead"] = "running"
        self.at_death: dict[Callable[[], None], None] = {}
        self._loop = loop
        self._kept: list[Handle] = []
        self._context = copy_context()
        self._context.run(PROCESS.set, self)
        self._context.run(RUNNER.set, self)

    def start(self, main: Callable[[], Coroutine[Any, Any, T]]) -> Task[T]:
        """Begin: whatever `main` starts belongs to this process."""
        return self._loop.create_task(self._context.run(main), context=self._context)

    def admit(self, handle: Handle) -> bool:
        """Whether a callback of this process may run now."""
        if self.state == "frozen":
            self._kept.append(handle)
        return self.state == "running"

    def crash(self) -> None:
        """End at this instant. Who runs within the process must then wait for ever: `await never()`."""
        self.state = "dead"
        self._kept.clear()
        for callback in tuple(self.at_death):
            NOBODY.run(callback)
        self.at_death.clear()

    def freeze(self) -> None:
        """Stand still until `thaw`."""
        if self.state == "running":
            self.state = "frozen"

    def thaw(self) -> None:
        """Go on with all that fell due or arrived meanwhile."""
        if self.state == "frozen":
            self.state = "running"
            self._loop.resume(self._kept)
            self._kept = []

    def __repr__(self) -> str:
        return f"<Process {self.name} {self.state}>"


async def never() -> None:
    """Wait for what does not come: the end of a process that has crashed."""
    import asyncio

    while True:
        await asyncio.get_running_loop().create_future()
