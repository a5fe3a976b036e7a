"""How many programs run at a time, whoever calls."""

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from polling import until
from shop_release import chart_folder
from windlass.api import Key
from windlass.client import Client, Impersonation
from windlass.helm import Blueprint, Capabilities, Chart, HelmProgram

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


class Programs:
    """A `helm` that waits for a line before it ends, and notes when it begins and ends."""

    def __init__(self, folder: Path) -> None:
        self.program, self.log, go = folder / "helm", folder / "log", folder / "go"
        self.program.write_text(_PROGRAM.format(log=self.log, go=go))
        self.program.chmod(0o755)
        os.mkfifo(go)
        self.lines = os.open(go, os.O_RDWR)
        self._chart = Chart.read(chart_folder(folder))
        self.log.write_text("")

    def blueprint(self, number: int, namespace: str = "default") -> Blueprint:
        """What a release is made from."""
        release, capabilities = Key(namespace, f"web-{number}"), Capabilities(kube_version="v1.36.0")
        return Blueprint(release=release, chart=self._chart, capabilities=capabilities)

    def go(self, count: int) -> None:
        """Let so many end."""
        os.write(self.lines, b"\n" * count)

    async def begun(self) -> int:
        """How many have begun."""
        return self.log.read_text().count("begins")


@contextmanager
def programs(folder: Path) -> Iterator[Programs]:
    made = Programs(folder)
    try:
        yield made
    finally:
        os.close(made.lines)


async def test_no_more_programs_run_at_a_time_than_the_limit_whichever_release_they_are_for(
    tmp_path: Path,
) -> None:
    """Each program waits for a line; none gets one before as many run as there can be."""
    with programs(tmp_path) as run:

        async def most(processes: int, expected: int) -> int:
            run.log.write_text("")
            helm = HelmProgram(cast("Client", None), program=run.program, processes=processes)
            async with asyncio.TaskGroup() as group:
                for number in range(6):
                    group.create_task(helm.render(run.blueprint(number), is_upgrade=False))
                await until(run.begun, lambda found: found == expected)
                run.go(6)
            return most_at_once(run.log)

        assert await most(3, expected=3) == 3
        assert await most(6, expected=6) == 6  # else the first would show nothing


async def test_the_service_accounts_of_one_namespace_have_half_of_the_processes(tmp_path: Path) -> None:
    with programs(tmp_path) as run:
        helm = HelmProgram(Client(cast("Any", None)), program=run.program, processes=4)
        async with asyncio.TaskGroup() as group:

            def render(namespace: str, account: str, number: int) -> None:
                acting = helm.acting_as(Impersonation.service_account(namespace, account))
                group.create_task(acting.render(run.blueprint(number, namespace), is_upgrade=False))

            for number in range(4):
                render("greedy", f"account-{number}", number)
            await until(run.begun, lambda found: found == 2)
            render("modest", "default", 5)
            await until(run.begun, lambda found: found == 3)
            run.go(5)
        assert most_at_once(run.log) == 3
