"""Jobs: how many pods, how failures count, and when and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from by_hand import PATIENCE, end, pods, pods_when, run, template
from polling import until
from telling import is_told
from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Client
    from windlass.kinds.batch.v1.job import JobStatus

TRACKING = "batch.kubernetes.io/job-tracking"
INDEX = "batch.kubernetes.io/job-completion-index"
FAILURES = "batch.kubernetes.io/job-index-failure-count"
OF_JOB = "batch.kubernetes.io/job-name=work"


async def start(client: Client, **spec: Any) -> Job:
    """Create the Job `work`."""
    pod = template({}, restartPolicy="Never")
    return await client.create(
        Job.from_wire({"metadata": {"name": "work"}, "spec": {"template": pod, **spec}})
    )


async def status_when(client: Client, accept: Callable[[JobStatus], bool]) -> JobStatus:
    """The status of the Job, once a test accepts it."""

    async def ask() -> JobStatus:
        return (await client.get(Job, "work")).status

    return await until(ask, accept, patience=PATIENCE)


def said(status: JobStatus) -> list[tuple[str, str | None]]:
    """Type and reason of the conditions that are true, in their order."""
    return [(each.type, each.reason) for each in status.conditions if each.status == "True"]


def is_over(status: JobStatus) -> bool:
    return bool({"Complete", "Failed"} & {type_ for type_, _ in said(status)})


def index_of(pod: Pod) -> str:
    return pod.metadata.annotations[INDEX]


async def active_when(client: Client, count: int) -> list[Pod]:
    """The pods that have not ended, once they are as many."""
    found = await pods_when(
        client, OF_JOB, lambda those: sum(each.status.phase == "Pending" for each in those) == count
    )
    return [pod for pod in found if pod.status.phase == "Pending"]


async def test_pods_run_until_enough_have_succeeded(client: Client) -> None:
    job = await start(client, parallelism=2, completions=3)
    first = await active_when(client, 2)
    assert all(pod.metadata.name.startswith("work-") for pod in first)
    assert all(TRACKING in pod.metadata.finalizers for pod in first)
    owner = first[0].metadata.owner_references[0]
    assert (owner.kind, owner.uid, owner.controller) == ("Job", job.metadata.uid, True)

    await run(client, *first)
    status = await status_when(client, lambda status: status.ready == 2)
    assert (status.active, status.terminating) == (2, 0)
    assert status.start_time is not None
    await end(client, *first)
    last = await active_when(client, 1)
    assert (await status_when(client, lambda status: status.succeeded == 2)).active == 1
    await end(client, *last)

    status = await status_when(client, is_over)
    assert said(status) == [("SuccessCriteriaMet", "CompletionsReached"), ("Complete", "CompletionsReached")]
    wire = status.to_wire()
    assert {name: wire[name] for name in ("succeeded", "ready", "terminating")} == {
        "succeeded": 3,
        "ready": 0,
        "terminating": 0,
    }
    assert wire["uncountedTerminatedPods"] == {}
    assert not {"active", "failed"} & wire.keys()
    assert "completionTime" in wire
    assert not any(pod.metadata.finalizers for pod in await pods(client, OF_JOB))
    await is_told(client, "work", "SuccessfulCreate", f"Created pod: {last[0].metadata.name}")
    await is_told(client, "work", "Completed", "Job completed")


async def test_without_completions_one_success_says_that_the_work_is_done(client: Client) -> None:
    await start(client, parallelism=2)
    one, other = await active_when(client, 2)
    await end(client, one)
    status = await status_when(client, lambda status: status.succeeded == 1)
    assert (status.active, is_over(status)) == (1, False)
    await end(client, other)
    assert (await status_when(client, is_over)).succeeded == 2


async def test_each_index_has_a_pod_until_it_has_succeeded(client: Client) -> None:
    await start(client, parallelism=3, completions=3, completionMode="Indexed")
    found = sorted(await active_when(client, 3), key=index_of)
    assert [index_of(pod) for pod in found] == ["0", "1", "2"]
    assert [pod.metadata.labels[INDEX] for pod in found] == ["0", "1", "2"]
    assert [pod.spec.hostname for pod in found] == ["work-0", "work-1", "work-2"]
    assert all(pod.metadata.name.startswith(f"work-{index_of(pod)}-") for pod in found)
    variable = found[0].spec.containers[0].env[0].to_wire()
    path = {"apiVersion": "v1", "fieldPath": f"metadata.labels['{INDEX}']"}
    assert variable == {"name": "JOB_COMPLETION_INDEX", "valueFrom": {"fieldRef": path}}

    await end(client, found[0], found[2])
    status = await status_when(client, lambda status: status.succeeded == 2)
    assert status.completed_indexes == "0,2"
    await end(client, found[1], code=1)
    (again,) = await active_when(client, 1)
    assert (index_of(again), again.metadata.uid != found[1].metadata.uid) == ("1", True)
    await end(client, again)
    status = await status_when(client, is_over)
    assert (status.completed_indexes, status.succeeded, status.failed) == ("0-2", 3, 1)


async def test_too_many_failures_end_it_and_its_pods(client: Client) -> None:
    await start(client, parallelism=2, completions=2, backoffLimit=0)
    one, other = await active_when(client, 2)
    await end(client, one, code=3)
    status = await status_when(client, is_over)
    reason = "BackoffLimitExceeded"
    assert said(status) == [("FailureTarget", reason), ("Failed", reason)]
    assert (status.failed, status.active, status.terminating) == (2, 0, 0)
    assert [pod.metadata.name for pod in await pods(client, OF_JOB)] == [one.metadata.name]
    await is_told(client, "work", "SuccessfulDelete", f"Deleted pod: {other.metadata.name}")
    message = "Job has reached the specified backoff limit"
    await is_told(client, "work", reason, message, kind="Warning")


async def test_an_index_that_fails_too_often_does_not_stop_the_others(client: Client) -> None:
    await start(
        client, parallelism=2, completions=2, completionMode="Indexed", backoffLimitPerIndex=1, backoffLimit=9
    )
    zero, one = sorted(await active_when(client, 2), key=index_of)
    assert zero.metadata.annotations[FAILURES] == "0"
    await end(client, zero, code=1)
    (again,) = [pod for pod in await active_when(client, 2) if index_of(pod) == "0"]
    assert again.metadata.annotations[FAILURES] == "1"
    await end(client, again, code=1)
    status = await status_when(client, lambda status: status.failed == 2)
    assert (status.active, status.failed_indexes) == (1, "0")
    await end(client, one)
    status = await status_when(client, is_over)
    assert said(status) == [("FailureTarget", "FailedIndexes"), ("Failed", "FailedIndexes")]
    assert (status.completed_indexes, status.succeeded, status.failed) == ("1", 1, 2)


async def test_more_failed_indexes_than_allowed_end_it(client: Client) -> None:
    limits = {"backoffLimitPerIndex": 0, "maxFailedIndexes": 0}
    await start(client, parallelism=2, completions=2, completionMode="Indexed", **limits)
    zero, _ = sorted(await active_when(client, 2), key=index_of)
    await end(client, zero, code=1)
    status = await status_when(client, is_over)
    assert said(status)[-1] == ("Failed", "MaxFailedIndexesExceeded")


async def test_a_failure_policy_judges_by_exit_code(client: Client) -> None:
    rules = [
        {"action": "Ignore", "onExitCodes": {"operator": "In", "values": [42]}},
        {"action": "FailJob", "onExitCodes": {"containerName": "main", "operator": "NotIn", "values": [1]}},
    ]
    await start(client, backoffLimit=0, podFailurePolicy={"rules": rules})
    await end(client, *await active_when(client, 1), code=42)
    (second,) = await active_when(client, 1)
    assert (await status_when(client, lambda status: status.active == 1)).failed == 0
    await end(client, second, code=3)
    status = await status_when(client, is_over)
    failed = status.conditions[-1]
    name = f"{second.metadata.namespace}/{second.metadata.name}"
    assert (failed.type, failed.reason) == ("Failed", "PodFailurePolicy")
    assert failed.message == (
        f"Container main for pod {name} failed with exit code 3 matching FailJob rule at index 1"
    )
    assert status.failed == 1


async def test_a_success_policy_ends_it_before_all_have_succeeded(client: Client) -> None:
    policy = {"rules": [{"succeededIndexes": "1-2", "succeededCount": 1}]}
    await start(client, parallelism=3, completions=3, completionMode="Indexed", successPolicy=policy)
    leader = sorted(await active_when(client, 3), key=index_of)[1]
    await end(client, leader)
    status = await status_when(client, is_over)
    assert said(status) == [("SuccessCriteriaMet", "SuccessPolicy"), ("Complete", "SuccessPolicy")]
    assert status.conditions[0].message == "Matched rules at index 0"
    assert (status.succeeded, status.failed, status.active) == (1, 0, 0)
    assert [pod.metadata.name for pod in await pods(client, OF_JOB)] == [leader.metadata.name]


async def test_it_ends_at_its_deadline(client: Client) -> None:
    await start(client, activeDeadlineSeconds=1)
    status = await status_when(client, is_over)
    assert said(status) == [("FailureTarget", "DeadlineExceeded"), ("Failed", "DeadlineExceeded")]
    assert status.failed == 1


async def test_a_suspended_one_has_no_pods_until_it_is_resumed(client: Client) -> None:
    await start(client, parallelism=2)
    await active_when(client, 2)
    await client.patch(Job, "work", MergePatch({"spec": {"suspend": True}}))
    status = await status_when(client, lambda status: ("Suspended", "JobSuspended") in said(status))
    assert (status.active, status.start_time, status.failed) == (0, None, 0)
    await active_when(client, 0)
    await is_told(client, "work", "Suspended", "Job suspended")

    await client.patch(Job, "work", MergePatch({"spec": {"suspend": False, "parallelism": 1}}))
    await active_when(client, 1)
    status = await status_when(client, lambda status: bool(status.conditions) and not said(status))
    assert status.conditions[0].reason == "JobResumed"
    assert status.start_time is not None
    await is_told(client, "work", "Resumed", "Job resumed")


async def test_fewer_at_a_time_removes_those_that_have_got_least_far(client: Client) -> None:
    await start(client, parallelism=3, completions=5)
    kept = (await active_when(client, 3))[1]
    await run(client, kept)
    await status_when(client, lambda status: status.ready == 1)
    await client.patch(Job, "work", MergePatch({"spec": {"parallelism": 1}}))
    (left,) = await pods_when(client, OF_JOB, lambda those: len(those) == 1)
    assert left.metadata.name == kept.metadata.name
    status = await status_when(client, lambda status: status.active == 1 and not status.terminating)
    assert (status.failed, status.ready) == (0, 1)


async def test_a_deleted_pod_counts_as_failed_and_is_replaced(client: Client) -> None:
    await start(client)
    (first,) = await active_when(client, 1)
    await client.delete(Pod, first.metadata.name)
    await pods_when(client, OF_JOB, lambda those: bool(those) and those[0].metadata.uid != first.metadata.uid)
    assert (await status_when(client, lambda status: status.active == 1)).failed == 1


async def test_a_pod_that_is_to_have_ended_first_is_not_replaced_while_it_is_ending(client: Client) -> None:
    await start(client, podReplacementPolicy="Failed")
    (first,) = await active_when(client, 1)
    await run(client, first)
    await client.patch(Pod, first.metadata.name, MergePatch({"metadata": {"finalizers": [TRACKING, "a/b"]}}))
    await client.delete(Pod, first.metadata.name)
    status = await status_when(client, lambda status: status.terminating == 1)
    assert (status.active, status.failed) == (0, 0)
    assert not await pods(client, OF_JOB)

    await end(client, first, code=1)
    await active_when(client, 1)
    status = await status_when(client, lambda status: status.failed == 1)
    assert (status.terminating, status.active) == (0, 1)
    await client.patch(Pod, first.metadata.name, MergePatch({"metadata": {"finalizers": None}}))


async def test_one_that_somebody_else_manages_is_left_alone(client: Client) -> None:
    await start(client, managedBy="example.com/other")
    await client.create(
        Job.from_wire(
            {"metadata": {"name": "own"}, "spec": {"template": template({}, restartPolicy="Never")}}
        )
    )
    await pods_when(client, "batch.kubernetes.io/job-name=own", lambda those: len(those) == 1)
    assert (await client.get(Job, "work")).status.to_wire() == {}
    assert not await pods(client, OF_JOB)


async def test_a_pod_that_belongs_to_nobody_is_adopted_and_one_that_fits_no_more_is_let_go(
    client: Client,
) -> None:
    pod = template({"app": "work"}, restartPolicy="Never")
    orphan = await client.create(
        Pod.from_wire({**pod, "metadata": {"name": "lost", "labels": {"app": "work"}}})
    )
    chosen = {"manualSelector": True, "selector": {"matchLabels": {"app": "work"}}}
    job = await client.create(
        Job.from_wire({"metadata": {"name": "work"}, "spec": {"template": pod, **chosen}})
    )
    (adopted,) = await pods_when(client, "app=work", lambda those: TRACKING in those[0].metadata.finalizers)
    assert adopted.metadata.name == orphan.metadata.name
    assert adopted.metadata.owner_references[0].uid == job.metadata.uid

    await client.patch(Pod, "lost", MergePatch({"metadata": {"labels": {"app": "free"}}}))
    (free,) = await pods_when(
        client, "app=free", lambda those: bool(those) and not those[0].metadata.finalizers
    )
    assert not free.metadata.owner_references
    await pods_when(client, "app=work", lambda those: len(those) == 1)


async def test_pods_of_one_that_is_deleted_are_not_held_back(client: Client) -> None:
    await start(client)
    (pod,) = await active_when(client, 1)
    await client.delete(Job, "work")

    async def finalizers() -> list[str]:
        try:
            return (await client.get(Pod, pod.metadata.name)).metadata.finalizers
        except NotFound:
            return []

    await until(finalizers, lambda found: not found, patience=PATIENCE)
