from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from windlass.apiserver.kubelet import LogQuery
from windlass.cluster.node.log import Logs, RunLog

START = datetime(2026, 1, 1, tzinfo=UTC)
CONTAINER = ("uid", "main")


def written(*lines: str) -> RunLog:
    """A log with a line a second."""
    log = RunLog()
    for number, line in enumerate(lines):
        log.write(START + timedelta(seconds=number), line.encode())
    return log


async def read(log: RunLog, **query: object) -> bytes:
    """All that a query gives."""
    return b"".join([piece async for piece in log.read(LogQuery(**query))])  # type: ignore[arg-type]


async def test_a_query_says_which_part_is_wanted() -> None:
    log = written("one", "two", "three")
    assert await read(log) == b"one\ntwo\nthree\n"
    assert await read(log, tail=1) == b"three\n"
    assert await read(log, tail=0) == b""
    assert await read(log, tail=9) == b"one\ntwo\nthree\n"
    assert await read(log, since=START + timedelta(seconds=1)) == b"two\nthree\n"
    assert await read(log, limit=5) == b"one\nt"
    assert await read(log, timestamps=True, limit=31) == b"2026-01-01T00:00:00.000000Z one"


async def test_to_follow_goes_on_until_the_run_ends() -> None:
    log = written("one")
    reading = asyncio.ensure_future(read(log, follow=True))
    for line in (b"two", b"three"):
        await asyncio.sleep(0)
        log.write(START, line)
    await asyncio.sleep(0)
    assert not reading.done()
    log.close()
    assert await reading == b"one\ntwo\nthree\n"


async def test_of_very_much_the_end_is_kept() -> None:
    log = written(*(str(number) for number in range(10_005)))
    assert (await read(log)).startswith(b"5\n6\n")
    assert await read(log, tail=1) == b"10004\n"


async def test_of_each_container_the_last_two_runs_are_kept() -> None:
    logs = Logs()
    for run in ("a", "b", "c"):
        logs.begin(run, CONTAINER)
    assert logs.get("a") is None
    assert logs.get("b") is not None
    logs.forget(CONTAINER)
    assert logs.get("c") is None
