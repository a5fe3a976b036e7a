"""What stands in for KMM: labels, devices and numbers, under a role of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polling import until
from templating import ptemplate
from windlass.api import Key, ObjectMeta
from windlass.client import MergePatch
from windlass.codegen import load_project
from windlass.kinds.core.v1 import Node
from windlass.operators.ptemplate.desired import module_of
from windlass.operators.ptemplate.kmm import Module, plugin_label, ready_label
from windlass.operators.ptemplate.simulator import add_to
from windlass.testing import TrialOptions, on_trial

if TYPE_CHECKING:
    from windlass.cluster import Cluster
    from windlass.testing import Trial

DEVICES = "example.com/ptemplate"
LABELS = {"node-role.kubernetes.io/worker": "worker"}


async def devices(trial: Trial, name: str = "worker") -> str:
    """How many devices a node has; empty where it has none."""
    found = await trial.client.get(Node, name)
    assert found.status.capacity.get(DEVICES) == found.status.allocatable.get(DEVICES)
    return str(found.status.allocatable.get(DEVICES, ""))


def loaded(module: Module) -> int:
    """On how many nodes it is."""
    counts = module.status.module_loader
    return counts.available_number if counts else 0


async def test_modules_that_share_a_node_have_their_devices_together_and_take_them_along(
    api_server: Cluster,
) -> None:
    options = TrialOptions(least_privilege=True)
    async with on_trial(api_server, [add_to], options) as trial:
        for name, labels in (("worker", LABELS), ("other", {})):
            await trial.client.create(Node(metadata=ObjectMeta(name=name, labels=labels)))
        for name, maxdev in (("a", 5), ("b", 3)):
            await trial.client.create(module_of(ptemplate(name, trial.namespace, maxdev=maxdev)))
            await trial.until(Module, name, lambda each: loaded(each) == 1)
        both = await until(lambda: devices(trial), lambda found: found == "8")
        await trial.settled()
        node, other = await trial.client.get(Node, "worker"), await trial.client.get(Node, "other")
        await trial.client.delete(Module, "a")
        await trial.gone(Module, "a")
        one = await devices(trial)
        await trial.client.patch(Node, "worker", MergePatch({"metadata": {"labels": dict.fromkeys(LABELS)}}))
        await trial.until(Module, "b", lambda each: loaded(each) == 0)
        bare = await trial.client.get(Node, "worker")
        none = await devices(trial)
        await trial.client.delete(Module, "b")
        await trial.gone(Module, "b")

        key = Key(trial.namespace, "a")
        assert node.metadata.labels.keys() >= {ready_label(key), plugin_label(key)}
        assert (other.metadata.labels, bare.metadata.labels) == ({}, {})
        assert (both, one, none) == ("8", "3", "")
        assert trial.granted
        trial.granted.check()


def test_its_definition_is_generated_apart_from_those_of_the_operator() -> None:
    project = load_project("windlass.operators.ptemplate.simulator")

    assert project.operator == "kmm-simulator"
    assert list(project.crds()) == ["crd/bases/kmm.sigs.x-k8s.io_modules.yaml"]
