"""Running other programs: bounded in time, never left behind when this process ends in order.

Only `SIGKILL` of this process leaves a child running; what such a child still writes goes into a folder that
nobody takes for finished, see `windlass.tools.cache`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import FrameType

_GRACE = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Child:
    """A program to run: its command, its surroundings, and the files that take what it prints."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    output: Path
    log: Path

    def last_words(self, lines: int = 1) -> str:
        """The last lines of the log, so far."""
        if not self.log.exists():
            return ""
        text = self.log.read_text(encoding="utf-8", errors="replace").strip()
        return "\n".join(text.splitlines()[-lines:])


def run(child: Child, alive: Callable[[], None], *, pulse: timedelta, limit: timedelta | None = None) -> int:
    """Run a program to its end and return its exit code, calling `alive` once every `pulse` meanwhile.

    Raises:
        TimeoutError: it was stopped because it ran for longer than `limit`.
    """
    with (
        child.output.open("wb") as output,
        child.log.open("wb") as log,
        _running(child.argv, child.env, child.cwd, (output.fileno(), log.fileno())) as process,
    ):
        waited = timedelta()
        while limit is None or waited < limit:
            step = pulse if limit is None else min(pulse, limit - waited)
            with suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=step.total_seconds())
            waited += step
            alive()
        _kill(process)
        raise TimeoutError(f"{child.argv[0]} was stopped after {waited.total_seconds():g} s")


def ask(argv: Sequence[str], env: Mapping[str, str], limit: timedelta = timedelta(seconds=10)) -> str:
    """All that a program prints when it is asked something quick, such as its version.

    Raises:
        OSError: it cannot be started.
        TimeoutError: it did not end within `limit`.
    """
    with _running(argv, env, None, (subprocess.PIPE, subprocess.STDOUT)) as process:
        try:
            printed, _ = process.communicate(timeout=limit.total_seconds())
        except subprocess.TimeoutExpired as error:
            _kill(process)
            raise TimeoutError(f"no answer within {limit.total_seconds():g} s") from error
    return printed.decode("utf-8", errors="replace")


@contextmanager
def _running(
    argv: Sequence[str], env: Mapping[str, str], cwd: Path | None, outputs: tuple[int, int]
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is ended on the way out of the block, if it has not ended by itself."""
    stdout, stderr = outputs
    with _held_signals() as release:
        # Its own process group: it can be ended with all its children, and Ctrl-C reaches it through us only.
        process = subprocess.Popen(  # noqa: S603 - a list of arguments made by this package, no shell
            list(argv),
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            process_group=0,
        )
        try:
            release()
            yield process
        finally:
            _interrupt(process)
            if process.stdout:
                process.stdout.close()


@contextmanager
def _held_signals() -> Iterator[Callable[[], None]]:
    """Keep signals back until the given function is called, or the block ends.

    A handler that raises in the middle of `Popen` would lose the process that was just started.
    """
    arrived: list[int] = []
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
    if threading.current_thread() is threading.main_thread():  # handlers run in no other
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, lambda number, _: arrived.append(number))

    def release() -> None:
        while handlers:
            signal.signal(*handlers.popitem())
        while arrived:
            signal.raise_signal(arrived.pop(0))

    try:
        yield release
    finally:
        release()


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    """End a process group that still runs, politely at first: an interrupted `go` tidies up."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_GRACE.total_seconds())
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process group at once: one that waits for a name server does not notice an interrupt."""
    # Its first process may be gone while others stay; macOS forbids to signal a group that is all gone.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
