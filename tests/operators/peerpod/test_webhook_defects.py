"""What the webhook that ours replaces gets wrong, one test for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from remote_pods import VM, asked, container, remote_pod, size
from windlass.kinds.core.v1 import Container, Pod
from windlass.operators.peerpod.webhook import (
    MACHINE_TYPE,
    MEMORY,
    VCPUS,
    SizingSettings,
    UnsizableError,
    sized,
)

if TYPE_CHECKING:
    from windlass.api import Json

SETTINGS = SizingSettings()
ONE = {VM: "1"}


def test_W01_init_containers_are_not_added_to_those_that_run_after_them() -> None:
    pod = remote_pod(
        container(requests={"cpu": "2"}),
        container("other", requests={"cpu": "1"}),
        initContainers=[
            container("init", requests={"cpu": "4"}),
            container("sidecar", requests={"cpu": "2"}, restartPolicy="Always"),
        ],
    )

    assert size(sized(pod, SETTINGS).pod)[0] == "5"  # 2 + 1 + 2 with the sidecar, which is more than 4


def test_W02_a_limit_without_a_request_counts() -> None:
    pod = remote_pod(container(limits={"cpu": "3", "memory": "5Gi"}))

    assert size(sized(pod, SETTINGS).pod)[:2] == ("3", "5120")


def test_W03_an_annotation_of_the_author_stays() -> None:
    pod = remote_pod(container(requests={"cpu": "2", "memory": "1Gi"}), annotations={VCPUS: "8"})

    once = sized(pod, SETTINGS).pod

    assert size(once)[:2] == ("8", "1024")
    assert size(sized(once, SETTINGS).pod)[:2] == ("8", "1024")


def test_W04_an_instance_type_becomes_the_type_of_the_machine() -> None:
    settings = SizingSettings(instance_type="m6i.large")
    of_its_own = remote_pod(annotations={MACHINE_TYPE: "c7g.metal"})

    assert size(sized(remote_pod(container(requests={"cpu": "2"})), settings).pod) == (
        "2",
        "",
        "",
        "m6i.large",
    )
    assert size(sized(of_its_own, settings).pod) == ("", "", "", "c7g.metal")


def test_W05_what_the_machine_does_not_give_stays_with_the_node() -> None:
    kept = {"ephemeral-storage": "1Gi", "example.com/device": "2"}
    taken = {"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "1", "hugepages-2Mi": "4Mi"}
    pod = remote_pod(container(requests=kept | taken, limits=kept | taken))
    pod.spec.containers[0].resources = _with_claim(pod)

    assert asked(sized(pod, SETTINGS).pod)["app"] == {
        "requests": kept | ONE,
        "limits": kept | ONE,
        "claims": [{"name": "gpu"}],
    }
    only_cpu = SizingSettings(taken=("cpu",))
    assert asked(sized(remote_pod(container(requests=kept | taken)), only_cpu).pod)["app"]["requests"] == {
        **kept,
        **{name: amount for name, amount in taken.items() if name != "cpu"},
        **ONE,
    }


def _with_claim(pod: Pod) -> Any:
    resources = pod.spec.containers[0].resources
    assert resources
    return type(resources).from_wire({**resources.to_wire(), "claims": [{"name": "gpu"}]})


def test_W06_what_a_pod_asks_for_as_a_whole_goes_before_its_containers() -> None:
    whole = {"requests": {"cpu": "6"}, "limits": {"memory": "8Gi"}}
    pod = remote_pod(container(requests={"cpu": "1", "memory": "1Gi"}), resources=whole)

    after = sized(pod, SETTINGS).pod

    assert size(after)[:2] == ("6", "8192")
    assert after.spec.resources is None


def test_W08_asked_again_after_another_webhook_it_sizes_the_whole_pod() -> None:
    pod = remote_pod(container(requests={"cpu": "2"}, limits={"cpu": "3", "memory": "1Gi"}))
    between = sized(pod, SETTINGS).pod
    proxy = container(
        "proxy", requests={"cpu": "500m", "memory": "128Mi"}, limits={"cpu": "2", "memory": "1Gi"}
    )
    between.spec.containers.insert(0, Container.from_wire(proxy))

    after = sized(between, SETTINGS).pod

    assert size(after)[:2] == ("5", "2048")
    assert asked(after) == {"proxy": {}, "app": {"requests": ONE, "limits": ONE}}
    assert sized(after, SETTINGS) == (after, ())


def test_W09_there_may_be_several_runtime_classes() -> None:
    settings = SizingSettings(runtime_classes=("kata-remote", "kata-remote-gpu"))

    for name in settings.runtime_classes:
        assert VM in asked(sized(remote_pod(runtimeClassName=name), settings).pod)["app"]["limits"]


@pytest.mark.parametrize("resources", [{"cpu": "-1"}, {"cpu": "9e15"}, {"memory": "8Ei"}])
def test_W10_what_cannot_be_a_size_is_refused_and_never_written_as_zero(resources: Json) -> None:
    with pytest.raises(UnsizableError):
        sized(remote_pod(container(requests=resources)), SETTINGS)


def test_W11_the_author_is_told_what_became_of_the_pod() -> None:
    pod = remote_pod(container(requests={"cpu": "2", "memory": "1Gi"}), annotations={MEMORY: "4096"})

    assert sized(pod, SETTINGS).warnings == (
        "cpu, memory: asked of the pod's machine (default_vcpus=2), not of its node",
        "default_memory=4096 was there and stays, in the place of 1024",
    )
    assert sized(remote_pod(), SETTINGS).warnings == ()
