"""CronJobs: which Jobs they create, keep and remove, and what they say of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE, end, pods_when, template
from kubectl import Tool
from polling import until
from telling import is_told
from windlass.client import DeleteOptions, MergePatch
from windlass.errors import ToolError
from windlass.kinds.batch.v1 import CronJob, Job
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from windlass.client import Client
    from windlass.kinds.batch.v1.cron_job import CronJobStatus
    from windlass.testing import Access

TIMESTAMP = "batch.kubernetes.io/cronjob-scheduled-timestamp"
NEVER = "0 0 1 1 *"
OFTEN = "@every 1s"


async def start(client: Client, schedule: str = NEVER, **spec: Any) -> CronJob:
    """Create the CronJob `tick`."""
    pod = template({}, restartPolicy="Never")
    metadata = {"labels": {"app": "tick"}, "annotations": {"note": "kept"}}
    job = {"metadata": metadata, "spec": {"template": pod}}
    body = {"metadata": {"name": "tick"}, "spec": {"schedule": schedule, "jobTemplate": job, **spec}}
    return await client.create(CronJob.from_wire(body))


async def jobs_when(client: Client, accept: Callable[[Sequence[Job]], bool]) -> list[Job]:
    """The Jobs of the namespace, once a test accepts them."""

    async def ask() -> list[Job]:
        return list(await client.list(Job, client.options.namespace))

    return await until(ask, accept, patience=PATIENCE)


async def status_when(client: Client, accept: Callable[[CronJobStatus], bool]) -> CronJobStatus:
    """The status of the CronJob, once a test accepts it."""

    async def ask() -> CronJobStatus:
        return (await client.get(CronJob, "tick")).status

    return await until(ask, accept, patience=PATIENCE)


async def finish(client: Client, job: str) -> None:
    """Let the pod of a Job succeed, and the Job with it."""
    chosen = f"batch.kubernetes.io/job-name={job}"
    await end(client, *await pods_when(client, chosen, lambda those: len(those) == 1))
    await jobs_when(
        client, lambda those: any(each.metadata.name == job and each.status.completion_time for each in those)
    )


async def ask_for_one(client: Client, cron_job: CronJob, name: str) -> None:
    """Create a Job of a CronJob by hand."""
    template_ = cron_job.spec.job_template.to_wire()
    owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "tick", "uid": cron_job.metadata.uid}
    metadata = {"name": name, "ownerReferences": [{**owner, "controller": True}]}
    await client.create(Job.from_wire({"metadata": metadata, "spec": template_["spec"]}))


async def test_a_moment_has_a_job_that_is_called_by_its_minute(client: Client) -> None:
    cron_job = await start(client, OFTEN)
    (job, *_) = await jobs_when(client, bool)
    status = await status_when(client, lambda status: status.last_schedule_time is not None)
    await client.patch(CronJob, "tick", MergePatch({"spec": {"suspend": True}}))  # not before it is noted
    assert status.last_schedule_time is not None
    assert job.metadata.name == f"tick-{int(status.last_schedule_time.timestamp()) // 60}"
    assert job.metadata.labels["app"] == "tick"
    assert job.metadata.annotations["note"] == "kept"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", job.metadata.annotations[TIMESTAMP])
    owner = job.metadata.owner_references[0]
    assert (owner.kind, owner.uid, owner.controller) == ("CronJob", cron_job.metadata.uid, True)
    active = status.active[0]
    assert (active.kind, active.api_version, active.uid) == ("Job", "batch/v1", job.metadata.uid)
    await is_told(client, "tick", "SuccessfulCreate", f"Created job {job.metadata.name}")

    await finish(client, job.metadata.name)
    status = await status_when(client, lambda status: status.last_successful_time is not None)
    assert not status.active
    message = f"Saw completed job: {job.metadata.name}, condition: Complete"
    await is_told(client, "tick", "SawCompletedJob", message)


async def with_one_at_work(client: Client, policy: str) -> Job:
    """A CronJob one of whose Jobs is still at work when the next moment comes."""
    cron_job = await start(client, OFTEN, concurrencyPolicy=policy, suspend=True)
    await ask_for_one(client, cron_job, "old")
    job = await client.get(Job, "old")
    active = {"apiVersion": "batch/v1", "kind": "Job", "name": "old", "uid": job.metadata.uid}
    status = {"active": [{**active, "namespace": job.metadata.namespace}]}
    await client.status.patch(CronJob, "tick", MergePatch({"status": status}))
    await client.patch(CronJob, "tick", MergePatch({"spec": {"suspend": False}}))
    return job


async def test_while_one_is_at_work_no_other_is_started_where_that_is_forbidden(client: Client) -> None:
    await with_one_at_work(client, "Forbid")
    message = "Not starting job because prior execution is running and concurrency policy is Forbid"
    await is_told(client, "tick", "JobAlreadyActive", message)
    assert [each.metadata.name for each in await jobs_when(client, bool)] == ["old"]


async def test_a_new_one_replaces_the_one_at_work(client: Client) -> None:
    await with_one_at_work(client, "Replace")
    await jobs_when(client, lambda those: [each.metadata.name[:5] for each in those] == ["tick-"])
    await is_told(client, "tick", "SuccessfulDelete", "Deleted job old")


async def test_so_many_that_have_ended_are_kept(client: Client) -> None:
    cron_job = await start(client, successfulJobsHistoryLimit=1, suspend=True)
    await ask_for_one(client, cron_job, "one")
    message = "Saw a job that the controller did not create or forgot: one"
    await is_told(client, "tick", "UnexpectedJob", message, kind="Warning")
    await finish(client, "one")
    await status_when(client, lambda status: status.last_successful_time is not None)
    await ask_for_one(client, cron_job, "two")
    await finish(client, "two")
    await jobs_when(client, lambda those: len(those) == 1)
    await is_told(client, "tick", "SuccessfulDelete", "Deleted job one")


async def test_a_job_that_somebody_deleted_is_active_no_more(client: Client) -> None:
    await start(client, OFTEN)
    (job,) = await jobs_when(client, bool)
    await status_when(client, lambda status: bool(status.active))
    await client.patch(CronJob, "tick", MergePatch({"spec": {"suspend": True}}))
    await client.delete(Job, job.metadata.name, options=DeleteOptions(propagation="Background"))
    uid = job.metadata.uid
    await status_when(client, lambda status: uid not in {each.uid for each in status.active})
    await is_told(client, "tick", "MissingJob", f"Active job went missing: {job.metadata.name}")


async def test_a_schedule_that_never_comes_is_told(client: Client) -> None:
    await start(client, "59 23 31 2 *")
    message = "invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second"
    await is_told(client, "tick", "InvalidSchedule", message, kind="Warning")


async def test_kubectl_makes_a_job_of_it_and_waits_for_its_end(
    client: Client, control_plane: Access, namespace: str, tmp_path: Path
) -> None:
    try:
        kubectl = Tool(find_kubectl(), control_plane, namespace, tmp_path)
    except ToolError as error:
        pytest.skip(str(error))
    await start(client)
    said = await kubectl.run(["create", "job", "by-hand", "--from=cronjob/tick"], {})
    assert said.out == "job.batch/by-hand created\n", said.err
    await finish(client, "by-hand")
    said = await kubectl.run(["wait", "--for=condition=complete", "job/by-hand", "--timeout=20s"], {})
    assert said.out == "job.batch/by-hand condition met\n", said.err
