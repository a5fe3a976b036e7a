"""What becomes of a pod on a simulated node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from on_node import condition, create, gone, is_ready, main, pod, pod_when, waits_for
from polling import until
from windlass.client import DeleteOptions, MergePatch
from windlass.kinds.core.v1 import ConfigMap, Pod
from windlass.kinds.events.v1 import Event

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.client import Client


async def test_a_pod_runs_and_is_ready_with_all_that_a_kubelet_says_of_it(client: Client) -> None:
    await create(client, pod("web"))
    web = await pod_when(client, "web", is_ready)
    said = web.status
    assert said.phase == "Running"
    assert said.pod_ip.startswith("10.")
    assert [each.ip for each in said.pod_ips] == [said.pod_ip]
    assert said.host_ip
    assert said.qos_class == "BestEffort"
    assert said.start_time is not None
    assert {each.type: each.status for each in said.conditions} == {
        "PodReadyToStartContainers": "True",
        "Initialized": "True",
        "Ready": "True",
        "ContainersReady": "True",
        "PodScheduled": "True",
    }
    assert main(web).container_id.startswith("containerd://")
    assert main(web).image_id
    assert main(web).started
    told = await until(
        lambda: client.list(Event), lambda found: _reasons(found, "web") >= _STARTED, patience=10
    )
    assert "Container started" in [each.note for each in told]


_STARTED = {"Pulling", "Pulled", "Created", "Started"}


def _reasons(events: Iterable[Event], about: str) -> set[str]:
    return {each.reason or "" for each in events if each.regarding and each.regarding.name == about}


async def test_init_containers_run_in_their_order_and_a_sidecar_beside(client: Client) -> None:
    before = [
        {"name": "first", "image": "a"},
        {"name": "beside", "image": "b", "restartPolicy": "Always"},
        {"name": "second", "image": "c"},
    ]
    await create(client, pod("web", initContainers=before, restartPolicy="Never"))
    done = await pod_when(client, "web", lambda found: found.status.phase == "Succeeded")
    first, beside, second = done.status.init_container_statuses
    ends = [each.state.terminated for each in (first, second, main(done), beside) if each.state]
    assert [each.exit_code for each in ends if each] == [0, 0, 0, 0]
    finished = [each.finished_at for each in ends if each and each.finished_at]
    assert finished == sorted(finished)
    assert condition(done, "Initialized") == "True"
    assert condition(done, "Ready") == "False"


async def test_an_init_container_that_fails_is_tried_again_or_fails_the_pod(client: Client) -> None:
    broken = [{"name": "init", "image": "a"}]
    noted = {"exit-code.init": "3"}
    await create(
        client,
        pod("again", initContainers=broken, annotations=noted),
        pod("over", initContainers=broken, annotations=noted, restartPolicy="Never"),
    )
    over = await pod_when(client, "over", lambda found: found.status.phase == "Failed")
    assert main(over).state.waiting.reason == "PodInitializing"  # type: ignore[union-attr]
    again = await pod_when(
        client,
        "again",
        lambda found: (
            bool(found.status.init_container_statuses)
            and found.status.init_container_statuses[0].restart_count >= 2
        ),
    )
    assert again.status.phase == "Pending"
    assert condition(again, "Initialized") == "False"


async def test_a_container_that_crashes_is_restarted_ever_later_until_it_is_mended(client: Client) -> None:
    await create(client, pod("web", annotations={"crash": "7"}))
    waiting = await pod_when(
        client, "web", lambda found: waits_for("CrashLoopBackOff")(found) and main(found).restart_count >= 2
    )
    assert waiting.status.phase == "Running"
    assert not is_ready(waiting)
    state, last = main(waiting).state, main(waiting).last_state
    assert state is not None
    assert state.waiting is not None
    assert "back-off 2s restarting failed container=main pod=web_" in (state.waiting.message or "")
    assert last is not None
    assert last.terminated is not None
    assert (last.terminated.exit_code, last.terminated.reason) == (7, "Error")
    patch = MergePatch({"metadata": {"annotations": {"node.windlass.dev/crash": None}}})
    await client.patch(Pod, "web", patch)
    mended = await pod_when(client, "web", is_ready)
    assert main(mended).restart_count >= 3


async def test_an_image_that_cannot_be_pulled_is_tried_again_until_it_can(client: Client) -> None:
    await create(client, pod("web", annotations={"fail-pull": "no such image"}))
    failed = await pod_when(client, "web", waits_for("ErrImagePull"))
    assert main(failed).state.waiting.message == "no such image"  # type: ignore[union-attr]
    waiting = await pod_when(client, "web", waits_for("ImagePullBackOff"))
    assert waiting.status.phase == "Pending"
    told = 'Back-off pulling image "web:1": ErrImagePull: no such image'
    assert main(waiting).state.waiting.message == told  # type: ignore[union-attr]
    await client.patch(
        Pod, "web", MergePatch({"metadata": {"annotations": {"node.windlass.dev/fail-pull": None}}})
    )
    assert main(await pod_when(client, "web", is_ready)).restart_count == 0


async def test_a_pod_that_is_not_restarted_ends_as_its_containers_do(client: Client) -> None:
    two = [{"name": "good", "image": "a"}, {"name": "bad", "image": "b"}]
    await create(
        client,
        pod("done", restartPolicy="OnFailure"),
        pod("broken", restartPolicy="Never", containers=two, annotations={"exit-code.bad": "2"}),
        pod("late", restartPolicy="Never", activeDeadlineSeconds=1, annotations={"run-seconds": "60"}),
    )
    done = await pod_when(client, "done", lambda found: found.status.phase == "Succeeded")
    broken = await pod_when(client, "broken", lambda found: found.status.phase == "Failed")
    late = await pod_when(client, "late", lambda found: found.status.phase == "Failed")
    ready = next(each for each in done.status.conditions if each.type == "Ready")
    assert (ready.status, ready.reason) == ("False", "PodCompleted")
    codes = {each.name: each.state.terminated.exit_code for each in broken.status.container_statuses}  # type: ignore[union-attr]
    assert codes == {"good": 0, "bad": 2}
    assert late.status.reason == "DeadlineExceeded"


async def test_a_container_waits_for_the_configuration_that_it_refers_to(client: Client) -> None:
    value = {"configMapKeyRef": {"name": "settings", "key": "mode"}}
    env = [{"name": "MODE", "valueFrom": value}]
    volume = [{"name": "files", "configMap": {"name": "settings"}}]
    await create(
        client,
        pod("env", containers=[{"name": "main", "image": "web:1", "env": env}]),
        pod("files", volumes=volume),
    )
    waiting = await pod_when(client, "env", waits_for("CreateContainerConfigError"))
    assert main(waiting).state.waiting.message == 'configmap "settings" not found'  # type: ignore[union-attr]
    creating = await pod_when(client, "files", waits_for("ContainerCreating"))
    assert condition(creating, "PodReadyToStartContainers") == "False"
    await client.create(ConfigMap.from_wire({"metadata": {"name": "settings"}, "data": {"mode": "fast"}}))
    await pod_when(client, "env", is_ready)
    await pod_when(client, "files", is_ready)


async def test_readiness_is_what_containers_and_gates_say(client: Client) -> None:
    gate = [{"conditionType": "example.com/checked"}]
    await create(client, pod("gated", readinessGates=gate), pod("unready", annotations={"not-ready": "yes"}))
    gated = await pod_when(client, "gated", lambda found: condition(found, "ContainersReady") == "True")
    assert condition(gated, "Ready") == "False"
    checked = {"type": "example.com/checked", "status": "True"}
    others = [each.to_wire() for each in gated.status.conditions]
    await client.status.patch(Pod, "gated", MergePatch({"status": {"conditions": [*others, checked]}}))
    assert condition(await pod_when(client, "gated", is_ready), "example.com/checked") == "True"
    unready = await pod_when(client, "unready", lambda found: found.status.phase == "Running")
    assert not main(unready).ready


async def test_a_deleted_pod_ends_within_its_grace_period_and_goes(client: Client) -> None:
    slow, held = pod("slow", annotations={"stop-seconds": "1"}), pod("held")
    held.metadata.finalizers = ["example.com/held"]
    await create(client, pod("quick"), slow, held)
    for name in ("quick", "slow", "held"):
        await pod_when(client, name, is_ready)
        await client.delete(Pod, name)
    stopping = await pod_when(client, "slow", lambda found: not is_ready(found))
    assert stopping.status.phase == "Running"
    for name in ("quick", "slow"):
        await gone(client, name)
    ended = await pod_when(client, "held", lambda found: found.status.phase == "Succeeded")
    assert ended.metadata.deletion_timestamp is not None
    await client.patch(Pod, "held", MergePatch({"metadata": {"finalizers": None}}))
    await gone(client, "held")


async def test_a_pod_that_is_deleted_by_force_leaves_its_address_to_another(client: Client) -> None:
    from datetime import timedelta

    await create(client, pod("web"))
    first = await pod_when(client, "web", is_ready)
    await client.delete(Pod, "web", options=DeleteOptions(grace_period=timedelta()))
    await create(client, pod("web"))
    second = await pod_when(client, "web", is_ready)
    assert second.metadata.uid != first.metadata.uid
    assert main(second).restart_count == 0
    assert main(second).container_id != main(first).container_id
