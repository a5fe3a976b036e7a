"""One step of Helm beside what may make it obsolete."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from windlass.helm.step import unless


async def at_once() -> None:
    """A change that is there already."""


async def test_a_step_that_ends_soon_is_not_interrupted() -> None:
    async def step() -> int:
        for _ in range(10):
            await asyncio.sleep(0)
        return 3

    assert await unless(step(), at_once(), None, str) == 3


async def test_a_step_that_takes_long_is_cancelled_when_it_is_obsolete() -> None:
    ended: list[str] = []

    async def step() -> int:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return 3

    assert await unless(step(), at_once(), None, str, patience=timedelta(0)) is None
    assert ended == ["cancelled"]
