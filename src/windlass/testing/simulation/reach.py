from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.testing.simulation.judge import Sent
from windlass.testing.simulation.transport import present_process
from windlass.testing.simulation.wire import Parcel

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.testing.simulation.outside import Outside
    from windlass.testing.simulation.truth import Truth
    from windlass.testing.simulation.wire import Wire


class Reached:
    """Something outside as a process reaches it: by the wire."""

    def __init__(self, outside: Outside, wire: Wire, truth: Truth, told: Callable[[Sent], None]) -> None:
        self._outside = outside
        self._wire = wire
        self._truth = truth
        self._told = told

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._outside, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            process = present_process()
            given = [*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())]
            changes = name not in self._outside.looks
            about = f"{type(self._outside).__name__}.{name}({', '.join(given)})"

            async def work() -> Any:
                try:
                    return await method(*args, **kwargs)
                finally:
                    self._truth.touch()

            parcel = Parcel(
                about=about,
                work=work,
                failure=lambda sent: self._outside.lost(about, sent=sent),
                risky=changes,
                fenced=False,
                said=lambda result: "" if result is None else f"= {result!r}",
                notice=lambda: self._told(Sent(self._wire.loop.time(), process, about, changes)),
            )
            return await self._wire.carry(process, parcel)

        return call
