"""A program that is run does not outlive whoever runs it, and tells all that it has to say."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polling import soon
from windlass.errors import HelmError, ToolError
from windlass.helm.process import Command, run

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATOR = """
import asyncio, sys
from windlass.helm.process import Command, run
asyncio.run(run(Command(words=["/bin/sh", "-c", f"echo $$ > {sys.argv[1]}; exec sleep 600"], environment={})))
"""
PLAIN: Mapping[str, str] = {"PATH": os.defpath}


def sh(script: str, given: bytes = b"") -> Command:
    return Command(words=["/bin/sh", "-c", script], environment=PLAIN, given=given)


async def test_a_program_is_given_its_input_and_environment_and_nothing_else() -> None:
    ended = await run(sh("cat; env; echo why >&2; exit 3", b"words\n"))

    assert ended.code == 3
    assert ended.said == "why\n"
    lines = ended.printed.decode().splitlines()
    assert lines[0] == "words"
    assert {line.partition("=")[0] for line in lines[1:]} <= {
        "PATH",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
        "LC_CTYPE",
    }


async def test_a_program_need_not_listen_to_its_end() -> None:
    ended = await run(sh("exit 0", b"x" * 2**22))

    assert ended.code == 0


async def test_a_flood_is_no_answer_and_does_not_stop_the_program() -> None:
    with pytest.raises(HelmError, match="printed more than 64 MiB"):
        await run(sh("head -c 70000000 /dev/zero"))


async def test_of_long_complaints_the_end_is_kept() -> None:
    ended = await run(sh("head -c 200000 /dev/zero | tr '\\0' x >&2; echo end >&2"))

    assert len(ended.said) == 2**16
    assert ended.said.endswith("xend\n")


async def test_what_cannot_be_started_is_said() -> None:
    ended = await run(Command(words=["/nowhere/helm"], environment={}))

    assert (ended.code, ended.said) == (1, "it cannot be started (No such file or directory)\n")


async def test_an_interpreter_that_is_gone_is_a_missing_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    with pytest.raises(ToolError, match="cannot be started"):
        await run(sh("true"))


async def test_cancelling_ends_a_program_and_its_children(tmp_path: Path) -> None:
    told = tmp_path / "pids"
    running = asyncio.create_task(run(sh(f"sleep 600 & echo $! $$ > {told}; wait")))
    try:
        await soon(lambda: _numbers(told, 2))
        pids = _numbers(told, 2)
    finally:
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    await soon(lambda: not any(_is_alive(pid) for pid in pids))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of whoever was killed")
async def test_a_program_ends_when_the_operator_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    operator = await asyncio.create_subprocess_exec(sys.executable, "-c", OPERATOR, str(told))
    try:
        await soon(lambda: _numbers(told, 1))
        (pid,) = _numbers(told, 1)
        alive = _is_alive(pid)
    finally:
        operator.send_signal(signal.SIGKILL)
        await operator.wait()

    assert alive
    await soon(lambda: not _is_alive(pid))


def _numbers(path: Path, wanted: int) -> list[int]:
    found = [int(word) for word in path.read_text().split()] if path.exists() else []
    return found if len(found) == wanted else []


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
