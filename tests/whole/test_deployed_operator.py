"""An operator that is deployed as people do it, with a Deployment, an account and roles, really runs."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from letter_office import NAME, deployed
from polling import until
from windlass.client import MergePatch
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client

pytestmark = pytest.mark.timeout(120)  # an election and two rollouts of processes


async def test_an_operator_survives_a_crash_and_a_rollout_with_one_leader_and_leaves_no_process(
    client: Client, namespace: str, tmp_path: Path
) -> None:
    async with deployed(client, namespace, tmp_path) as office:
        await office.rolled_out()
        leader = (await office.write("first")).status.writer
        assert (await client.get(ConfigMap, "first")).data == {"text": "hello"}
        assert (await office.holder(), await office.leaders()) == (leader, [leader])

        os.kill(await office.process(leader), signal.SIGKILL)
        crashed = await office.restarted(leader)
        ended = crashed.status.container_statuses[0].last_state
        assert ended
        assert ended.terminated
        assert ended.terminated.exit_code == 128 + signal.SIGKILL
        writer = (await office.write("second")).status.writer
        assert (await office.holder(), await office.leaders()) == (writer, [writer])

        before = await office.pods()
        stamp = {"kubectl.kubernetes.io/restartedAt": "2026-01-02T03:04:05Z"}  # as `kubectl rollout restart`
        template = {"metadata": {"annotations": stamp}}
        await client.patch(Deployment, NAME, MergePatch({"spec": {"template": template}}))
        await office.rolled_out()
        after = await office.pods()
        assert not set(before) & set(after)
        for name in ("first", "second"):
            writer = (await office.written(name, after)).status.writer
        assert await until(office.leaders) == [writer]
        for pod in after:
            assert not [line for line in await office.log(pod) if "is forbidden" in line]

        assert office.processes()
        await client.delete(Deployment, NAME)
        await office.gone()
        assert office.processes() == []
