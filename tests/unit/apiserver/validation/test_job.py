"""What the tables do not show: jobs with a history."""

from __future__ import annotations

from typing import Any

from broken import ABSENT, edited
from broken_jobs import JOB, SUSPENDED
from verdict import accepted, judge, stored

DONE = [{"type": "Complete", "status": "True"}, {"type": "SuccessCriteriaMet", "status": "True"}]
TIMES = {
    "/status/startTime": "2020-01-01T00:00:00Z",
    "/status/completionTime": "2020-01-02T00:00:00Z",
}
COMPLETE = edited(JOB.valid, {"/status/conditions": DONE, "/status/succeeded": 2, **TIMES})
INDEXED = {"/spec/completionMode": "Indexed", "/spec/completions": 3, "/spec/parallelism": 3}


def told(body: dict[str, Any], edit: dict[str, Any], subresource: str = "") -> list[tuple[str, str]]:
    old = stored(body)
    answer = judge(accepted(edited(old, edit), new=False), old, subresource)
    return [(field, message) for field, message in answer["causes"]] if answer else []


def test_a_complete_job_stays_complete() -> None:
    assert told(COMPLETE, {}, "status") == []
    assert told(COMPLETE, {"/status/conditions": ABSENT, "/status/completionTime": ABSENT}, "status") == [
        ("status.conditions", "Invalid value: cannot disable the terminal Complete=True condition"),
        ("status.conditions", "Invalid value: cannot disable the SuccessCriteriaMet=True condition"),
    ]


def test_times_and_counts_do_not_go_back() -> None:
    later = {
        "/status/completionTime": "2020-01-03T00:00:00Z",
        "/status/startTime": ABSENT,
        "/status/succeeded": 1,
    }

    assert told(COMPLETE, later, "status") == [
        ("status.startTime", "Required value: startTime is required for finished job"),
        ("status.succeeded", "Invalid value: 1: cannot decrease the succeeded counter"),
        ("status.completionTime", 'Invalid value: "2020-01-03T00:00:00Z": field is immutable'),
        ("status.startTime", "Invalid value: null: field is immutable for unsuspended job once set"),
    ]


def test_a_job_that_is_scaled_down_may_have_succeeded_less() -> None:
    body = edited(JOB.valid, {**INDEXED, "/status/succeeded": 2, "/status/completedIndexes": "0,2"})

    assert told(body, {"/status/succeeded": 1, "/status/completedIndexes": "0"}, "status") == []


def test_completed_and_failed_indexes_do_not_overlap() -> None:
    body = edited(JOB.valid, {**INDEXED, "/spec/backoffLimitPerIndex": 1})

    assert told(body, {"/status/completedIndexes": "0-1", "/status/failedIndexes": "1-2"}, "status") == [
        (
            "status.failedIndexes",
            'Invalid value: "1-2": failedIndexes and completedIndexes overlap at index: 1',
        )
    ]


def test_an_indexed_job_changes_its_completions_with_its_parallelism() -> None:
    body = edited(JOB.valid, INDEXED)

    assert told(body, {"/spec/completions": 5, "/spec/parallelism": 5}) == []
    assert told(body, {"/spec/completions": 5}) == [
        ("spec.completions", "Invalid value: 5: can only be modified in tandem with spec.parallelism")
    ]


def test_a_suspended_job_that_has_run_keeps_its_template() -> None:
    edit = {"/spec/template/spec/nodeSelector": {"a": "b"}}
    started = edited(SUSPENDED.valid, {"/status/startTime": "2020-01-01T00:00:00Z"})
    stopped = edited(started, {"/status/conditions": [{"type": "Suspended", "status": "True"}]})

    assert told(SUSPENDED.valid, edit) == []
    assert [field for field, _ in told(started, edit)] == ["spec.template"]
    assert told(stopped, edit) == []
    assert [field for field, _ in told(edited(stopped, {"/status/active": 1}), edit)] == ["spec.template"]


def test_a_job_from_before_the_prefixed_labels_may_do_without_them() -> None:
    old = stored(JOB.valid)
    labels = old["spec"]["template"]["metadata"]["labels"]
    for name in ("job-name", "controller-uid"):
        del labels[f"batch.kubernetes.io/{name}"]
    old["spec"]["selector"] = {"matchLabels": {"controller-uid": old["metadata"]["uid"]}}

    assert judge(accepted(edited(old, {"/spec/parallelism": 2}), new=False), old) is None
