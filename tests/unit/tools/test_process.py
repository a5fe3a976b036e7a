from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.tools.process import Child, ask, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOON = timedelta(milliseconds=50)
# The child in the background ignores SIGINT, as the shell wants it.
BLOCKING = """
exec 3> '{here}/started'
( read -r word < '{here}/never' ) &
echo $$ >&3
read -r word < '{here}/never'
"""


def script(folder: Path, text: str) -> Path:
    path = folder / "script"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def never(tmp_path: Path) -> Iterator[Path]:
    """A fifo to wait at. Whoever still does so when the test has failed may go home."""
    path = tmp_path / "never"
    os.mkfifo(path)
    yield path
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


@pytest.fixture
def blocking(never: Path, tmp_path: Path) -> Path:
    """A program that waits for ever, with a child that does so too; both hold the fifo `started` open."""
    return script(tmp_path, BLOCKING.format(here=tmp_path))


@pytest.fixture
def started(tmp_path: Path) -> Iterator[int]:
    """The reading end of the fifo: a line when the program has started, and its end when all are gone."""
    os.mkfifo(tmp_path / "started")
    reader = os.open(tmp_path / "started", os.O_RDONLY | os.O_NONBLOCK)
    yield reader
    os.close(reader)


def child(program: Path) -> Child:
    folder = program.parent
    output, log = folder / "output", folder / "log"
    return Child(argv=[str(program)], env={}, cwd=folder, output=output, log=log, grace=SOON)


def wait_until_all_are_gone(started: int) -> None:
    os.set_blocking(started, True)
    while os.read(started, 100):
        pass


def nothing() -> None:
    """Take no notice of a sign of life."""


def test_the_exit_code_and_what_was_printed_are_kept(tmp_path: Path) -> None:
    job = child(script(tmp_path, "echo out; echo one >&2; echo two >&2; exit 3"))
    assert run(job, nothing, pulse=SOON) == 3
    assert job.output.read_text() == "out\n"
    assert job.last_words() == "two"
    assert job.last_words(2) == "one\ntwo"


def test_signs_of_life_are_given_while_a_program_runs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    beats: list[str] = []

    def alive() -> None:
        beats.append("beat")
        if len(beats) == 3:
            (tmp_path / "gate").write_text("go on\n")

    job = child(script(tmp_path, f"read -r word < '{tmp_path}/gate'"))
    assert run(job, alive, pulse=SOON) == 0
    assert len(beats) >= 3


def test_a_program_that_overruns_its_limit_is_ended_with_its_children(started: int, blocking: Path) -> None:
    def wait_for_start() -> None:
        os.set_blocking(started, True)
        assert os.read(started, 100)

    with pytest.raises(TimeoutError, match="no end within"):
        run(child(blocking), wait_for_start, pulse=SOON, limit=SOON)
    wait_until_all_are_gone(started)


def test_an_interrupt_ends_the_program_and_its_children(started: int, blocking: Path) -> None:
    def interrupt() -> None:
        os.set_blocking(started, True)
        assert os.read(started, 100)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(child(blocking), interrupt, pulse=SOON)
    wait_until_all_are_gone(started)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_that_comes_while_a_program_is_started_ends_it_too(
    started: int, never: Path, tmp_path: Path, number: signal.Signals
) -> None:
    class Stopped(Exception):
        pass

    def stop(number: int, _: object) -> None:
        raise Stopped

    job = child(script(tmp_path, f"kill -{number} $PPID\n{BLOCKING.format(here=tmp_path)}"))
    before = signal.signal(number, stop)
    try:
        with pytest.raises(Stopped):
            run(job, nothing, pulse=SOON)
        assert signal.getsignal(number) is stop
    finally:
        signal.signal(number, before)
    wait_until_all_are_gone(started)


RUN = """
import sys
from datetime import timedelta
from pathlib import Path
from windlass.tools.process import Child, run
here = Path(sys.argv[1])
job = Child(argv=[str(here / "script")], env={}, cwd=here, output=here / "output", log=here / "log")
run(job, lambda: None, pulse=timedelta(seconds=1))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent is gone")
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_a_process_that_ends_without_a_word_takes_its_program_along(
    started: int, never: Path, tmp_path: Path, number: signal.Signals
) -> None:
    script(tmp_path, f"exec 3> '{tmp_path}/started'\necho $$ >&3\nread -r word < '{never}'")
    with subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)]) as runner:
        select.select([started], [], [])
        os.set_blocking(started, True)
        assert os.read(started, 100)
        runner.send_signal(number)
    wait_until_all_are_gone(started)
    assert runner.returncode == -number


def test_with_other_threads_a_program_runs_all_the_same(tmp_path: Path) -> None:
    program = script(tmp_path, "echo here")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ask, [str(program)], {}).result() == "here\n"


def test_asking_a_program_that_hangs_ends_in_time(started: int, blocking: Path) -> None:
    with pytest.raises(TimeoutError, match="no end within"):
        ask([str(blocking)], {}, limit=timedelta(milliseconds=300))
    wait_until_all_are_gone(started)


def test_asking_returns_both_outputs(tmp_path: Path) -> None:
    program = script(tmp_path, "echo on output; echo on error >&2")
    assert ask([str(program)], {}) == "on output\non error\n"


def test_a_file_that_is_no_program_is_an_os_error(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\x00\x01\x02")
    path.chmod(0o755)
    with pytest.raises(OSError, match="Exec format"):
        ask([str(path)], {})
