"""What is over does not stay for ever: pods that no kubelet ends, and jobs whose time has passed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from by_hand import template
from family import gone, is_there
from polling import until
from windlass.api import format_time
from windlass.client import MergePatch
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from windlass.client import Client

PATIENCE = 50.0
"""The real controller looks every 20 seconds."""
HELD = ["example.com/held"]


async def job(client: Client, name: str, over_for: timedelta, ttl: int | None) -> Job:
    """A job that failed a while ago, which no job controller looks at."""
    spec: dict[str, Any] = {
        "managedBy": "example.com/nobody",
        "template": template({"app": "job"}, restartPolicy="Never"),
        **({} if ttl is None else {"ttlSecondsAfterFinished": ttl}),
    }
    made = await client.create(Job.from_wire({"metadata": {"name": name}, "spec": spec}))
    then = format_time(datetime.now(UTC) - over_for)
    conditions = [
        {
            "type": each,
            "status": "True",
            "reason": "ByHand",
            "lastTransitionTime": then,
            "lastProbeTime": then,
        }
        for each in ("FailureTarget", "Failed")
    ]
    await client.status.patch(
        Job, name, MergePatch({"status": {"startTime": then, "conditions": conditions}})
    )
    return made


@pytest.mark.timeout(90)
async def test_a_pod_that_never_had_a_node_fails_when_it_is_deleted(client: Client) -> None:
    body = {"metadata": {"name": "pod", "finalizers": HELD}, **template({})}
    body["metadata"] = {"name": "pod", "finalizers": HELD}
    pod = await client.create(Pod.from_wire(body))
    await client.delete(Pod, "pod")

    async def phase() -> str | None:
        return (await client.get(Pod, "pod")).status.phase

    await until(phase, lambda found: found == "Failed", patience=PATIENCE)
    await client.patch(Pod, "pod", MergePatch({"metadata": {"finalizers": None}}))
    await gone(client, pod)


async def test_a_job_that_is_over_goes_when_its_time_has_passed(client: Client) -> None:
    hour = timedelta(hours=1)
    expired = await job(client, "expired", over_for=hour, ttl=60)
    soon = await job(client, "soon", over_for=timedelta(), ttl=2)
    kept = [await job(client, "later", over_for=hour, ttl=7200), await job(client, "ever", hour, ttl=None)]
    await gone(client, expired, soon)
    assert [await is_there(client, each) for each in kept] == [True, True]
