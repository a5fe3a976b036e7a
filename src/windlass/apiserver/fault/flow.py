from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from windlass.aio import Clock, within
from windlass.apiserver.exchange import Cut

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.apiserver.fault.fate import StreamFate


class Flow:
    """Lines on their way to whoever reads them, which break off or fall silent as their fate has it.

    They do so before any line, and when somebody says so. `told` is called with what happens by fate.
    `patience` is how long the reader bears silence.
    """

    def __init__(self, lines: AsyncIterator[bytes], clock: Clock, fate: StreamFate | None) -> None:
        self.lines = lines
        self._clock = clock
        self._fate = fate
        self._waiting: asyncio.Timeout | None = None
        self._is_cut = self._is_silent = False
        self.told: Callable[[Literal["cut", "ended", "silent"]], None] = lambda _: None
        self.patience: timedelta | None = None

    @property
    def is_silent(self) -> bool:
        """Whether it says nothing more."""
        return self._is_silent

    def cut(self) -> None:
        """Break it off: whoever reads it learns that now, or when they next ask for a line."""
        self._is_cut = True
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(asyncio.get_running_loop().time())

    def silence(self) -> None:
        """Let it say nothing more, and nobody know."""
        self._is_silent = True

    def spare(self) -> None:
        """End its bad fate: from now on it goes on undisturbed, or if it is silent already, breaks off."""
        if self._fate is not None:
            self._fate.delay = timedelta()
            self._fate = None
        if self._is_silent:
            self.cut()

    @asynccontextmanager
    async def lasting(self) -> AsyncIterator[None]:
        """A block in which its time passes."""
        ending = asyncio.ensure_future(self._end())
        try:
            yield
        finally:
            ending.cancel()
            await asyncio.wait((ending,))  # to await it and suppress its end could suppress our own

    async def next(self) -> bytes | None:
        """The next line; `None` at the end.

        Raises:
            Cut: it broke off.
        """
        line: bytes | None = None
        fault = self._fate.at_once() if self._fate is not None and not self._is_cut else None
        if fault is not None:
            self.told(fault)
            self._is_cut = fault == "cut"
        elif not self._is_cut:
            line = await self._arriving()
        if self._is_cut:
            raise Cut("the connection was cut")
        return line

    async def _arriving(self) -> bytes | None:
        line: bytes | None = None
        try:
            async with asyncio.timeout(None) as self._waiting:  # no time is measured: `cut` ends it
                line = await anext(self.lines, None)
                await self._befall(line)
        except TimeoutError:
            self._is_cut = True
        finally:
            self._waiting = None
        return line

    async def _befall(self, line: bytes | None) -> None:
        fault = self._fate.at_line() if self._fate is not None and line != b"" else None
        if fault == "silent" and not self._is_silent:
            self.told("silent")
            self._is_silent = True
        if self._is_silent:
            await unheard(self._clock, self.patience)
        if fault == "cut" and line is not None:
            self.told("cut")
            self._is_cut = True

    async def _end(self) -> None:
        if self._fate is not None and self._fate.cut_every is not None:
            await self._clock.sleep(self._fate.cut_every)
            if self._fate is not None:  # nobody has spared it meanwhile
                self.told("cut")
                self.cut()


async def unheard(clock: Clock, limit: timedelta | None) -> None:
    """Wait for something that never comes, for as long as somebody waits for it.

    Raises:
        TimeoutError: they do not wait any longer.
    """
    if limit is None:
        await asyncio.get_running_loop().create_future()
    else:
        await within(clock, limit, unheard(clock, None))
