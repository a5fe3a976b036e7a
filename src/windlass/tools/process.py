"""Running other programs: bounded in time, and not left behind.

A program is ended, with its children, when the call that runs it ends: in order, by an exception, or by a
signal whose handler raises one, as that of Ctrl-C does, and the command line's for SIGTERM and SIGHUP. When
this process ends without a word (SIGKILL, or a signal that nobody handles), only Linux ends the program, but
not its children, and only where this process had a single thread. What then still runs writes into a folder
that nobody takes for finished, see `windlass.tools.cache`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FrameType

_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows does not know the last one
_PR_SET_PDEATHSIG = 1
_ORPHANED = 127
_TICK_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class Child:
    """A program to run: its command, its surroundings, and the files that take what it prints.

    One that is interrupted has so much `grace` to tidy up.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    output: Path
    log: Path
    grace: timedelta = timedelta(seconds=5)

    def last_words(self, lines: int = 1) -> str:
        """The last lines of the log, so far."""
        if not self.log.exists():
            return ""
        text = self.log.read_text(encoding="utf-8", errors="replace").strip()
        return "\n".join(text.splitlines()[-lines:])


def run(child: Child, alive: Callable[[], None], *, pulse: timedelta, limit: timedelta | None = None) -> int:
    """Run a program to its end and return its exit code, calling `alive` once every `pulse` meanwhile.

    Raises:
        OSError: it cannot be started.
        TimeoutError: it was stopped because it ran for longer than `limit`.
    """
    with child.output.open("wb") as output, child.log.open("wb") as log, _held_signals() as deliver:
        # Its own process group: it can be ended with all its children, and Ctrl-C reaches it through us only.
        process = subprocess.Popen(  # noqa: S603 - a list of arguments made by this package, no shell
            list(child.argv),
            env=dict(child.env),
            cwd=child.cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=log,
            process_group=0,
            preexec_fn=_share_fate(),  # noqa: PLW1509 - where it is not safe there is none
        )
        try:
            for _ in _pulses(process, deliver, pulse, limit):
                alive()
            return process.returncode
        finally:
            _interrupt(process, child.grace)


def ask(argv: Sequence[str], env: Mapping[str, str], limit: timedelta = timedelta(seconds=10)) -> str:
    """All that a program prints when it is asked something quick, such as its version.

    Raises:
        OSError: it cannot be started, or did not end within `limit` (`TimeoutError`).
    """
    with TemporaryDirectory(prefix="windlass-") as folder:
        cwd = Path(folder)
        child = Child(argv=argv, env=env, cwd=cwd, output=cwd / "output", log=cwd / "log")
        run(child, lambda: None, pulse=limit, limit=limit)
        return "".join(file.read_text("utf-8", errors="replace") for file in (child.output, child.log))


def _pulses(
    process: subprocess.Popen[bytes], deliver: Callable[[], None], pulse: timedelta, limit: timedelta | None
) -> Iterator[None]:
    """Wait for the end of a process, with an item for every pulse until then."""
    began = beat = time.monotonic()
    tick = min(_TICK_SECONDS, pulse.total_seconds())
    while True:
        deliver()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=tick)
            return
        now = time.monotonic()
        if limit is not None and now - began >= limit.total_seconds():
            _kill(process)
            raise TimeoutError(f"no end within {limit.total_seconds():g} s")
        if now - beat >= pulse.total_seconds():
            beat = now
            yield


def _share_fate() -> Callable[[], None] | None:
    """What a child does before it becomes the program: ask the kernel to kill it when this process ends.

    Nothing where other threads run: one may hold a lock at the fork, which the child would wait for in vain.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def share_fate() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the kernel was asked
            os._exit(_ORPHANED)

    return share_fate


@contextmanager
def _held_signals() -> Iterator[Callable[[], None]]:
    """Keep signals back during the block; the given function delivers those that have come.

    A handler that raises inside `Popen` can lose the process that was just started, or leave its lock taken.
    """
    arrived: list[int] = []
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
    if threading.current_thread() is threading.main_thread():  # no other runs handlers, or may set them
        for number in (getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, lambda number, _: arrived.append(number))

    def deliver() -> None:
        while arrived:
            due = arrived.pop(0)
            handlers[due](due, None)

    try:
        yield deliver
    finally:
        for held, handler in handlers.items():
            signal.signal(held, handler)
        deliver()


def _interrupt(process: subprocess.Popen[bytes], grace: timedelta) -> None:
    """End a process group that still runs, politely at first: an interrupted `go` tidies up."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=grace.total_seconds())
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process group at once: one that waits for a name server does not notice an interrupt."""
    # Its first process may be gone while others stay; macOS forbids to signal a group that is all gone.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
