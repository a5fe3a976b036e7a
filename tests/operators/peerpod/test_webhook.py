"""What a pod asks for becomes the size of its machine."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remote_pods import RUNTIME_CLASS, VM, asked, container, remote_pod, size
from windlass.api import Quantity
from windlass.cluster.scheduler.request import amounts, requests
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Pod, ResourceRequirements
from windlass.operators.peerpod.webhook import (
    NOTE,
    SizingSettings,
    UnsizableError,
    effective_limits,
    effective_requests,
    sized,
)

if TYPE_CHECKING:
    from windlass.api import Json

SETTINGS = SizingSettings()
ONE = {VM: "1"}


@pytest.mark.parametrize(
    ("requests", "limits", "vcpus", "memory", "gpus"),
    [
        ({"cpu": "2", "memory": "4Gi"}, {"cpu": "3", "memory": "5Gi"}, "3", "5120", ""),
        ({"cpu": "2"}, {}, "2", "", ""),
        ({"memory": "4Gi"}, {}, "", "4096", ""),
        ({"nvidia.com/gpu": "1"}, {"nvidia.com/gpu": "1"}, "", "", "1"),
        ({}, {}, "", "", ""),
        ({"cpu": "100m", "memory": "1"}, {}, "1", "1", ""),
        ({"cpu": "1001m", "memory": "1024.5Mi"}, {}, "2", "1025", ""),
        ({"cpu": "0", "memory": "0"}, {"cpu": "0"}, "", "", ""),
    ],
)
def test_requests_and_limits_become_annotations(
    requests: Json, limits: Json, vcpus: str, memory: str, gpus: str
) -> None:
    pod, _ = sized(remote_pod(container(requests=requests, limits=limits)), SETTINGS)

    assert size(pod) == (vcpus, memory, gpus, "")
    assert asked(pod) == {"app": {"requests": ONE, "limits": ONE}}


def test_a_pod_of_another_runtime_class_is_left_as_it_is() -> None:
    for runtime_class in ("kata", None):
        pod = remote_pod(container(requests={"cpu": "2"}), runtimeClassName=runtime_class)

        assert sized(pod, SETTINGS).pod is pod
        assert sized(pod, SETTINGS).warnings == ()


def test_the_pod_that_was_given_stays_as_it_was() -> None:
    pod = remote_pod(container(requests={"cpu": "2"}))
    before = pod.to_wire()

    sized(pod, SETTINGS)

    assert pod.to_wire() == before


def test_an_init_container_runs_beside_the_sidecars_before_it() -> None:
    pod = remote_pod(
        container(requests={"cpu": "1"}),
        initContainers=[
            container("first", requests={"cpu": "5"}),
            container("sidecar", requests={"cpu": "2"}, restartPolicy="Always"),
            container("second", requests={"cpu": "4"}),
        ],
    )

    assert size(sized(pod, SETTINGS).pod)[0] == "6"


def test_the_machine_is_requested_by_the_container_that_asked_for_it_and_by_no_other() -> None:
    pod = remote_pod(
        container("first"),
        container("second", limits={VM: "3"}),
        container("third", limits={VM: "1"}),
        initContainers=[container("init", limits={VM: "1", "ephemeral-storage": "1Gi"})],
    )

    assert asked(sized(pod, SETTINGS).pod) == {
        "first": {},
        "second": {"requests": ONE, "limits": ONE},
        "third": {},
        "init": {"limits": {"ephemeral-storage": "1Gi"}},
    }


def test_the_overhead_stays_with_the_node_unless_the_machine_is_to_have_it() -> None:
    pod = remote_pod(
        container(requests={"cpu": "2", "memory": "1Gi"}), overhead={"cpu": "250m", "memory": "120Mi"}
    )

    assert size(sized(pod, SETTINGS).pod)[:2] == ("2", "1024")
    assert size(sized(pod, SizingSettings(add_overhead=True)).pod)[:2] == ("3", "1144")
    assert sized(pod, SETTINGS).pod.spec.overhead == pod.spec.overhead


def test_a_type_of_machine_gives_way_to_a_size_that_the_author_wrote() -> None:
    settings = SizingSettings(instance_type="m6i.large")
    by_hand = remote_pod(annotations={"io.katacontainers.config.hypervisor.default_vcpus": "8"})

    assert size(sized(by_hand, settings).pod) == ("8", "", "", "")


def test_a_note_that_somebody_else_wrote_is_refused() -> None:
    for text in ("no JSON", "[]", '{"containers": {"app": {"requests": {"cpu": "many"}}}}'):
        with pytest.raises(UnsizableError, match=NOTE):
            sized(remote_pod(annotations={NOTE: text}), SETTINGS)


def test_a_container_that_is_gone_by_the_second_time_no_longer_counts() -> None:
    first = sized(
        remote_pod(container(requests={"cpu": "1"}), container("b", requests={"cpu": "4"})), SETTINGS
    ).pod
    del first.spec.containers[1]

    assert size(sized(first, SETTINGS).pod)[0] == "1"


def test_settings_come_from_the_environment() -> None:
    environment = {
        "TARGET_RUNTIMECLASS": "kata-remote, kata-remote-gpu",
        "POD_VM_EXTENDED_RESOURCE": "example.com/vm",
        "POD_VM_GPU_RESOURCES": "nvidia.com/gpu,amd.com/gpu",
        "POD_VM_INSTANCE_TYPE": "m6i.large",
        "POD_VM_ADD_OVERHEAD": "true",
    }

    assert SizingSettings.from_environment({}) == SizingSettings()
    assert SizingSettings.from_environment(environment) == SizingSettings(
        runtime_classes=("kata-remote", "kata-remote-gpu"),
        vm_resource="example.com/vm",
        gpu_resources=("nvidia.com/gpu", "amd.com/gpu"),
        taken=("cpu", "memory", "hugepages-*", "nvidia.com/gpu", "amd.com/gpu"),
        instance_type="m6i.large",
        add_overhead=True,
    )


@pytest.mark.parametrize(
    ("environment", "what"),
    [
        ({"TARGET_RUNTIMECLASS": "kata'"}, "is no name of a runtime class"),
        ({"POD_VM_EXTENDED_RESOURCE": "vm"}, "'vm' is no extended resource"),
        ({"POD_VM_TAKEN_RESOURCES": "cpu,kata*"}, "cannot be taken away"),
        ({"POD_VM_ADD_OVERHEAD": "perhaps"}, "say true or false"),
    ],
)
def test_a_setting_that_cannot_be_used_is_told(environment: dict[str, str], what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        SizingSettings.from_environment(environment)


CPU = st.sampled_from(["0", "1m", "250m", "1", "1500m", "7"])
MEMORY = st.sampled_from(["0", "1", "64Mi", "1Gi", "1500M"])
OTHER = st.sampled_from(["0", "1", "3"])
AMOUNTS = st.fixed_dictionaries(
    {},
    optional={
        "cpu": CPU,
        "memory": MEMORY,
        "nvidia.com/gpu": OTHER,
        "hugepages-2Mi": st.just("4Mi"),
        "ephemeral-storage": MEMORY,
        "example.com/device": OTHER,
        VM: OTHER,
    },
)
RESOURCES = st.fixed_dictionaries({}, optional={"requests": AMOUNTS, "limits": AMOUNTS})
WHOLE = st.fixed_dictionaries({}, optional={"cpu": CPU, "memory": MEMORY})


@st.composite
def pods(draw: st.DrawFn) -> Pod:
    """Pods of any shape."""

    def containers(prefix: str, least: int) -> list[Json]:
        return [
            {"name": f"{prefix}{index}", "resources": resources}
            for index, resources in enumerate(draw(st.lists(RESOURCES, min_size=least, max_size=3)))
        ]

    init = [
        each | draw(st.sampled_from([{}, {"restartPolicy": "Always"}])) for each in containers("init-", 0)
    ]
    spec: Json = {"containers": containers("app-", 1), "initContainers": init}
    spec |= draw(
        st.fixed_dictionaries(
            {},
            optional={
                "resources": st.fixed_dictionaries({"requests": WHOLE, "limits": WHOLE}),
                "overhead": WHOLE,
            },
        )
    )
    annotations = st.dictionaries(
        st.sampled_from(["a", "io.katacontainers.config.hypervisor.default_vcpus"]), st.just("9")
    )
    return Pod.from_wire(
        {
            "metadata": {"name": "any", "annotations": draw(annotations)},
            "spec": {**spec, "runtimeClassName": RUNTIME_CLASS, "nodeSelector": {"a": "b"}},
        }
    )


def defaulted(pod: Pod) -> Pod:
    """As the API server shows it to anybody: a limit is a request too, where there is no other."""
    pod = pod.model_copy(deep=True)
    for each in (*pod.spec.containers, *pod.spec.init_containers):
        if each.resources:
            each.resources.requests = {**each.resources.limits, **each.resources.requests}
    return pod


@given(pods())
def test_what_is_requested_is_what_the_scheduler_counts(pod: Pod) -> None:
    ours, schedulers = amounts(effective_requests(pod.spec)), requests(defaulted(pod).spec)

    assert Counter(ours) == Counter(schedulers)  # in which nothing is as good as zero


@given(pods())
def test_a_second_time_changes_nothing_and_warns_of_nothing(pod: Pod) -> None:
    once = sized(pod, SETTINGS).pod

    assert sized(once, SETTINGS).pod.to_wire() == once.to_wire()
    assert sized(once, SETTINGS).warnings == ()


@given(pods())
def test_exactly_one_machine_is_asked_for(pod: Pod) -> None:
    after = sized(pod, SETTINGS).pod.spec

    assert effective_requests(after)[VM] == effective_limits(after)[VM] == 1
    assert sum(VM in each.get("requests", {}) for each in asked(sized(pod, SETTINGS).pod).values()) == 1


def stays(resources: Json) -> Json:
    """What of a container's resources is no business of the webhook."""
    kept = {
        field: {
            name: each for name, each in found.items() if name in ("ephemeral-storage", "example.com/device")
        }
        for field, found in resources.items()
    }
    return {field: found for field, found in kept.items() if found}


@given(pods())
def test_nothing_else_is_changed(pod: Pod) -> None:
    before, after = pod.to_wire(), sized(pod, SETTINGS).pod.to_wire()
    assert {name: stays(each) for name, each in asked(pod).items()} == {
        name: stays(each) for name, each in asked(sized(pod, SETTINGS).pod).items()
    }
    for each in (before, after):
        for one in (*each["spec"]["containers"], *each["spec"].get("initContainers", ()), each["spec"]):
            one.pop("resources", None)
        annotations: dict[str, Any] = each["metadata"].pop("annotations", {})
        assert annotations.get("a") == pod.metadata.annotations.get("a")

    assert before == after


@given(pods(), RESOURCES)
def test_a_container_that_comes_later_counts_as_if_it_had_been_there(pod: Pod, resources: Json) -> None:
    late = container("late", resources=resources)
    whole = Pod.from_wire(pod.to_wire())
    between = sized(pod, SETTINGS).pod
    for each in (whole, between):
        each.spec.containers.append(type(each.spec.containers[0]).from_wire(late))

    assert size(sized(between, SETTINGS).pod) == size(sized(whole, SETTINGS).pod)


@given(pods(), st.sampled_from(["10m", "100"]))
def test_no_default_that_comes_back_makes_a_machine_smaller(pod: Pod, default: str) -> None:
    once = sized(pod, SETTINGS).pod
    between = Pod.from_wire(once.to_wire())
    for each in between.spec.containers:
        given_back = each.resources or ResourceRequirements()
        given_back.requests["cpu"] = Quantity(default)
        each.resources = given_back

    after = sized(between, SETTINGS).pod

    assert int(size(after)[0] or 0) >= int(size(once)[0] or 0)
    assert all("cpu" not in each.get("requests", {}) for each in asked(after).values())
