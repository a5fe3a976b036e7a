"""What the commands share that run until they are told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from windlass._early import SIGNALS, exit_at_once
from windlass.aio import run as run_loop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from windlass.cluster import Access

T = TypeVar("T")


class Stopped(KeyboardInterrupt):
    """A signal told this process to stop."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


def stop_on_signals() -> None:
    """Raise `Stopped` where the process is when SIGINT, SIGTERM or SIGHUP comes.

    One that comes twice ends the process at once. One that is ignored stays so, as `nohup` wants.
    """
    for number in _heeded():
        signal.signal(number, _stop)


def take_over_signals() -> None:
    """Do so if a signal still ends this process at once, as it does while a command is loaded."""
    if any(signal.getsignal(number) is exit_at_once for number in SIGNALS):
        stop_on_signals()


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a command's main coroutine; a signal cancels it wherever it is, and what it began is undone.

    Raises:
        Stopped: a signal came.
    """
    if threading.current_thread() is not threading.main_thread():
        return run_loop(main)
    running = _Running()
    before = {number: signal.signal(number, running.stop) for number in _heeded()}
    try:
        ended = run_loop(running.until_stopped(main))
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) == running.stop:  # else the command has others by now
                signal.signal(number, handler)
    if running.received:
        raise Stopped(running.received[0])
    return cast("T", ended)


@contextmanager
def publishing(file: Path | None) -> Iterator[Callable[[str], None]]:
    """Give the function that writes a kubeconfig, for its owner only, to a file that must not exist.

    It writes it wholly or not at all, and never over another one. At the end of the block it is removed.
    """
    written = False

    def write(text: str) -> None:
        nonlocal written
        if file is not None:
            with _explained(file):
                _write_new(file, text)
            written = True

    if file is not None:
        with _explained(file):
            _check_absent(file)
    try:
        yield write
    finally:
        if written and file is not None:
            file.unlink(missing_ok=True)


def explain(
    access: Access, kubeconfig: Path, more: str = "", ending: str = "stops it and removes everything"
) -> None:
    """Tell how to use what runs now, and what Ctrl-C will do."""
    click.echo(f"The control plane runs at {access.server}{more}. Use it with:\n")
    click.echo(f"    export KUBECONFIG={kubeconfig.absolute()}\n")
    click.echo(f"Ctrl-C {ending}.")


def first_of(error: BaseException) -> BaseException:
    """The first error of a group, and of a group in it; else the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Running:
    """A main coroutine that a signal cancels, also one that comes before it has begun.

    The handler is Python's, and not the loop's: a second signal works even if the loop is blocked.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self._cancel: Callable[[], object] | None = None

    def stop(self, number: int, _frame: object) -> None:
        """Cancel the coroutine; this is called between any two steps of any code."""
        self.received.append(number)
        _expect_second(number)
        if self._cancel is not None:
            self._cancel()

    async def until_stopped(self, main: Coroutine[Any, Any, T]) -> T | None:
        """Await the coroutine; return None if a signal cancelled it."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel) if task else None
        if self.received:
            main.close()
            return None
        try:
            return await main
        except asyncio.CancelledError:
            if not self.received:
                raise
            return None
        finally:
            self._cancel = None


def _heeded() -> list[int]:
    return [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]


def _stop(number: int, _frame: object) -> None:
    _expect_second(number)
    raise Stopped(number)


def _expect_second(number: int) -> None:
    """Let the same signal end the process at once when it comes again, and another one do nothing.

    A terminal and a parent process may each send one.
    """
    for each in _heeded():
        signal.signal(each, exit_at_once if each == number else _do_nothing)


def _do_nothing(*_: object) -> None:
    return


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise click.ClickException(f"{file} exists; choose another name, or remove it first") from None
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from error


def _check_absent(file: Path) -> None:
    """See that a file can be written later.

    Raises:
        OSError: it exists, or its folder does not, or cannot be written to.
    """
    if os.path.lexists(file):
        raise FileExistsError
    descriptor, draft = mkstemp(dir=file.parent, prefix=f".{file.name}.")
    os.close(descriptor)
    Path(draft).unlink()


def _write_new(file: Path, text: str) -> None:
    """Write a file that its owner alone can read, wholly or not at all.

    Raises:
        OSError: it exists, or cannot be written.
    """
    descriptor, draft = mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
        os.link(draft, file)
    finally:
        Path(draft).unlink(missing_ok=True)
