"""How many programs run at a time, whoever calls."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, cast

from polling import until
from shop_release import chart_folder
from windlass.api import Key
from windlass.helm import Blueprint, Capabilities, Chart, HelmProgram

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client

_PROGRAM = """#!/bin/sh
[ "$1" = version ] && echo v4.0.0 && exit
echo begins >>{log}
read _ <{go}
echo ends >>{log}
"""


def most_at_once(log: Path) -> int:
    running = most = 0
    for line in log.read_text().split():
        running += 1 if line == "begins" else -1
        most = max(most, running)
    return most


async def test_no_more_programs_run_at_a_time_than_the_limit_whichever_release_they_are_for(
    tmp_path: Path,
) -> None:
    """Each program waits for a line; none gets one before as many run as there can be."""
    program, log, go = tmp_path / "helm", tmp_path / "log", tmp_path / "go"
    program.write_text(_PROGRAM.format(log=log, go=go))
    program.chmod(0o755)
    os.mkfifo(go)
    lines = os.open(go, os.O_RDWR)
    chart, capabilities = Chart.read(chart_folder(tmp_path)), Capabilities(kube_version="v1.36.0")

    async def most(processes: int, expected: int) -> int:
        log.write_text("")
        helm = HelmProgram(cast("Client", None), program=program, processes=processes)

        async def begun() -> int:
            return log.read_text().count("begins")

        async with asyncio.TaskGroup() as group:
            for number in range(6):
                release = Key("default", f"web-{number}")
                blueprint = Blueprint(release=release, chart=chart, capabilities=capabilities)
                group.create_task(helm.render(blueprint, is_upgrade=False))
            await until(begun, lambda found: found == expected)
            os.write(lines, b"\n" * 6)
        return most_at_once(log)

    try:
        assert await most(2, expected=2) == 2
        assert await most(6, expected=6) == 6  # else the first would show nothing
    finally:
        os.close(lines)
