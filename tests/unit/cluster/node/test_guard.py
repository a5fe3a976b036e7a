"""No process outlives the one that runs the nodes: real processes, which a test kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polling import until
from windlass.cluster.node.process import process

if TYPE_CHECKING:
    from collections.abc import Iterator

GUARD = Path(process.__file__).with_name("guard.py")
# The program starts another one, which would outlive it, and says both ids.
FAMILY = "sleep 600 & echo $! $$; wait"
STUBBORN = "trap '' TERM; echo ready; while :; do sleep 1; done"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Guards that a test starts; what is left of them is killed."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for each in found:
        each.kill()
        each.communicate()


def guarded(started: list[subprocess.Popen[bytes]], script: str) -> subprocess.Popen[bytes]:
    """A guard that runs a shell script."""
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", str(GUARD), "sh", "-c", script], stdin=pipe, stdout=pipe, stderr=pipe
    )
    started.append(child)
    return child


def line(of: subprocess.Popen[bytes]) -> str:
    """The next line that a program says."""
    assert of.stdout is not None
    return of.stdout.readline().decode()


async def _gone(pids: list[int]) -> bool:
    """Whether none of the processes runs; one that nobody has buried yet is gone too."""
    return not any(_is_alive(pid) for pid in pids)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


async def test_everything_is_killed_when_the_input_of_the_guard_ends(
    started: list[subprocess.Popen[bytes]],
) -> None:
    guard = guarded(started, FAMILY)
    pids = [int(each) for each in line(guard).split()]
    assert guard.stdin is not None
    guard.stdin.close()
    guard.stdin = None
    assert guard.wait(20) == 128 + signal.SIGKILL
    await until(lambda: _gone(pids))


async def test_the_program_is_killed_when_the_guard_is(started: list[subprocess.Popen[bytes]]) -> None:
    guard = guarded(started, "echo $$; exec sleep 600")
    pids = [int(line(guard))]
    guard.kill()
    await until(lambda: _gone(pids))


async def test_what_a_program_leaves_behind_goes_with_it(started: list[subprocess.Popen[bytes]]) -> None:
    guard = guarded(started, "sleep 600 & echo $!; exit 3")
    pids = [int(line(guard))]
    assert guard.wait(20) == 3
    await until(lambda: _gone(pids))


def test_a_request_to_end_is_passed_on(started: list[subprocess.Popen[bytes]]) -> None:
    guard = guarded(started, "trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done")
    assert line(guard) == "ready\n"
    guard.terminate()
    assert line(guard) == "bye\n"
    assert guard.wait(20) == 7


def test_a_program_that_does_not_heed_is_killed_in_the_end(started: list[subprocess.Popen[bytes]]) -> None:
    guard = guarded(started, STUBBORN)
    assert line(guard) == "ready\n"
    guard.terminate()
    assert guard.stdin is not None
    guard.stdin.close()
    guard.stdin = None
    assert guard.wait(20) == 128 + signal.SIGKILL


def test_what_cannot_be_started_says_why(started: list[subprocess.Popen[bytes]]) -> None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-S", str(GUARD), "no-such-program"]
    guard = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
    started.append(guard)
    _, said = guard.communicate()
    assert (guard.returncode, said) == (127, b"no-such-program: No such file or directory\n")
