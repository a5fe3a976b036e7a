"""Which pods a Job should have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from job_cases import FAILURES, INDEX, TRACKING, indexed, job, pod
from windlass.cluster.controller.job.desired import next_steps, pod_of
from windlass.cluster.controller.job.survey import Survey

if TYPE_CHECKING:
    from windlass.kinds.batch.v1 import Job
    from windlass.kinds.core.v1 import Pod

NOW = datetime(2026, 1, 1, 1, tzinfo=UTC)
JUST_NOW = "2026-01-01T00:59:55Z"
GOING = pod("going", deletionTimestamp="2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("found", "pods", "created"),
    [
        (job(parallelism=2, completions=5), [], 2),
        (job(parallelism=5, completions=2), [], 2),
        (job({"succeeded": 3}, parallelism=5, completions=5), [pod("a")], 1),
        (job(parallelism=3, completions=None), [pod("a")], 2),
        (job({"succeeded": 1}, parallelism=3, completions=None), [pod("a")], 0),
        (job(parallelism=0), [], 0),
        (job(suspend=True), [], 0),
        (job(parallelism=2, completions=2), [GOING], 2),
        (job(parallelism=2, completions=2, podReplacementPolicy="Failed"), [GOING], 1),
        (job(parallelism=900, completions=900), [], 500),
    ],
)
def test_as_many_pods_are_created_as_are_missing(found: Job, pods: list[Pod], created: int) -> None:
    assert len(next_steps(Survey(found, pods), NOW).create) == created


@pytest.mark.parametrize(
    ("found", "pods", "removed"),
    [
        (job(parallelism=1, completions=9), [pod("a", "Running"), pod("b")], ["b"]),
        (job(suspend=True), [pod("a", "Running"), pod("b")], ["a", "b"]),
        (indexed(2), [pod("a", index=0), pod("b", "Running", 0), pod("c", index=1)], ["a"]),
        (indexed(1), [pod("a", index=0), pod("b", index=5), pod("c")], ["b", "c"]),
    ],
)
def test_those_that_are_too_many_go(found: Job, pods: list[Pod], removed: list[str]) -> None:
    steps = next_steps(Survey(found, pods), NOW)
    assert sorted(each.metadata.name for each in steps.remove) == removed
    assert not steps.create


def test_the_first_indexes_without_anybody_come_first() -> None:
    found = indexed(9, {"completedIndexes": "0,3"}, parallelism=4)
    steps = next_steps(Survey(found, [pod("a", index=1)]), NOW)
    assert [each.metadata.annotations[INDEX] for each in steps.create] == ["2", "4", "5"]


@pytest.mark.parametrize(
    ("pods", "wait"),
    [
        ([pod("a", "Failed")], None),
        ([pod("a", "Failed", at=JUST_NOW)], 5),
        ([pod("a", "Failed"), pod("b", "Failed", at=JUST_NOW)], 15),
        ([pod("a", "Failed", at=JUST_NOW), pod("b", "Succeeded", at=JUST_NOW)], None),
        ([*(pod(f"p{each}", "Failed") for each in range(20)), pod("b", "Failed", at=JUST_NOW)], 595),
    ],
)
def test_a_pod_that_failed_is_replaced_ever_later(pods: list[Pod], wait: int | None) -> None:
    steps = next_steps(Survey(job(completions=5, backoffLimit=99), pods), NOW)
    assert steps.wait == (None if wait is None else timedelta(seconds=wait))
    assert bool(steps.create) is (wait is None)


def test_an_index_that_fails_does_not_hold_up_the_others() -> None:
    found = indexed(3, backoffLimitPerIndex=3, parallelism=3)
    failed = pod("a", "Failed", 1, code=1, at=JUST_NOW, annotations={FAILURES: "1"})
    steps = next_steps(Survey(found, [failed]), NOW)
    assert [each.metadata.annotations[INDEX] for each in steps.create] == ["0", "2"]
    assert steps.wait == timedelta(seconds=15)
    assert pod_of(Survey(found, [failed]), 1).metadata.annotations[FAILURES] == "2"


def test_a_pod_carries_what_its_template_and_its_index_say() -> None:
    found = pod_of(Survey(indexed(3), []), 2)
    assert found.metadata.generate_name == "work-2-"
    assert found.metadata.labels == {"app": "work", INDEX: "2"}
    assert found.metadata.finalizers == [TRACKING]
    assert found.spec.hostname == "work-2"
    assert [each.name for each in found.spec.containers[0].env] == ["JOB_COMPLETION_INDEX"]
