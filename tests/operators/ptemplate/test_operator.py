"""The operator at work on a whole cluster, with what stands in for KMM."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from polling import until
from templating import PRINTED, columns, condition, is_fresh, manifest, says, uninstall
from windlass.api import ObjectMeta, Quantity
from windlass.client import MergePatch
from windlass.kinds.apps.v1 import DaemonSet
from windlass.kinds.core.v1 import Node, Pod, Secret
from windlass.operators.ptemplate import AliasPtemplate, Ptemplate, PtemplateV1alpha
from windlass.operators.ptemplate.desired import consumers_of
from windlass.operators.ptemplate.kmm import Module, plugin_label, ready_label
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from templating import Bench, Templating

pytestmark = pytest.mark.timeout(180)  # of a whole cluster that others use too
COLLECTED = timedelta(seconds=90)  # the real garbage collector looks for new kinds twice a minute


async def test_the_manifest_of_the_guide_works_to_the_letter(templating: Templating) -> None:
    async with templating(devices="example.com/ptemplate", label="node-role.kubernetes.io/worker") as bench:
        await bench.client.apply(manifest(PRINTED))
        waiting = await bench.trial.until(
            AliasPtemplate, "consumer-pod", lambda each: says(each, "Ready", "False", "SecretMissing")
        )
        await bench.trial.settled()
        early = list(await bench.client.list(DaemonSet, bench.trial.namespace))
        await bench.secret("pt-char-pull-secret")
        told = await bench.trial.ready(AliasPtemplate, "consumer-pod")
        await bench.trial.settled()
        module = await bench.client.get(Module, "consumer-pod")
        daemon_set = await bench.client.get(DaemonSet, "consumer-pod-consumer")
        pods = await bench.client.list(Pod, bench.trial.namespace)

        missing = condition(waiting, "SecretFound")
        assert missing
        assert missing.message.startswith("there is no Secret pt-char-pull-secret")
        assert early == []
        assert module.spec.module_loader
        assert module.spec.module_loader.container.modprobe.parameters == [
            "max_dev=5",
            "default_msg=ptemplate",
        ]
        assert module.spec.image_repo_secret
        assert module.spec.image_repo_secret.name == "pt-char-pull-secret"
        assert module.spec.selector == {"node-role.kubernetes.io/worker": "worker"}
        assert [each.name for each in module.metadata.owner_references] == ["consumer-pod"]
        assert daemon_set.spec.template.spec
        (container,) = daemon_set.spec.template.spec.containers
        assert container.resources
        assert container.resources.limits == {"example.com/ptemplate": Quantity("2")}
        assert told.status.consumers == [each.metadata.name for each in pods]
        assert (told.status.desired_consumers, told.status.ready_consumers) == (1, 1)
        assert told.status.module
        assert told.status.module.to_wire() == {"nodesMatchingSelector": 1, "desired": 1, "available": 1}


async def test_a_manifest_of_the_early_version_is_the_same_object(templating: Templating) -> None:
    async with templating(alone=True) as bench:
        await install_kinds(bench.client, [Ptemplate, PtemplateV1alpha])
        wanted = bench.made()
        await bench.client.create(PtemplateV1alpha(metadata=wanted.metadata, spec=wanted.spec))
        told = await bench.ready()
        shown = await columns(bench.client, Ptemplate)
        early = await bench.client.get(PtemplateV1alpha, "pt")

        assert early.status.to_wire() == told.status.to_wire()
        assert shown == {
            "Name": "pt",
            "Nodes": 1,
            "Loaded": 1,
            "Consumers": 1,
            "Ready": "True",
            "Reason": "Ready",
        }


async def test_of_two_of_one_name_the_later_one_says_conflict_and_takes_nothing(
    templating: Templating,
) -> None:
    async with templating() as bench:
        first = await bench.create()
        await bench.ready()
        module = await bench.client.get(Module, "pt")
        wanted = bench.made(maxdev=3)
        await bench.client.create(AliasPtemplate(metadata=ObjectMeta(name="pt"), spec=wanted.spec))
        told = await bench.trial.until(
            AliasPtemplate, "pt", lambda each: says(each, "Ready", "False", "Conflict")
        )
        await bench.trial.settled()
        after = await bench.client.get(Module, "pt")
        await bench.client.delete(Ptemplate, "pt")
        later = await bench.trial.ready(AliasPtemplate, "pt", within=COLLECTED)
        last = await bench.client.get(Module, "pt")

        said = condition(told, "Ready")
        assert said
        assert "Module" in said.message
        assert "belongs to the Ptemplate pt of pt.example.com/v1alpha1" in said.message
        assert told.status.consumers == []
        assert after.metadata.resource_version == module.metadata.resource_version
        assert [each.uid for each in after.metadata.owner_references] == [first.metadata.uid]
        assert [each.uid for each in last.metadata.owner_references] == [later.metadata.uid]
        assert last.spec.module_loader
        assert last.spec.module_loader.container.modprobe.parameters == ["max_dev=3"]


async def test_an_object_of_another_hand_is_left_alone_until_it_goes(templating: Templating) -> None:
    async with templating(whole=False, simulated=False) as bench:
        strange = consumers_of(bench.made("pt"))
        strange.spec.selector.match_labels = strange.spec.template.metadata.labels = {"mine": "yes"}
        made = await bench.client.create(strange)
        await bench.create()
        told = await bench.trial.until(Ptemplate, "pt", lambda each: says(each, "Ready", "False", "Conflict"))
        await bench.trial.settled()
        left = await bench.client.get(DaemonSet, "pt-consumer")
        await bench.client.delete(DaemonSet, "pt-consumer")
        await bench.trial.until(DaemonSet, "pt-consumer", lambda each: bool(each.metadata.owner_references))

        said = condition(told, "Ready")
        assert said
        assert "pt-consumer was made by another hand" in said.message
        assert left.metadata.uid == made.metadata.uid
        assert left.spec.to_wire() == made.spec.to_wire()


async def test_a_daemon_set_of_an_earlier_operator_is_replaced_since_its_selector_cannot_be_changed(
    templating: Templating,
) -> None:
    async with templating(whole=False, simulated=False) as bench:
        waiting = await bench.create(imagePullSecret={"name": "s"})
        await bench.trial.until(Ptemplate, "pt", is_fresh)
        old = consumers_of(bench.made("pt"))
        old.metadata.owner_references = [waiting.owner_reference()]
        old.spec.selector.match_labels = old.spec.template.metadata.labels = {"app": "pt"}
        made = await bench.client.create(old)
        await bench.secret("s")
        new = await bench.trial.until(
            DaemonSet, "pt-consumer", lambda each: each.metadata.uid != made.metadata.uid
        )
        await bench.trial.settled()

        assert new.spec.selector.match_labels == {"app": "pt", "pt.example.com/consumer": "pt"}


async def test_a_secret_that_goes_is_told_and_nothing_is_stopped(templating: Templating) -> None:
    async with templating() as bench:
        await bench.secret("s")
        await bench.create(imagePullSecret={"name": "s"})
        first = await bench.ready()
        await bench.client.delete(Secret, "s")
        told = await bench.trial.until(
            Ptemplate, "pt", lambda each: says(each, "Ready", "False", "SecretMissing")
        )
        await bench.trial.settled()

        assert told.status.consumers == first.status.consumers
        assert says(told, "ConsumersReady", "True")


async def test_consumers_stay_and_are_kept_right_when_kmm_goes(templating: Templating) -> None:
    async with templating(kmm=False, whole=False) as bench:
        await bench.install()
        await bench.create()
        made = await bench.trial.until(DaemonSet, "pt-consumer", lambda _: True)
        await uninstall(bench.client)
        await bench.trial.until(Ptemplate, "pt", lambda each: says(each, "Ready", "False", "KMMMissing"))
        await bench.client.patch(Ptemplate, "pt", MergePatch({"spec": {"consumer": "quay.io/example/c:2"}}))
        changed = await bench.trial.until(DaemonSet, "pt-consumer", lambda each: image(each).endswith("c:2"))
        await bench.trial.settled()

        assert changed.metadata.uid == made.metadata.uid


def image(daemon_set: DaemonSet) -> str:
    """The image of the consumers."""
    assert daemon_set.spec.template.spec
    return daemon_set.spec.template.spec.containers[0].image or ""


async def test_a_node_that_leaves_the_selector_loses_its_consumer_and_gets_it_back(
    templating: Templating,
) -> None:
    async with templating() as bench:
        await bench.create()
        await bench.ready()
        (node,) = await bench.nodes(value=None)
        told = await bench.trial.until(
            Ptemplate,
            "pt",
            lambda each: says(each, "Ready", "False", "NoNodes") and not each.status.consumers,
        )
        without = await bench.client.get(Node, node)
        await bench.nodes()
        await bench.ready()
        again = await bench.client.get(Node, node)

        labels = {ready_label(bench.key("pt")), plugin_label(bench.key("pt"))}
        assert told.status.desired_consumers == 0
        assert not labels & without.metadata.labels.keys()
        assert bench.devices not in without.status.allocatable
        assert labels <= again.metadata.labels.keys()
        assert str(again.status.allocatable[bench.devices]) == "5"


async def test_with_a_ptemplate_everything_of_it_goes(templating: Templating) -> None:
    async with templating() as bench:
        await bench.create()
        await bench.ready()
        (node,) = await bench.nodes()
        await bench.client.delete(Ptemplate, "pt")
        for kind, name in ((Ptemplate, "pt"), (Module, "pt"), (DaemonSet, "pt-consumer")):
            await bench.trial.gone(kind, name, within=COLLECTED)
        await until(lambda: pods(bench), lambda found: not found)
        found = await bench.client.get(Node, node)

        assert ready_label(bench.key("pt")) not in found.metadata.labels
        assert bench.devices not in found.status.capacity


async def pods(bench: Bench) -> list[str]:
    """The pods of the test's namespace."""
    return [each.metadata.name for each in await bench.client.list(Pod, bench.trial.namespace)]
