"""CronJobs on virtual time: which moments have a Job, however long nobody looks."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from operating import Operating, moving
from windlass.aio import ManualClock
from windlass.apiserver import World
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster, ClusterOptions
from windlass.cluster.controller.cron_job import CronJobController
from windlass.cluster.controller.cron_job.schedule import due, moments_of, next_look
from windlass.kinds.batch.v1 import CronJob, Job
from windlass.kinds.core.v1 import Event
from windlass.manager import Manager, ManagerOptions
from windlass.testing import RecordingTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

START = datetime(2026, 3, 1, tzinfo=UTC)
_TURNS = 300
TIMESTAMP = "batch.kubernetes.io/cronjob-scheduled-timestamp"


def cron_job(schedule: str, **spec: Any) -> CronJob:
    pod = {"containers": [{"name": "main", "image": "web:1"}], "restartPolicy": "Never"}
    job = {"spec": {"template": {"spec": pod}}}
    metadata = {"name": "tick", "namespace": "default", "creationTimestamp": "2026-03-01T00:00:00Z"}
    return CronJob.from_wire(
        {"metadata": metadata, "spec": {"schedule": schedule, "jobTemplate": job, **spec}}
    )


def since(found: CronJob, moment: datetime) -> CronJob:
    found.status.last_schedule_time = moment
    return found


class Ticking(Operating):
    """A running operator that stands between two moments of virtual time."""

    async def settle(self) -> None:
        """Let everything run that waits for no other moment; nothing else is waited for here."""
        for _ in range(_TURNS):
            await asyncio.sleep(0)


@asynccontextmanager
async def ticking(clock: ManualClock) -> AsyncIterator[Ticking]:
    """A cluster on virtual time where nothing but CronJobs happens."""
    async with Cluster(ClusterOptions(world=World(clock=clock, chance=Random(1)))) as cluster:
        manager = Manager(
            Client(cluster.transport()), ManagerOptions(name="tester"), clock=clock, random=Random(2)
        )
        manager.add(CronJobController())
        found = Ticking(Client(cluster.transport()), manager, RecordingTransport(cluster.transport()))
        async with asyncio.TaskGroup() as group:
            found.task = group.create_task(manager.run())
            yield found
            await moving(clock, found.stop())


async def complete(client: Client) -> None:
    """Let every Job succeed that has not."""
    for job in await client.list(Job, "default"):
        if not job.status.conditions:
            now = "2026-03-01T00:00:00Z"
            said = [{"type": each, "status": "True"} for each in ("SuccessCriteriaMet", "Complete")]
            status = {"conditions": said, "startTime": now, "completionTime": now, "ready": 0}
            await client.status.patch(Job, job.metadata.name, MergePatch({"status": status}), "default")


async def test_each_moment_has_a_job_and_so_many_are_kept() -> None:
    clock = ManualClock(START)
    seen: list[str] = []
    async with ticking(clock) as operator:
        client = operator.client
        await client.create(cron_job("*/20 * * * *", timeZone="Asia/Kolkata"))
        await operator.settle()
        for _ in range(7):
            await clock.advance(timedelta(minutes=20))
            await operator.settle()
            jobs = await client.list(Job, "default")
            seen += [name for each in jobs if (name := each.metadata.annotations[TIMESTAMP]) not in seen]
            await complete(client)
        await operator.settle()
        left = [each.metadata.annotations[TIMESTAMP] for each in await client.list(Job, "default")]
        status = (await client.get(CronJob, "tick", "default")).status
    assert seen == [
        f"2026-03-01T{each}:00+05:30"
        for each in ("05:40", "06:00", "06:20", "06:40", "07:00", "07:20", "07:40")
    ]
    assert left == seen[-3:]
    assert (status.active, status.last_schedule_time) == ([], START + timedelta(minutes=130))


def test_a_month_passes_on_the_clock_of_its_zone() -> None:
    found = cron_job("0 6,18 * * mon-fri", timeZone="Europe/Berlin")
    moments, now = moments_of(found), START
    served: list[datetime] = []
    while now < START + timedelta(days=31):
        moment = due(found, moments, now).moment
        if moment is not None:
            served.append(moment)
            since(found, moment)
        now += next_look(found, moments, now)
    days = Counter(f"{each:%Y-%m-%d}" for each in served)
    month = [START + timedelta(days=each) for each in range(31)]
    assert days == {f"{day:%Y-%m-%d}": 2 for day in month if day.weekday() < 5}
    assert {each.hour for each in served if each.day < 29} == {5, 17}
    assert {each.hour for each in served if each.day > 29} == {4, 16}  # summer


async def test_after_a_long_sleep_only_the_last_moment_has_a_job_and_the_others_are_told() -> None:
    clock = ManualClock(START)
    async with ticking(clock) as operator:
        client = operator.client
        await client.create(cron_job("* * * * *", startingDeadlineSeconds=86400))
        await operator.settle()
        clock.jump(timedelta(hours=3))
        await clock.advance(timedelta(seconds=70))
        await operator.settle()
        await clock.advance(timedelta(seconds=1))
        jobs = await client.list(Job, "default")
        told = {each.reason for each in await client.list(Event, "default")}
    assert [job.metadata.annotations[TIMESTAMP] for job in jobs] == ["2026-03-01T03:01:00Z"]
    assert "TooManyMissedTimes" in told


@pytest.mark.parametrize(
    ("schedule", "last", "now", "expected"),
    [
        ("0 * * * *", "2026-03-01T00:00:00", "2026-03-01T00:59:59", None),
        ("0 * * * *", "2026-03-01T00:00:00", "2026-03-01T01:00:00", "2026-03-01T01:00:00"),
        ("0 * * * *", "2026-03-01T00:00:00", "2026-03-01T09:30:00", "2026-03-01T09:00:00"),
        ("30 6-16/4 * * 1-5", "2026-03-02T14:30:00", "2026-03-09T07:00:00", "2026-03-09T06:30:00"),
        ("@every 7m", "2026-03-01T00:01:00", "2026-03-01T00:21:59", "2026-03-01T00:15:00"),
        ("@every 1.5s", "2026-03-01T00:00:00", "2026-03-01T00:00:01", "2026-03-01T00:00:01"),
        ("@monthly", "2026-03-01T00:00:00", "2027-01-15T00:00:00", "2027-01-01T00:00:00"),
        ("TZ=Asia/Tokyo 0 0 * * *", "2026-03-01T00:00:00", "2026-03-01T15:00:00", "2026-03-01T15:00:00"),
    ],
)
def test_the_last_moment_that_has_passed_is_due(
    schedule: str, last: str, now: str, expected: str | None
) -> None:
    found = since(cron_job(schedule), datetime.fromisoformat(last + "Z"))
    moment = due(found, moments_of(found), datetime.fromisoformat(now + "Z")).moment
    assert moment == (datetime.fromisoformat(expected + "Z") if expected else None)


def test_a_moment_is_too_late_after_its_deadline() -> None:
    found = cron_job("0 * * * *", startingDeadlineSeconds=600)
    moments = moments_of(found)
    assert due(found, moments, START + timedelta(minutes=69)).moment == START + timedelta(hours=1)
    assert due(found, moments, START + timedelta(minutes=71)).moment is None


def test_more_than_a_hundred_missed_are_many() -> None:
    found = cron_job("* * * * *")
    moments = moments_of(found)
    assert not due(found, moments, START + timedelta(minutes=100)).has_missed_many
    assert due(found, moments, START + timedelta(minutes=101)).has_missed_many


def test_the_next_look_is_a_little_after_the_next_moment() -> None:
    found = cron_job("0 * * * *")
    moments = moments_of(found)
    assert next_look(found, moments, START) == timedelta(hours=1, milliseconds=100)
    missed = START + timedelta(hours=5, minutes=30)
    assert next_look(found, moments, missed) == timedelta(minutes=30, milliseconds=100)


@pytest.mark.parametrize("schedule", ["59 23 31 2 *", "61 * * * *", "@every often"])
def test_a_schedule_that_never_comes_is_an_error(schedule: str) -> None:
    with pytest.raises(ValueError, match=r"schedule|never|duration"):
        moments_of(cron_job(schedule))


async def test_a_job_that_has_the_name_of_an_earlier_one_is_not_taken_for_it() -> None:
    clock = ManualClock(START)
    async with ticking(clock) as operator:
        client = operator.client
        found = cron_job("*/20 * * * *", concurrencyPolicy="Replace")
        metadata = {"name": "tick-1", "namespace": "default"}
        foreign = {"metadata": metadata, "spec": found.spec.job_template.to_wire()["spec"]}
        await client.create(Job.from_wire(foreign))
        await client.create(found)
        earlier = {"apiVersion": "batch/v1", "kind": "Job", "uid": "an earlier one", **metadata}
        await client.status.patch(CronJob, "tick", MergePatch({"status": {"active": [earlier]}}), "default")
        await operator.settle()
        await clock.advance(timedelta(minutes=20))
        await operator.settle()
        names = [each.metadata.name for each in await client.list(Job, "default")]
        active = (await client.get(CronJob, "tick", "default")).status.active
    assert "tick-1" in names
    assert [each.name for each in active] == [each for each in names if each != "tick-1"]
