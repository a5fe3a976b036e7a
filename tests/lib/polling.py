"""Asking again until an answer will do, where a server tells nobody that something has changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")

_PATIENCE = 10.0


async def until(
    ask: Callable[[], Awaitable[T]],
    accept: Callable[[T], bool] = bool,
    *,
    every: float = 0.01,
    patience: float = _PATIENCE,
) -> T:
    """The first answer that is accepted; the test fails, with the last one, when patience is at its end."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + patience
    answer = await ask()
    while not accept(answer):
        assert clock() < deadline, f"still {answer}"
        await asyncio.sleep(every)
        answer = await ask()
    return answer


async def soon(condition: Callable[[], object], *, patience: float = _PATIENCE) -> None:
    """Wait until something is so in this process, letting everything else in it run."""

    async def ask() -> object:
        return condition()

    await until(ask, every=0, patience=patience)
