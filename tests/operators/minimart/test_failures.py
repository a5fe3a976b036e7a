"""The operator while something fails: drift is repaired, nothing loops, and `kubectl get` shows what is the matter."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from minimart_shop import NAME, change, is_deployed, message, revisions, runs, sample, told
from polling import until
from windlass.api import ObjectMeta
from windlass.client import JsonPatch, MergePatch
from windlass.errors import Invalid
from windlass.helm import HelmController, HelmProgram
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import ConfigMap, Service
from windlass.kinds.events.v1 import Event
from windlass.operators.minimart import CHART, Minimart, add_to
from windlass.testing import TrialOptions, install_kinds, on_trial

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from windlass.manager import Manager
    from windlass.testing import Access, Trial

pytestmark = pytest.mark.timeout(180)

_HOOK = """
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {kubernetes.io/hostname: no-such-node}
      containers: [{name: migrate, image: migrate}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-noted
  annotations:
    helm.sh/hook: pre-install
    helm.sh/hook-weight: "-5"
"""


def shows(status: str, reason: str) -> Callable[[Minimart], bool]:
    return lambda shop: told(shop).get("Ready") == (status, reason)


@pytest.fixture
async def trial(helm: Path, control_plane: Access) -> AsyncIterator[Trial]:
    async with on_trial(control_plane, [add_to], TrialOptions(whole=True)) as trial:
        yield trial
        await trial.client.delete_collection(Minimart, trial.namespace)
        await trial.gone(Minimart, NAME)


@pytest.mark.parametrize(
    ("spec", "reason", "part"),
    [
        ({"replicaCount": "x"}, "RenderFailed", "replicaCount"),
        ({"tolerations": [{"operator": "Bogus"}]}, "UpgradeError", "tolerations"),
    ],
)
async def test_drift_is_repaired_while_an_upgrade_fails_and_no_revision_is_made(
    trial: Trial, spec: dict[str, Any], reason: str, part: str
) -> None:
    client = trial.client
    await client.create(sample())
    await trial.until(Minimart, NAME, shows("True", "Ready"))

    await change(client, **spec)
    shop = await trial.until(Minimart, NAME, shows("False", reason))
    assert part in message(shop, "Ready")
    assert told(shop)["Deployed"] == ("True", "InstallSuccessful")
    assert told(shop)["Available"] == ("True", "Available")
    assert told(shop)["Reconciling"] == ("True", reason)
    assert shop.status["observedGeneration"] == shop.metadata.generation

    before = await client.get(Service, NAME)
    await client.delete(Service, NAME)
    await client.patch(Deployment, NAME, MergePatch({"spec": {"replicas": 0}}))
    await trial.until(Service, NAME, lambda found: found.metadata.uid != before.metadata.uid)
    await trial.until(Deployment, NAME, runs(1))
    shop = await trial.until(Minimart, NAME, shows("False", reason))
    assert shop.status["deployedRelease"]["revision"] == 1
    assert await revisions(client) == {1: "deployed"}

    await change(client, **dict.fromkeys(spec))
    shop = await trial.until(Minimart, NAME, shows("True", "Ready"))
    assert told(shop).keys().isdisjoint({"Reconciling", "Stalled"})
    assert shop.status["observedGeneration"] == shop.metadata.generation
    assert await revisions(client) == {1: "deployed"}


async def test_a_port_that_was_changed_by_hand_is_put_back(trial: Trial) -> None:
    client = trial.client
    await client.create(sample())
    await trial.until(Minimart, NAME, is_deployed("InstallSuccessful"))
    found = await client.get(Service, NAME)
    found.spec.ports[0].port = 81
    await client.update(found)

    await trial.until(Service, NAME, lambda each: [port.port for port in each.spec.ports] == [80])
    await change(client, service={"port": 82})
    await trial.until(Service, NAME, lambda each: [port.port for port in each.spec.ports] == [82])

    async def repaired() -> list[str]:
        events = await client.list(Event, trial.namespace)
        return [each.note or "" for each in events if each.reason == "Repaired"]

    (note,) = await until(repaired)
    assert note.startswith(f"Repaired Service {trial.namespace}/{NAME}: .spec.ports")


@pytest.fixture
async def hooked(helm: Path, control_plane: Access, tmp_path: Path) -> AsyncIterator[Trial]:
    """The operator with a chart whose hook never ends."""
    chart = shutil.copytree(CHART, tmp_path / "minimart")
    (chart / "templates" / "hook.yaml").write_text(_HOOK)

    def added(manager: Manager) -> None:
        manager.add(HelmController(of=Minimart, chart=chart, helm=HelmProgram.of(manager)))

    async with on_trial(control_plane, [added], TrialOptions(whole=True)) as trial:
        yield trial
        await trial.client.delete_collection(Minimart, trial.namespace)
        await trial.gone(Minimart, NAME)


@pytest.fixture
async def sharing(helm: Path, control_plane: Access, tmp_path: Path) -> AsyncIterator[Trial]:
    """The operator with a chart that has an object of one name, whatever the release is called."""
    chart = shutil.copytree(CHART, tmp_path / "minimart")
    shared = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\n"
    (chart / "templates" / "shared.yaml").write_text(shared)

    def added(manager: Manager) -> None:
        manager.add(HelmController(of=Minimart, chart=chart, helm=HelmProgram.of(manager)))

    async with on_trial(control_plane, [added], TrialOptions(whole=True)) as trial:
        yield trial
        await trial.client.delete_collection(Minimart, trial.namespace)
        for name in (NAME, "other"):
            await trial.gone(Minimart, name)


async def test_two_releases_with_one_object_name_each_other_and_the_first_keeps_it(sharing: Trial) -> None:
    client = sharing.client
    await client.create(sample())
    await sharing.until(Minimart, NAME, shows("True", "Ready"))
    before = await client.get(ConfigMap, "shared")
    other = sample()
    other.metadata.name = "other"
    await client.create(other)

    second = await sharing.until(Minimart, "other", lambda each: NAME in message(each, "ObjectConflict"))
    await sharing.until(
        Minimart, NAME, lambda each: f"{sharing.namespace}/other" in message(each, "ObjectConflict")
    )
    assert told(second)["Ready"] == ("False", "Conflict")
    after = await client.get(ConfigMap, "shared")
    assert after.metadata.resource_version == before.metadata.resource_version


async def test_a_hook_that_hangs_shows_a_condition_has_an_owner_and_ends_with_the_object(
    hooked: Trial,
) -> None:
    client = hooked.client
    made = await client.create(sample())
    shop = await hooked.until(Minimart, NAME, shows("False", "Deploying"))
    shop = await hooked.until(Minimart, NAME, lambda each: "waiting for hook" in message(each, "Ready"))
    assert f"waiting for hook Job {NAME}-migrate" in message(shop, "Ready")
    for kind, name in ((Job, f"{NAME}-migrate"), (ConfigMap, f"{NAME}-noted")):
        (owner,) = (await client.get(kind, name)).metadata.owner_references
        assert (owner.kind, owner.uid, owner.controller) == ("Minimart", made.metadata.uid, True)

    await client.delete(Minimart, NAME)
    await hooked.gone(Minimart, NAME)
    assert await revisions(client) == {}
    await hooked.gone(ConfigMap, f"{NAME}-noted")  # which Helm leaves, and the garbage collector does not


async def test_another_spec_interrupts_a_hook_that_hangs(hooked: Trial) -> None:
    client = hooked.client
    await client.create(sample())
    await hooked.until(Minimart, NAME, shows("False", "Deploying"))

    annotation = {"helm.sdk.operatorframework.io/install-disable-hooks": "true"}
    await client.patch(
        Minimart, NAME, MergePatch({"metadata": {"annotations": annotation}, "spec": {"replicaCount": 2}})
    )
    await hooked.until(Minimart, NAME, shows("True", "Ready"))
    await hooked.until(Deployment, NAME, runs(2))


@pytest.mark.xdist_group("minimart-definition")
async def test_an_object_from_before_the_rule_about_names_is_told_of_it_and_can_be_deleted(
    trial: Trial,
) -> None:
    client, long = trial.client, Minimart(metadata=ObjectMeta(name="m" * 70))
    rules = "/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations"
    definition = f"{Minimart.__kind__.plural}.{Minimart.__kind__.group}"

    async def is_taken() -> bool:
        try:
            await client.create(long)
        except Invalid:
            return False
        return True

    await client.patch(CustomResourceDefinition, definition, JsonPatch([{"op": "remove", "path": rules}]))
    try:
        await until(is_taken, every=0.1)
    finally:
        await install_kinds(client, [Minimart])
    shop = await trial.until(Minimart, long.metadata.name, shows("False", "InstallError"))
    assert "has 70 characters, and Helm takes 53" in message(shop, "Ready")

    await client.delete(Minimart, long.metadata.name)
    await trial.gone(Minimart, long.metadata.name)
