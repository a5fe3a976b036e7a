"""DaemonSets on nodes of the test's own, whose pods it runs by hand."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE, end, pods_when, run, template
from polling import until
from windlass.client import MergePatch, StrategicPatch
from windlass.cluster.controller.template_hash import template_hash
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import ControllerRevision, DaemonSet
from windlass.kinds.core.v1 import Event, Node, Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from windlass.client import Client

_LABELS = {"app": "agent"}
_AGENT = "app=agent"
_HOST = "example.com/whose"
"""The label by which a set finds the nodes of its test, and the taint that keeps everybody else away."""


class Nodes:
    """The nodes of one test; nobody runs them, so that they have what a node without a kubelet has."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.whose = client.options.namespace
        self._made: list[str] = []

    async def make(self, name: str, **labels: str) -> str:
        whole = f"{self.whose}-{name}"
        taint = {"key": _HOST, "value": self.whose, "effect": "NoSchedule"}
        metadata = {"name": whole, "labels": {_HOST: self.whose, **labels}}
        await self._client.create(Node.from_wire({"metadata": metadata, "spec": {"taints": [taint]}}))
        self._made.append(whole)
        return whole

    async def taint(self, name: str, effect: str) -> None:
        node = await self._client.get(Node, name)
        taints = [each.to_wire() for each in node.spec.taints if each.key != "example.com/away"]
        taints.append({"key": "example.com/away", "effect": effect})
        await self._client.patch(Node, name, MergePatch({"spec": {"taints": taints}}))

    async def remove(self, *names: str) -> None:
        for name in names or self._made:
            with suppress(NotFound):
                await self._client.delete(Node, name)


@pytest.fixture
async def nodes(client: Client) -> AsyncIterator[Nodes]:
    made = Nodes(client)
    yield made
    with suppress(NotFound):
        await client.delete(DaemonSet, "agent")
    await made.remove()


def _set(nodes: Nodes, selector: dict[str, str] | None = None, **spec: Any) -> DaemonSet:
    tolerated = [
        {"key": _HOST, "operator": "Equal", "value": nodes.whose, "effect": "NoSchedule"},
        {"key": "node.kubernetes.io/not-ready", "operator": "Exists"},
        {"key": "node.kubernetes.io/unreachable", "operator": "Exists"},
    ]
    placed = {"nodeSelector": {_HOST: nodes.whose, **(selector or {})}, "tolerations": tolerated}
    pod = template(_LABELS, terminationGracePeriodSeconds=0, **placed)
    whole = {"selector": {"matchLabels": _LABELS}, "template": pod, **spec}
    return DaemonSet.from_wire({"metadata": {"name": "agent"}, "spec": whole})


def _target(pod: Pod) -> str:
    affinity = pod.spec.affinity
    assert affinity
    assert affinity.node_affinity
    required = affinity.node_affinity.required_during_scheduling_ignored_during_execution
    assert required
    ((field,),) = (term.match_fields for term in required.node_selector_terms)
    assert (field.key, field.operator) == ("metadata.name", "In")
    return field.values[0]


async def _on(client: Client, *names: str) -> list[Pod]:
    """The pods, once there is one for each of these nodes; in their order."""
    found = await pods_when(client, _AGENT, lambda those: sorted(map(_target, those)) == sorted(names))
    return sorted(found, key=lambda pod: names.index(_target(pod)))


async def _when(client: Client, accept: Callable[[DaemonSet], bool]) -> DaemonSet:
    async def ask() -> DaemonSet:
        return await client.get(DaemonSet, "agent")

    return await until(ask, accept, patience=PATIENCE)


async def _change_image(client: Client, image: str) -> None:
    containers = [{"name": "main", "image": image}]
    patch = StrategicPatch({"spec": {"template": {"spec": {"containers": containers}}}})
    await client.patch(DaemonSet, "agent", patch)


async def _poke(client: Client) -> None:
    """Have a set looked at: the real controller does not do so for every change of a node."""
    found = await client.get(DaemonSet, "agent")
    poked = {"example.com/poked": found.metadata.resource_version}
    await client.patch(DaemonSet, "agent", MergePatch({"metadata": {"annotations": poked}}))


def _images(those: Sequence[Pod]) -> list[str]:
    return sorted(pod.spec.containers[0].image or "" for pod in those)


async def _with_images(client: Client, *images: str) -> list[Pod]:
    return await pods_when(client, _AGENT, lambda those: _images(those) == list(images))


async def test_a_pod_comes_for_each_node_that_will_have_it_and_goes_where_it_may_not_stay(
    client: Client, nodes: Nodes
) -> None:
    a, b = await nodes.make("a", disk="ssd"), await nodes.make("b", disk="ssd")
    c, d = await nodes.make("c"), await nodes.make("d", disk="ssd")
    await nodes.taint(d, "NoSchedule")
    await client.create(_set(nodes, {"disk": "ssd"}))
    first, _ = await _on(client, a, b)
    assert first.metadata.name.startswith("agent-")
    tolerated = {(each.key, each.operator, each.effect) for each in first.spec.tolerations}
    assert {
        ("node.kubernetes.io/not-ready", "Exists", "NoExecute"),
        ("node.kubernetes.io/unreachable", "Exists", "NoExecute"),
        ("node.kubernetes.io/disk-pressure", "Exists", "NoSchedule"),
        ("node.kubernetes.io/memory-pressure", "Exists", "NoSchedule"),
        ("node.kubernetes.io/pid-pressure", "Exists", "NoSchedule"),
        ("node.kubernetes.io/unschedulable", "Exists", "NoSchedule"),
    } <= tolerated
    await run(client, first)
    counted = await _when(client, lambda found: found.status.number_ready == 1)
    assert counted.status.desired_number_scheduled == counted.status.current_number_scheduled == 2
    assert (counted.status.number_available, counted.status.number_unavailable) == (1, 1)
    assert counted.status.updated_number_scheduled == 2

    await client.patch(Node, c, MergePatch({"metadata": {"labels": {"disk": "ssd"}}}))
    await _on(client, a, b, c)
    await nodes.taint(b, "NoSchedule")  # who is there already may stay
    await _poke(client)
    stayed = await _when(client, lambda found: found.status.number_misscheduled == 1)
    assert stayed.status.desired_number_scheduled == 2
    await nodes.taint(b, "NoExecute")
    await _poke(client)
    await _on(client, a, c)
    await nodes.remove(c)
    await _poke(client)
    await _on(client, a)
    await _when(client, lambda found: found.status.desired_number_scheduled == 1)


async def test_pods_are_replaced_one_node_at_a_time_and_an_old_template_can_be_brought_back(
    client: Client, nodes: Nodes
) -> None:
    names = [await nodes.make(name) for name in ("a", "b", "c")]
    await client.create(_set(nodes, revisionHistoryLimit=1))
    made = await _on(client, *names)
    await run(client, *made)
    await _when(client, lambda found: found.status.number_available == 3)
    (revision,) = await client.list(ControllerRevision, client.options.namespace)
    label = template_hash((await client.get(DaemonSet, "agent")).spec.template.to_wire())
    assert revision.metadata.labels["controller-revision-hash"] == label
    assert revision.metadata.name == f"agent-{label}"
    assert {pod.metadata.labels["controller-revision-hash"] for pod in made} == {label}
    assert {pod.metadata.labels["pod-template-generation"] for pod in made} == {"1"}

    await _change_image(client, "web:2")
    for updated in (1, 2, 3):
        found = await _with_images(client, *["web:1"] * (3 - updated), *["web:2"] * updated)
        fresh = [pod for pod in found if not pod.status.conditions]
        assert len(fresh) == 1
        await run(client, *fresh)
    await _when(client, lambda found: found.status.number_available == 3)
    await client.patch(DaemonSet, "agent", StrategicPatch(revision.data))  # as kubectl rollout undo does

    async def history() -> list[tuple[str, int]]:
        found = await client.list(ControllerRevision, client.options.namespace)
        return sorted((each.metadata.name, each.revision) for each in found)

    back = await until(
        history, lambda found: (revision.metadata.name, 3) in found and len(found) == 2, patience=PATIENCE
    )
    assert sorted(number for _, number in back) == [2, 3]
    await _with_images(client, "web:1", "web:2", "web:2")


async def test_a_set_that_surges_has_a_new_pod_ready_before_the_old_one_goes(
    client: Client, nodes: Nodes
) -> None:
    a, b = await nodes.make("a"), await nodes.make("b")
    rolling = {"maxSurge": 1, "maxUnavailable": 0}
    await client.create(_set(nodes, updateStrategy={"type": "RollingUpdate", "rollingUpdate": rolling}))
    old = await _on(client, a, b)
    await run(client, *old)
    await _when(client, lambda found: found.status.number_available == 2)
    await _change_image(client, "web:2")
    for images in (["web:1", "web:1", "web:2"], ["web:1", "web:2", "web:2"]):
        found = await _with_images(client, *images)
        await run(client, *(pod for pod in found if not pod.status.conditions))
    await _with_images(client, "web:2", "web:2")
    await _when(client, lambda found: found.status.updated_number_scheduled == 2)


async def test_a_pod_that_failed_is_replaced_and_an_old_one_waits_to_be_deleted(
    client: Client, nodes: Nodes
) -> None:
    name = await nodes.make("a")
    await client.create(_set(nodes, updateStrategy={"type": "OnDelete"}))
    (first,) = await _on(client, name)
    await end(client, first, code=1)
    (second,) = await pods_when(
        client, _AGENT, lambda those: [pod.metadata.uid for pod in those] not in ([], [first.metadata.uid])
    )
    await _change_image(client, "web:2")
    await _when(client, lambda found: found.status.observed_generation == found.metadata.generation)
    (kept,) = await _on(client, name)
    assert (kept.metadata.uid, _images([kept])) == (second.metadata.uid, ["web:1"])
    await client.delete(Pod, kept.metadata.name)
    await _with_images(client, "web:2")

    async def reasons() -> set[str | None]:
        return {each.reason for each in await client.list(Event, client.options.namespace)}

    told = {"SuccessfulCreate", "SuccessfulDelete", "FailedDaemonPod"}
    await until(reasons, lambda found: told <= found, patience=PATIENCE)


async def test_a_pod_that_a_set_selects_no_more_is_let_go_and_replaced(client: Client, nodes: Nodes) -> None:
    name = await nodes.make("a")
    await client.create(_set(nodes))
    (first,) = await _on(client, name)
    other = MergePatch({"metadata": {"labels": {"app": "under-inspection"}}})
    await client.patch(Pod, first.metadata.name, other)
    (second,) = await _on(client, name)
    assert second.metadata.uid != first.metadata.uid
    kept = await until(
        lambda: client.get(Pod, first.metadata.name),
        lambda found: not found.metadata.owner_references,
        patience=PATIENCE,
    )
    assert kept.metadata.uid == first.metadata.uid
