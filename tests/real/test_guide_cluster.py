"""The guide to a cluster on a laptop, command by command."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import readme
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = "docs/guides/cluster.md"
_PATIENCE = 200.0
_MARK = "::command "

pytestmark = pytest.mark.timeout(240)  # among others, a node has to be silent for 50 seconds


def _environment(folder: Path) -> dict[str, str]:
    tools = (Path(sys.executable).parent, find_kubectl().parent)
    return {
        "PATH": os.pathsep.join([*map(str, tools), os.environ.get("PATH", os.defpath)]),
        "HOME": str(folder),
    }


def _write_files(folder: Path) -> None:
    operator, *_ = readme.blocks("python", "docs/guides/testing.md")
    (folder / "page.py").write_text(operator, encoding="utf-8")
    (manifest,) = readme.blocks("yaml", PAGE)
    (folder / "pages.yaml").write_text(manifest, encoding="utf-8")


def _answers(commands: Sequence[str], said: str) -> list[str]:
    """What each command printed."""
    answers = re.split(rf"{_MARK}\d+\n", said)[1:]
    assert len(answers) == len(commands), f"{commands[len(answers) - 1]}: {answers[-1]}"
    return answers


async def _typed(commands: Sequence[str], folder: Path) -> list[str]:
    """What each of these commands prints, typed into one shell; none may fail."""
    script = "\n".join(f"echo '{_MARK}{number}'\n{each}" for number, each in enumerate(commands))
    shell = await asyncio.create_subprocess_exec(
        *("bash", "-e", "-c", script),
        cwd=folder,
        env=_environment(folder),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            out, _ = await shell.communicate()
    finally:
        if shell.returncode is None:
            shell.kill()
            await shell.wait()
    answers = _answers(commands, out.decode())
    assert shell.returncode == 0, f"{commands[-1]}: {answers[-1]}"
    return answers


async def test_every_command_of_the_guide_does_what_it_shows(tmp_path: Path) -> None:
    _write_files(tmp_path)
    (up, _), *rest = readme.dialogue(PAGE)
    cluster = await asyncio.create_subprocess_shell(
        f"exec {up}", cwd=tmp_path, env=_environment(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    assert cluster.stdout is not None
    try:
        async with asyncio.timeout(60):
            while b"KUBECONFIG" not in await cluster.stdout.readline():
                assert cluster.returncode is None
        answers = await _typed([command for command, _ in rest], tmp_path)
    finally:
        cluster.terminate()
        async with asyncio.timeout(60):
            await cluster.communicate()

    for (command, shown), answer in zip(rest, answers, strict=True):
        assert [line for line in shown if line not in answer.splitlines()] == [], f"{command}: {answer}"
    by_command = dict(zip((command for command, _ in rest), answers, strict=True))
    (health,) = [answer for command, answer in by_command.items() if command.startswith("curl")]
    (holder,) = [answer for command, answer in by_command.items() if "holderIdentity" in command]
    assert health.splitlines()[-1].startswith("ok")
    assert holder.startswith("pages-")
    assert cluster.returncode == 0
