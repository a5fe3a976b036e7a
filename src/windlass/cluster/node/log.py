"""What containers wrote: the last lines of each run, with their times."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import format_micro_time

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from datetime import datetime

    from windlass.apiserver.kubelet import LogQuery

_MOST_LINES: Final = 10_000
_MOST_RUNS: Final = 2


class Line(NamedTuple):
    """Something that was written, without the end of its line."""

    at: datetime
    text: bytes


@dataclass
class RunLog:
    """What one run of a container wrote; of very much, the end."""

    _lines: deque[Line] = field(default_factory=lambda: deque(maxlen=_MOST_LINES))
    _written: int = 0
    _is_over: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def write(self, at: datetime, text: bytes) -> None:
        """Add a line."""
        self._lines.append(Line(at, text))
        self._written += 1
        self._tell()

    def close(self) -> None:
        """Nothing more will be written."""
        self._is_over = True
        self._tell()

    async def read(self, query: LogQuery) -> AsyncGenerator[bytes, None]:
        """The part that is asked for; to follow it ends when the run does."""
        left = query.limit
        first = 0 if query.tail is None else self._written - min(query.tail, len(self._lines))
        while True:
            news, seen, over = self._news, self._written, self._is_over
            for line in self._since(first):
                if query.since is not None and line.at < query.since:
                    continue
                text = _shown(line, timestamps=query.timestamps)
                yield text if left is None else text[:left]
                left = None if left is None else left - len(text)
                if left is not None and left <= 0:
                    return
            first = seen
            if not query.follow or over:
                return
            await news.wait()

    def _since(self, number: int) -> Iterator[Line]:
        """The lines from this one on, as they are now."""
        kept = list(self._lines)
        yield from kept[max(0, number - (self._written - len(kept))) :]

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


def _shown(line: Line, *, timestamps: bool) -> bytes:
    if not timestamps:
        return line.text + b"\n"
    return f"{format_micro_time(line.at)} ".encode() + line.text + b"\n"


class Logs:
    """The logs of all containers of a process: of each container the last two runs, by their ids."""

    def __init__(self) -> None:
        self._runs: dict[str, RunLog] = {}
        self._kept: dict[tuple[str, str], deque[str]] = {}

    def begin(self, run: str, container: tuple[str, str]) -> RunLog:
        """The log of a run that begins; `container` is its name, after the pod's uid."""
        kept = self._kept.setdefault(container, deque())
        kept.append(run)
        if len(kept) > _MOST_RUNS:
            self._drop(kept.popleft())
        return self._runs.setdefault(run, RunLog())

    def get(self, run: str) -> RunLog | None:
        """The log of a run, if there was one."""
        return self._runs.get(run)

    def end(self, run: str) -> None:
        """Nothing more will be written by a run."""
        if run in self._runs:
            self._runs[run].close()

    def forget(self, container: tuple[str, str]) -> None:
        """Let go of what a container wrote."""
        for run in self._kept.pop(container, ()):
            self._drop(run)

    def _drop(self, run: str) -> None:
        self.end(run)
        self._runs.pop(run, None)
