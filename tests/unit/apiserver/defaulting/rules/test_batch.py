from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill


def job(**spec: Any) -> dict[str, Any]:
    made = {"metadata": {"name": "a"}, "spec": spec}
    fill("batch/v1/Job", made)
    return made


@pytest.mark.parametrize(
    ("given", "parallelism", "completions"),
    [
        ({}, 1, 1),
        ({"parallelism": 2}, 2, None),
        ({"parallelism": 0}, 0, None),
        ({"completions": 3}, 1, 3),
        ({"parallelism": 2, "completions": 3}, 2, 3),
    ],
)
def test_a_job_is_done_by_one_pod(given: dict[str, int], parallelism: int, completions: int | None) -> None:
    spec = job(**given)["spec"]

    assert (spec["parallelism"], spec.get("completions")) == (parallelism, completions)


@pytest.mark.parametrize(
    ("given", "expected"), [({}, 6), ({"backoffLimitPerIndex": 1}, 2**31 - 1), ({"backoffLimit": 0}, 0)]
)
def test_a_job_is_retried_six_times_unless_each_index_has_its_own_limit(
    given: dict[str, int], expected: int
) -> None:
    assert job(**given)["spec"]["backoffLimit"] == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "TerminatingOrFailed"),
        ({"podFailurePolicy": {"rules": []}}, "Failed"),
        ({"podReplacementPolicy": "Failed"}, "Failed"),
    ],
    ids=["plain", "with a failure policy", "given"],
)
def test_a_pod_that_must_be_judged_is_replaced_once_it_has_failed(
    given: dict[str, Any], expected: str
) -> None:
    assert job(**given)["spec"]["podReplacementPolicy"] == expected


def test_a_condition_of_a_failure_policy_is_one_that_holds() -> None:
    pattern = {"type": "x"}

    job(podFailurePolicy={"rules": [{"action": "Ignore", "onPodConditions": [pattern]}]})

    assert pattern["status"] == "True"


def test_a_job_without_labels_has_those_of_its_pods() -> None:
    made = job(template={"metadata": {"labels": {"app": "a"}}})

    assert made["metadata"]["labels"] == {"app": "a"}
    assert made["metadata"]["labels"] is not made["spec"]["template"]["metadata"]["labels"]


def test_a_job_keeps_its_own_labels() -> None:
    made: dict[str, Any] = {
        "metadata": {"labels": {"x": "y"}},
        "spec": {"template": {"metadata": {"labels": {"app": "a"}}}},
    }

    fill("batch/v1/Job", made)

    assert made["metadata"]["labels"] == {"x": "y"}
