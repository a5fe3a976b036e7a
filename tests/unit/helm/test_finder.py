"""A manager whose controllers need `helm` is ready once there is one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from caching import eventually
from windlass.aio import ManualClock
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.errors import ConfigError, ToolError
from windlass.helm import HelmProgram
from windlass.helm.finder import HelmCheck
from windlass.manager import Manager


class Missing:
    """A program that is installed later."""

    def __init__(self) -> None:
        self.installed = False

    async def find(self) -> Path:
        if not self.installed:
            raise ToolError("helm is missing; run windlass tools install helm")
        return Path("helm")


async def test_readiness_says_what_to_install_until_helm_is_there() -> None:
    import asyncio

    clock, missing = ManualClock(), Missing()
    check = HelmCheck(missing, clock)
    assert check.problem() is not None
    running = asyncio.ensure_future(check.run(cast("Client", None)))
    await eventually(lambda: check.problem() == "helm is missing; run windlass tools install helm")

    missing.installed = True
    await clock.advance(timedelta(seconds=10))
    await eventually(lambda: check.problem() is None)
    await running


async def test_all_controllers_of_a_manager_share_one_helm() -> None:
    async with Cluster() as cluster:
        manager = Manager(Client(cluster.transport()))

        assert HelmProgram.of(manager) is HelmProgram.of(manager)
        assert [each.name for each in manager.companions] == ["helm"]


def test_a_limit_that_would_let_no_removal_run_is_refused() -> None:
    with pytest.raises(ConfigError, match="processes is 2; Helm needs at least 3"):
        HelmProgram(cast("Client", None), processes=2)
