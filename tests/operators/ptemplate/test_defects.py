"""What was wrong with the first operator of this kind, one test for each number."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from polling import until
from templating import condition, is_fresh, made_pod, manifest, says
from windlass.api import read_yaml
from windlass.client import MergePatch
from windlass.codegen import load_project
from windlass.errors import Invalid
from windlass.kinds.apps.v1 import DaemonSet
from windlass.kinds.core.v1 import Node, Pod, Secret
from windlass.operators.ptemplate import Ptemplate
from windlass.operators.ptemplate.kmm import Module, ready_label

if TYPE_CHECKING:
    from templating import Templating
    from windlass.api import Json

pytestmark = pytest.mark.timeout(180)  # of a whole cluster that others use too
FOLDER = files("windlass.operators.ptemplate") / "samples"
SAMPLES = sorted(each.name for each in FOLDER.iterdir() if each.name.endswith("ptemplate.yaml"))


async def test_T01_a_ptemplate_needs_no_secret(templating: Templating) -> None:
    async with templating() as bench:
        await bench.create()
        await bench.ready()
        daemon_set = await bench.client.get(DaemonSet, "pt-consumer")
        module = await bench.client.get(Module, "pt")

        assert module.spec.image_repo_secret is None
        assert daemon_set.spec.template.spec
        assert daemon_set.spec.template.spec.image_pull_secrets == []


async def test_T02_another_image_and_other_nodes_are_rolled_out_and_then_there_is_rest(
    templating: Templating,
) -> None:
    async with templating() as bench:
        await bench.create()
        await bench.ready()
        selector = {bench.label: "worker", "kubernetes.io/os": "linux"}
        change = {"consumer": "quay.io/example/c:2", "selector": selector}
        await bench.client.patch(Ptemplate, "pt", MergePatch({"spec": change}))
        await bench.ready()
        await bench.trial.settled()
        daemon_set = await bench.client.get(DaemonSet, "pt-consumer")

        assert daemon_set.spec.template.spec
        assert daemon_set.spec.template.spec.containers[0].image == "quay.io/example/c:2"
        assert daemon_set.spec.template.spec.node_selector.items() >= selector.items()


HAND: dict[str, Json] = {
    "selector": {"selector": {"elsewhere": "yes"}},
    "secret": {"imageRepoSecret": {"name": "another"}},
    "mappings": {
        "moduleLoader": {"container": {"kernelMappings": [{"literal": "1", "containerImage": "q.io/m:1"}]}}
    },
    "module": {"moduleLoader": {"container": {"modprobe": {"moduleName": "another"}}}},
    "parameters": {"moduleLoader": {"container": {"modprobe": {"parameters": ["max_dev=1"]}}}},
}


@pytest.mark.parametrize("change", HAND.values(), ids=HAND)
async def test_T03_every_field_of_the_module_is_put_right(templating: Templating, change: Json) -> None:
    async with templating(whole=False, simulated=False) as bench:
        await bench.secret("s")
        await bench.create(imagePullSecret={"name": "s"})
        before = await bench.trial.until(Module, "pt", lambda _: True)
        changed = await bench.client.patch(Module, "pt", MergePatch({"spec": change}))
        wanted = {name: value for name, value in before.to_wire()["spec"].items() if name in change}

        def is_put_back(module: Module) -> bool:
            found = module.to_wire()["spec"]
            return {name: found.get(name) for name in change}.items() >= wanted.items()

        assert not is_put_back(changed)
        await bench.trial.until(Module, "pt", is_put_back)


async def test_T04_the_device_plugin_is_right_at_the_first_write(templating: Templating) -> None:
    async with templating(whole=False, simulated=False) as bench:
        await bench.create(deviceplugin="quay.io/example/plugin:7")
        module = await bench.trial.until(Module, "pt", lambda _: True)
        await bench.trial.settled()
        last = await bench.client.get(Module, "pt")

        assert module.spec.device_plugin
        assert module.spec.device_plugin.container.image == "quay.io/example/plugin:7"
        assert last.metadata.generation == module.metadata.generation == 1


async def test_T05_a_module_that_was_deleted_is_made_again_and_a_new_pod_is_told(
    templating: Templating,
) -> None:
    async with templating() as bench:
        await bench.create()
        first = await bench.ready()
        (pod,) = first.status.consumers
        await bench.client.delete(Pod, pod)
        await bench.trial.until(Ptemplate, "pt", lambda each: pod not in each.status.consumers)
        await bench.ready()
        module = await bench.client.get(Module, "pt")
        await bench.client.delete(Module, "pt")
        await bench.trial.until(Module, "pt", lambda each: each.metadata.uid != module.metadata.uid)
        await bench.ready()


def test_T06_the_role_has_all_that_the_operator_does() -> None:
    role = load_project("windlass.operators.ptemplate").rbac()["rbac/role.yaml"]
    (read,) = read_yaml(role)
    granted = {
        (group, resource): set(rule["verbs"])
        for rule in read["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    owned = {"get", "list", "watch", "create", "patch", "delete"}

    assert read["metadata"]["name"] == "ptemplate-operator-manager-role"
    assert granted["kmm.sigs.x-k8s.io", "modules"] == granted["apps", "daemonsets"] == owned
    assert granted["", "pods"] == granted["", "secrets"] == {"get", "list", "watch"}
    for group in ("pt.example.com", "ptemplates.pt.example.com"):
        assert granted[group, "ptemplates"] == {"get", "list", "watch"}
        assert granted[group, "ptemplates/status"] == {"patch"}


@pytest.mark.parametrize("sample", SAMPLES)
async def test_T07_a_sample_works_as_it_is(templating: Templating, sample: str) -> None:
    (secret,) = read_yaml((FOLDER / "pull_secret.yaml").read_bytes())
    made = manifest((FOLDER / sample).read_text(encoding="utf-8"))
    async with templating(devices="example.com/ptemplate", label="node-role.kubernetes.io/worker") as bench:
        await bench.client.create(Secret.from_wire(secret))
        await bench.client.apply(made)
        told = await bench.trial.ready(type(made), made.metadata.name)
        await bench.trial.settled()

        assert len(told.status.consumers) == 1


async def test_T08_consumers_are_sorted_and_a_list_from_the_beginning(templating: Templating) -> None:
    async with templating(whole=False, simulated=False) as bench:
        await bench.create()
        first = await bench.trial.until(Ptemplate, "pt", lambda each: bool(each.status.conditions))
        daemon_set = await bench.trial.until(DaemonSet, "pt-consumer", lambda _: True)
        for name in ("m", "z", "a"):
            await bench.client.create(made_pod(name, daemon_set))
        told = await bench.trial.until(Ptemplate, "pt", lambda each: len(each.status.consumers) == 3)
        await bench.trial.settled()

        assert first.to_wire()["status"]["consumers"] == []
        assert told.status.consumers == ["a", "m", "z"]


async def test_T09_numbers_are_told_of_each_ptemplate_and_go_with_it(templating: Templating) -> None:
    async with templating(whole=False, simulated=False) as bench:
        for name in ("one", "two"):
            await bench.create(name)
        daemon_set = await bench.trial.until(DaemonSet, "one-consumer", lambda _: True)
        await bench.client.create(made_pod("a", daemon_set))
        await bench.trial.until(Ptemplate, "one", lambda each: bool(each.status.consumers))
        await bench.trial.until(Ptemplate, "two", is_fresh)
        await bench.trial.rest()
        before = bench.metrics()
        await bench.client.delete(Ptemplate, "two")
        await bench.trial.gone(Ptemplate, "two")
        await until(lambda: _read(bench), lambda found: ("Ptemplate_consumers", "two") not in found)
        after = bench.metrics()

        assert (before["Ptemplate_consumers", "one"], before["Ptemplate_consumers", "two"]) == (1, 0)
        assert before["Ptemplate_reconcile_count", "one"] >= 2
        assert before["Ptemplate_reconcile_count", "two"] >= 1
        assert after.keys() == {("Ptemplate_consumers", "one"), ("Ptemplate_reconcile_count", "one")}


async def _read(bench: Any) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = bench.metrics()
    return found


async def test_T10_the_pods_of_others_are_not_consumers(templating: Templating) -> None:
    async with templating(whole=False, simulated=False) as bench:
        await bench.create()
        daemon_set = await bench.trial.until(DaemonSet, "pt-consumer", lambda _: True)
        foreign = daemon_set.model_copy(deep=True)
        foreign.metadata.uid = "00000000-0000-0000-0000-000000000000"
        await bench.client.create(made_pod("of-another", foreign))
        await bench.client.create(made_pod("ours", daemon_set))
        await bench.client.create(made_pod("labelled", None, labels={"app": "pt"}))
        told = await bench.trial.until(Ptemplate, "pt", lambda each: bool(each.status.consumers))
        await bench.trial.settled()

        assert told.status.consumers == ["ours"]
        assert str(daemon_set.spec.selector.selector()) != "app=pt"  # which would adopt that orphan


async def test_T11_a_cluster_without_kmm_is_told_and_no_error_and_work_begins_when_it_comes(
    templating: Templating,
) -> None:
    async with templating(kmm=False, whole=False) as bench:
        await bench.create()
        told = await bench.trial.until(
            Ptemplate, "pt", lambda each: says(each, "Ready", "False", "KMMMissing")
        )
        await bench.trial.settled()
        early = list(await bench.client.list(DaemonSet, bench.trial.namespace))
        outcomes = {run.outcome for run in bench.trial.runs("pt")}
        await bench.install()
        await bench.trial.until(Module, "pt", lambda _: True)
        await bench.trial.until(DaemonSet, "pt-consumer", lambda _: True)
        after = await bench.trial.until(Ptemplate, "pt", lambda each: says(each, "KMMAvailable", "True"))

        missing = condition(told, "KMMAvailable")
        assert missing
        assert (missing.status, missing.reason) == ("False", "KMMMissing")
        assert "install the Kernel Module Management operator" in missing.message
        assert (outcomes, early) == ({"waiting"}, [])
        assert not says(after, "Ready", "True")


async def test_T12_no_consumer_runs_before_the_module_is_loaded(templating: Templating) -> None:
    async with templating(simulated=False) as bench:
        (node,) = await bench.nodes()
        await bench.create()
        early = await bench.trial.until(
            DaemonSet, "pt-consumer", lambda each: each.status.observed_generation == each.metadata.generation
        )
        label = ready_label(bench.key("pt"))
        await bench.client.patch(Node, node, MergePatch({"metadata": {"labels": {label: ""}}}))
        late = await bench.trial.until(
            DaemonSet, "pt-consumer", lambda each: each.status.desired_number_scheduled == 1
        )
        await bench.client.patch(Node, node, MergePatch({"metadata": {"labels": {label: None}}}))

        assert early.status.desired_number_scheduled == 0
        assert late.metadata.uid == early.metadata.uid


@pytest.mark.parametrize("message", ["two words", 'quo"ted', "it's", "back\\slash", "new\nline", "tab\t"])
async def test_T13_a_message_that_is_not_one_word_is_refused(templating: Templating, message: str) -> None:
    async with templating(whole=False, simulated=False) as bench:
        with pytest.raises(Invalid, match="takes it as one word: no whitespace, quotes or backslashes"):
            await bench.create(defaultmsg=message)


async def test_T14_what_kmm_would_refuse_is_not_asked_of_it(templating: Templating) -> None:
    async with templating(whole=False, simulated=False) as bench:
        name = "p" * (42 - len(bench.trial.namespace))
        await bench.create(name)
        told = await bench.trial.until(Ptemplate, name, lambda each: says(each, "Ready", "False"))
        await bench.trial.settled()

        ready = condition(told, "Ready")
        assert ready
        assert ready.reason == "NameTooLong"
        assert "42 characters" in ready.message
        assert says(told, "Stalled", "True")
        assert list(await bench.client.list(Module, bench.trial.namespace)) == []
        with pytest.raises(Invalid, match="needs a tag or a digest"):
            await bench.create(moduleImage="quay.io/example/m")
