"""A page whose commands a reader types: the first one starts a cluster, the rest go into a second shell."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

_PATIENCE = 200.0
_MARK = "::command "


@asynccontextmanager
async def cluster(command: str, folder: Path, *tools: Path) -> AsyncIterator[None]:
    """What this command starts, for the length of the block; it has to end well."""
    process = await asyncio.create_subprocess_shell(
        f"exec {command}", cwd=folder, env=_environment(folder, tools), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            while b"KUBECONFIG" not in (line := await process.stdout.readline()):
                assert line, "it ended, or closed its output"
        yield
    finally:
        process.terminate()
        async with asyncio.timeout(60):
            await process.communicate()
    assert process.returncode == 0


async def typed(commands: Sequence[str], folder: Path, *tools: Path) -> list[str]:
    """What each of these commands prints, typed into one shell; none may fail. `tools` are found besides."""
    return await typed_in(commands, folder, _environment(folder, tools))


async def typed_in(
    commands: Sequence[str], folder: Path, environment: Mapping[str, str], patience: float = _PATIENCE
) -> list[str]:
    """The same, with these environment variables and no others."""
    script = "\n".join(f"echo '{_MARK}{number}'\n{each}" for number, each in enumerate(commands))
    with TemporaryFile() as said:  # a pipe would stay open for as long as what was left in the background
        shell = await asyncio.create_subprocess_exec(
            *("bash", "-e", "-c", script),
            cwd=folder,
            env=environment,
            stdout=said,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(patience):
                await shell.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            await shell.wait()
        said.seek(0)
        out = said.read()
    answers = _answers(commands, out.decode())
    assert shell.returncode == 0, f"{commands[-1]}: {answers[-1]}"
    return answers


def check(dialogue: Sequence[tuple[str, Sequence[str]]], answers: Sequence[str]) -> None:
    """Fail unless each command printed every line that the page shows."""
    for (command, shown), answer in zip(dialogue, answers, strict=True):
        assert [line for line in shown if line not in answer.splitlines()] == [], f"{command}: {answer}"


def on_free_ports(dialogue: Sequence[tuple[str, Sequence[str]]], run: str) -> list[str]:
    """The commands of a page, with an operator's ports free ones: readers have 8080, 8081, 9443 to themselves."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(3)]
        metrics, health, webhooks = (each.getsockname()[1] for each in held)
    flags = f"--metrics-bind-address=127.0.0.1:{metrics} --health-probe-bind-address=127.0.0.1:{health}"
    commands = [
        re.sub(rf"{re.escape(run)}(?=\s|$)", f"{run} {flags}", command)
        .replace("127.0.0.1:8080", f"127.0.0.1:{metrics}")
        .replace("127.0.0.1:8081", f"127.0.0.1:{health}")
        .replace("https://127.0.0.1:9443", f"https://127.0.0.1:{webhooks} --webhook-port={webhooks}")
        for command, _ in dialogue
    ]
    assert any(flags in command for command in commands), f"no command is {run}"
    return commands


def _environment(folder: Path, tools: Sequence[Path]) -> dict[str, str]:
    found = (Path(sys.executable).parent, find_kubectl().parent, *(each.parent for each in tools))
    return {
        "PATH": os.pathsep.join([*map(str, found), os.environ.get("PATH", os.defpath)]),
        "HOME": str(folder),
    }


def _answers(commands: Sequence[str], said: str) -> list[str]:
    """What each command printed."""
    answers = re.split(rf"{_MARK}\d+\n", said)[1:]
    assert len(answers) == len(commands), f"{commands[len(answers) - 1]}: {answers[-1]}"
    return answers
