"""Whether a Job has come to its end, by its pods."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from job_cases import FAILURES, indexed, job, pod
from windlass.cluster.controller.job.ending import completion, early_ending
from windlass.cluster.controller.job.survey import Survey
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from windlass.kinds.batch.v1 import Job

NOW = datetime(2026, 1, 1, 1, tzinfo=UTC)
LONG_AGO = {"startTime": "2026-01-01T00:00:00Z"}
TARGET = {"type": "FailureTarget", "status": "True", "reason": "DeadlineExceeded", "message": "late"}
IGNORE = {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "Disrupted", "status": "True"}]}]}
FAIL_INDEX = {"rules": [{"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [9]}}]}
FAIL_JOB = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "NotIn", "values": [9]}}]}


def failed(name: str, index: int | None = None, *, code: int = 1, before: int = 0) -> Pod:
    return pod(name, "Failed", index, code=code, annotations={FAILURES: str(before)})


def restarted(times: int) -> Pod:
    found = pod("p", "Running")
    found.status.container_statuses[0].restart_count = times
    return found


def on_failure(limit: int) -> Job:
    found = job(backoffLimit=limit)
    assert found.spec.template.spec
    found.spec.template.spec.restart_policy = "OnFailure"
    return found


def disrupted(name: str) -> Pod:
    found = failed(name)
    return Pod.from_wire(
        found.to_wire()
        | {"status": found.status.to_wire() | {"conditions": [{"type": "Disrupted", "status": "True"}]}}
    )


@pytest.mark.parametrize(
    ("found", "pods", "reason"),
    [
        (job(backoffLimit=1), [failed("a")], ""),
        (job(backoffLimit=1), [failed("a"), failed("b")], "BackoffLimitExceeded"),
        (job({"failed": 1}, backoffLimit=1), [failed("a")], "BackoffLimitExceeded"),
        (
            job({"failed": 1, "uncountedTerminatedPods": {"failed": ["a"]}}, backoffLimit=2),
            [failed("a")],
            "",
        ),
        (job(backoffLimit=0, podFailurePolicy=IGNORE), [disrupted("a")], ""),
        (job(backoffLimit=0, podFailurePolicy=IGNORE), [failed("a")], "BackoffLimitExceeded"),
        (job(podFailurePolicy=FAIL_JOB), [failed("a", code=3)], "PodFailurePolicy"),
        (job(podFailurePolicy=FAIL_JOB), [failed("a", code=9)], ""),
        (on_failure(3), [restarted(2)], ""),
        (on_failure(3), [restarted(3)], "BackoffLimitExceeded"),
        (on_failure(0), [restarted(0)], ""),
        (on_failure(0), [restarted(1)], "BackoffLimitExceeded"),
        (job(LONG_AGO, activeDeadlineSeconds=3601), [], ""),
        (job(LONG_AGO, activeDeadlineSeconds=3600), [], "DeadlineExceeded"),
        (job(LONG_AGO, activeDeadlineSeconds=1, suspend=True), [], ""),
        (job({"conditions": [TARGET]}), [], "DeadlineExceeded"),
        (indexed(2, backoffLimitPerIndex=1), [failed("a", 0)], ""),
        (
            indexed(2, backoffLimitPerIndex=1),
            [failed("a", 0, before=1), failed("b", 1, before=1)],
            "FailedIndexes",
        ),
        (indexed(2, {"completedIndexes": "1"}, backoffLimitPerIndex=0), [failed("a", 0)], "FailedIndexes"),
        (
            indexed(3, backoffLimitPerIndex=0, maxFailedIndexes=0),
            [failed("a", 0)],
            "MaxFailedIndexesExceeded",
        ),
        (
            indexed(2, {"failedIndexes": "1"}, backoffLimitPerIndex=9, podFailurePolicy=FAIL_INDEX),
            [failed("a", 0, code=9)],
            "FailedIndexes",
        ),
        (indexed(3, successPolicy={"rules": [{"succeededCount": 2}]}), [pod("a", "Succeeded", 1)], ""),
        (
            indexed(3, {"completedIndexes": "0"}, successPolicy={"rules": [{"succeededCount": 2}]}),
            [pod("a", "Succeeded", 1)],
            "SuccessPolicy",
        ),
        (
            indexed(3, successPolicy={"rules": [{"succeededIndexes": "0,2"}]}),
            [pod("a", "Succeeded", 0), pod("b", "Succeeded", 2)],
            "SuccessPolicy",
        ),
    ],
)
def test_a_job_ends_early_for_a_reason(found: Job, pods: list[Pod], reason: str) -> None:
    ending = early_ending(Survey(found, pods), NOW)
    assert (ending.reason if ending else "") == reason


@pytest.mark.parametrize(
    ("found", "pods", "ends"),
    [
        (job(completions=2), [pod("a", "Succeeded")], False),
        (job(completions=2), [pod("a", "Succeeded"), pod("b", "Succeeded")], True),
        (job({"succeeded": 1}, completions=2), [pod("a", "Succeeded")], True),
        (job(completions=1), [pod("a", "Succeeded"), pod("b")], False),
        (job(completions=0), [], True),
        (job(completions=None), [pod("a", "Succeeded"), pod("b", "Failed")], True),
        (job(completions=None), [pod("a", "Failed")], False),
        (indexed(2), [pod("a", "Succeeded", 0), pod("b", "Succeeded", 0)], False),
        (indexed(2), [pod("a", "Succeeded", 0), pod("b", "Succeeded", 1)], True),
        (indexed(2, {"completedIndexes": "0"}), [pod("b", "Succeeded", 7)], False),
    ],
)
def test_it_is_complete_when_all_has_succeeded_and_nobody_is_at_work(
    found: Job, pods: list[Pod], *, ends: bool
) -> None:
    assert (completion(Survey(found, pods)) is not None) is ends
