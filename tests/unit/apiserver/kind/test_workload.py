from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

GENERATION = "deprecated.daemonset.template.generation"


def daemon_set(generation: str, image: str) -> dict[str, Any]:
    spec = {"template": {"spec": {"containers": [{"name": "main", "image": image}]}}}
    return {"metadata": {"name": "a", "annotations": {GENERATION: generation}}, "spec": spec}


@pytest.mark.parametrize(
    ("given", "image", "becomes"), [("0", "app:1", "3"), ("9", "app:1", "3"), ("0", "app:2", "4")]
)
def test_only_changes_of_the_template_of_a_daemon_set_are_counted_apart(
    traits: Callable[[str, str], Any], given: str, image: str, becomes: str
) -> None:
    obj = daemon_set(given, image)

    traits("apps/v1", "DaemonSet").prepare_update(obj, daemon_set("3", "app:1"), World())

    assert obj["metadata"]["annotations"] == {GENERATION: becomes}


def test_a_template_generation_that_is_no_number_is_refused(traits: Callable[[str, str], Any]) -> None:
    daemon_sets = traits("apps/v1", "DaemonSet")

    with pytest.raises(Refusal, match='parsing "x": invalid syntax'):
        daemon_sets.finished(daemon_sets, daemon_set("x", "app:1"))


def test_a_job_selects_by_its_identity_and_has_the_labels_of_its_pods(
    traits: Callable[[str, str], Any],
) -> None:
    job: dict[str, Any] = {"metadata": {"name": "a", "uid": "u"}, "spec": {"template": {}}}
    jobs = traits("batch/v1", "Job")

    jobs.prepare_create(job, World())
    assert jobs.settle(job)
    assert not jobs.settle(job)

    assert job["spec"]["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}}
    assert (
        job["metadata"]["labels"]
        == job["spec"]["template"]["metadata"]["labels"]
        == {
            "job-name": "a",
            "batch.kubernetes.io/job-name": "a",
            "controller-uid": "u",
            "batch.kubernetes.io/controller-uid": "u",
        }
    )


def test_a_job_that_chooses_itself_is_left_alone(traits: Callable[[str, str], Any]) -> None:
    job = {"metadata": {"name": "a", "uid": "u"}, "spec": {"manualSelector": True, "template": {}}}

    traits("batch/v1", "Job").prepare_create(job, World())

    assert job["spec"] == {"manualSelector": True, "template": {}}


def test_annotations_of_a_deployment_are_counted_but_labels_are_not(
    traits: Callable[[str, str], Any],
) -> None:
    deployments = traits("apps/v1", "Deployment")
    old = {"metadata": {"labels": {"a": "b"}}, "spec": {}}

    assert deployments.counts({"metadata": {"annotations": {"a": "b"}}, "spec": {}}, old)
    assert not deployments.counts({"metadata": {"labels": {"a": "c"}}, "spec": {}}, old)


def test_labels_of_an_endpoint_slice_are_counted_but_annotations_are_not(
    traits: Callable[[str, str], Any],
) -> None:
    slices = traits("discovery.k8s.io/v1", "EndpointSlice")
    old: dict[str, Any] = {"metadata": {}, "endpoints": []}

    assert slices.counts({"metadata": {"labels": {"a": "b"}}, "endpoints": []}, old)
    assert not slices.counts({"metadata": {"annotations": {"a": "b"}}, "endpoints": []}, old)
