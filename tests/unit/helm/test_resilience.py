"""Releases keep working while something fails: drift, refusals, conflicts, hooks and interruptions."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from polling import until
from shop_release import (
    CountedHelm,
    Shop,
    Shops,
    chart_folder,
    deployed,
    edit,
    failed,
    records,
    shop,
    templates,
)
from windlass.aio import ManualClock
from windlass.api import ObjectMeta, Quantity, Resource, find_condition
from windlass.client import MergePatch
from windlass.codegen import custom_resource_definitions
from windlass.controller import ControllerOptions
from windlass.errors import HelmError, NotFound
from windlass.helm import HelmController, ReleaseRecord, Turns
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, ResourceQuota, ResourceQuotaSpec, Service
from windlass.kinds.events.v1 import Event
from windlass.kinds.rbac.v1 import ClusterRole
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.helm import Blueprint, Deploying, Retreat, Revision
    from windlass.manager import Manager
    from windlass.testing import Starter, Trial


class Unrelated(Resource, group="other.example.com", version="v1"):
    """A kind of another operator."""


RECONCILE_AT = "windlass.dev/reconcile-at"


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


def fragile(blueprint: Any, number: int) -> Sequence[Json]:
    """The usual objects, and one that the server refuses where the size is 13."""
    objects = list(templates(blueprint, number))
    if blueprint.values.get("size") == 13:
        objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "Not A Name"}})
    return objects


def reason(found: Shop, type_: str = "Ready") -> str:
    condition = find_condition(found.status.conditions, type_)
    return f"{condition.status} {condition.reason}" if condition else ""


async def damage(trial: Trial, name: str = "web-main") -> None:
    await trial.client.patch(ConfigMap, name, MergePatch({"data": {"size": "99"}}))


async def repaired(trial: Trial, size: str, name: str = "web-main") -> None:
    await trial.until(ConfigMap, name, lambda found: (found.data or {}).get("size") == size)


async def announced(trial: Trial, reason: str) -> list[str]:
    found = await trial.client.list(Event, trial.namespace)
    return [each.note or "" for each in found if each.reason == reason]


async def test_a_failure_of_a_release_is_recorded_once_by_its_own_event_and_steps_are_log_lines(
    operator: Starter, chart: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "windlass.controller")
    async with operator(Shops(chart, templates=fragile)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", lambda each: reason(each) == "True Ready")
        await damage(trial)
        await repaired(trial, "1")
        await trial.client.patch(Shop, "web", MergePatch({"spec": {"size": 13}}))
        await trial.until(Shop, "web", lambda each: reason(each) == "False UpgradeError")
        await damage(trial)  # another run, which fails as the one before
        await repaired(trial, "1")
        await trial.rest()
        await until(lambda: announced(trial, "UpgradeFailed"))
        found = await trial.client.list(Event, trial.namespace)

    assert [each.reason for each in found if each.type == "Warning"] == ["UpgradeFailed"]
    assert "Ready" in {each.reason for each in found if each.type == "Normal"}
    lines = [each.getMessage() for each in caplog.records]
    where = f"{trial.namespace}/web"
    assert f"Installed release {where}, revision 1" in lines
    assert f"Repaired ConfigMap {where}-main: .data.size" in lines
    assert any(each.startswith("Ready is False (was True): UpgradeError: ") for each in lines)


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ({"broken": True}, "False RenderFailed"),
        ({"size": 13}, "False UpgradeError"),
    ],
)
async def test_drift_is_repaired_to_the_deployed_revision_while_a_new_one_fails(
    operator: Starter, chart: Path, spec: Any, shown: str
) -> None:
    async with operator(Shops(chart, templates=fragile)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.client.patch(Shop, "web", MergePatch({"spec": spec}))
        found = await trial.until(Shop, "web", lambda each: reason(each) == shown)
        assert reason(found, "Deployed") == "True InstallSuccessful"
        assert found.status.deployed_release is not None
        assert found.status.deployed_release.revision == 1

        await damage(trial)
        await repaired(trial, "1")
        await trial.client.delete(ConfigMap, "web-main")
        await repaired(trial, "1")
        found = await trial.until(Shop, "web", lambda each: reason(each) == shown)
        assert await records(trial) == [(1, "deployed")]


async def test_a_chart_that_becomes_unreadable_does_not_stop_the_repair(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        (chart / "Chart.yaml").write_text("no chart")
        await damage(trial)
        await repaired(trial, "1")
        found = await trial.until(Shop, "web", lambda each: reason(each) == "False ReconcileError")
        assert deployed(found)


async def test_a_refused_upgrade_is_retried_by_dry_run_every_ten_minutes_without_a_revision(
    operator: Starter, chart: Path
) -> None:
    clock = ManualClock()
    shops = Shops(chart, templates=fragile)
    async with operator(shops, options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"size": 13})
        await trial.until(Shop, "web", failed)
        rendered = shops.helm.runs["render"]

        for _ in range(3):
            await clock.advance(timedelta(minutes=3))
            await trial.rest()
        assert shops.helm.runs["render"] == rendered  # nothing was tried within nine minutes
        await clock.advance(timedelta(minutes=1, seconds=1))
        await until(lambda: _is(shops.helm.runs["render"] > rendered))

        assert shops.helm.runs["deploy"] == 1
        assert await records(trial) == [(1, "deployed")]


async def _is(condition: bool) -> bool:  # noqa: FBT001 - what is awaited
    return condition


async def limit_maps(trial: Trial, most: int) -> None:
    """Let there be so many ConfigMaps; the status stands in for the controller of quotas."""
    hard = {"count/configmaps": Quantity(str(most))}
    name = f"at-most-{most}"
    await trial.client.create(
        ResourceQuota(metadata=ObjectMeta(name=name), spec=ResourceQuotaSpec(hard=hard))
    )
    used = {"count/configmaps": str(len(await trial.client.list(ConfigMap, trial.namespace)))}
    await trial.client.status.patch(
        ResourceQuota, name, MergePatch({"status": {"hard": {"count/configmaps": str(most)}, "used": used}})
    )


async def test_an_annotation_retries_at_once(operator: Starter, chart: Path) -> None:
    shops = Shops(chart)
    async with operator(shops, options=TrialOptions(clock=ManualClock())) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await limit_maps(trial, 1)
        await edit(trial, "web", {"maps": ["main", "more"]})
        found = await trial.until(Shop, "web", failed)
        assert "exceeded quota" in str(find_condition(found.status.conditions, "ReleaseFailed"))
        assert shops.helm.runs["deploy"] == 1

        await trial.client.delete(ResourceQuota, "at-most-1")
        await trial.rest()
        assert shops.helm.runs["deploy"] == 1
        annotation = {"metadata": {"annotations": {RECONCILE_AT: "now"}}}
        await trial.client.patch(Shop, "web", MergePatch(annotation))
        await repaired(trial, "1", "web-more")
        await trial.until(Shop, "web", lambda each: reason(each) == "True Ready")


async def test_an_upgrade_that_was_refused_for_drift_is_retried_once_that_is_repaired(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.client.patch(ConfigMap, "web-main", MergePatch({"immutable": True}))
        await edit(trial, "web", {"size": 2})
        found = await trial.until(Shop, "web", failed)
        assert "immutable" in str(find_condition(found.status.conditions, "ReleaseFailed"))

        await trial.client.delete(ConfigMap, "web-main")
        await repaired(trial, "2")
        await trial.until(Shop, "web", lambda each: reason(each) == "True Ready")


async def test_hand_edits_make_no_revisions_while_an_upgrade_is_rolled_back(
    operator: Starter, chart: Path
) -> None:
    """A step that leaves revisions behind waits for its time, however often drift is repaired."""

    def hooked(blueprint: Any, number: int) -> Sequence[Json]:
        hook = {"name": "a", "namespace": "nowhere", "annotations": {"helm.sh/hook": "post-upgrade"}}
        return [*templates(blueprint, number), {"apiVersion": "v1", "kind": "ConfigMap", "metadata": hook}]

    clock = ManualClock()
    async with operator(Shops(chart, templates=hooked), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"size": 2})
        await trial.until(Shop, "web", failed)
        left = [(1, "superseded"), (2, "failed"), (3, "deployed")]
        assert await records(trial) == left

        for _ in range(3):
            await damage(trial)
            await repaired(trial, "1")
            await clock.advance(timedelta(seconds=5))
            await trial.rest()
        assert await records(trial) == left
        await clock.advance(timedelta(minutes=1))
        await until(lambda: _more_than(trial, len(left)))


async def _more_than(trial: Trial, count: int) -> bool:
    return len(await records(trial)) > count


async def test_a_field_of_a_wrong_type_is_refused_without_a_revision(operator: Starter, chart: Path) -> None:
    """The API server answers 500 to it, as to nothing that passes by itself."""

    def typed(blueprint: Any, number: int) -> Sequence[Json]:
        first, *rest = templates(blueprint, number)
        return [{**first, "immutable": blueprint.values.get("immutable", False)}, *rest]

    shops = Shops(chart, templates=typed)
    async with operator(shops, options=TrialOptions(clock=ManualClock())) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"immutable": "many"})
        found = await trial.until(Shop, "web", lambda each: reason(each) == "False UpgradeError")

        assert "failed to create typed patch object" in str(find_condition(found.status.conditions, "Ready"))
        assert shops.helm.runs["deploy"] == 1
        assert await records(trial) == [(1, "deployed")]


async def test_a_new_kind_alone_makes_no_revision_of_a_chart_that_renders_the_same_objects(
    operator: Starter, chart: Path
) -> None:
    """As charts do that draw a password at the installation, and look it up at each upgrade."""
    (chart / "templates" / "a.yaml").write_text("{{ .Capabilities.APIVersions | toYaml }}")
    changed = {"checksum": "of the installation"}

    def drawing(blueprint: Any, number: int) -> Sequence[Json]:
        first, *rest = templates(blueprint, number)
        more = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "more"}}]
        is_served = "other.example.com/v2" in blueprint.capabilities.api_versions
        return [{**first, "data": {**first["data"], **changed}}, *rest, *(more if is_served else ())]

    async with operator(Shops(chart, templates=drawing)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        changed["checksum"] = "of an upgrade"
        (definition,) = custom_resource_definitions([Unrelated])
        made = await trial.client.create(CustomResourceDefinition.from_wire(definition))
        await trial.rest()
        await damage(trial)
        await repaired(trial, "1")
        assert await records(trial) == [(1, "deployed")]

        made = await trial.client.get(CustomResourceDefinition, made.metadata.name)
        made.spec.versions.append(made.spec.versions[0].model_copy(update={"name": "v2", "storage": False}))
        await trial.client.update(made)
        await trial.until(ConfigMap, "more", lambda _: True)  # another object is an upgrade
        assert await records(trial) == [(1, "superseded"), (2, "deployed")]


async def test_a_refused_installation_is_retried_by_dry_run(operator: Starter, chart: Path) -> None:
    clock = ManualClock()
    shops = Shops(chart, templates=fragile)
    async with operator(shops, options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(shop("web", {"size": 13}))
        found = await trial.until(Shop, "web", lambda each: reason(each) == "False InstallError")
        assert not deployed(found)
        assert shops.helm.runs["deploy"] == 1

        await clock.advance(timedelta(minutes=10, seconds=1))
        await until(lambda: _is(shops.helm.runs["render"] == 1))
        await trial.rest()
        assert shops.helm.runs["deploy"] == 1
        assert await records(trial) == []


async def test_a_new_kind_alone_is_no_failure_of_a_chart_that_no_longer_renders(
    operator: Starter, chart: Path
) -> None:
    """As charts that want passwords at each upgrade do."""
    (chart / "templates" / "a.yaml").write_text("{{ .Capabilities.APIVersions | toYaml }}")
    upgrades = {"fail": False}

    def picky(blueprint: Any, number: int) -> Sequence[Json]:
        if upgrades["fail"]:
            raise HelmError("PASSWORDS ERROR: you must provide your current passwords")
        return templates(blueprint, number)

    async with operator(Shops(chart, templates=picky)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        upgrades["fail"] = True
        (definition,) = custom_resource_definitions([Unrelated])
        await trial.client.create(CustomResourceDefinition.from_wire(definition))
        await trial.rest()

        await damage(trial)
        await repaired(trial, "1")
        found = await trial.until(Shop, "web", lambda each: reason(each) == "True Ready")
        assert not failed(found)
        assert await records(trial) == [(1, "deployed")]


async def test_a_port_that_was_changed_by_hand_is_put_back_and_blocks_nothing_else(
    operator: Starter, chart: Path
) -> None:
    def served(blueprint: Any, number: int) -> Sequence[Json]:
        port = {"name": "http", "port": 80, "targetPort": 8080}
        service = {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "web"},
            "spec": {"ports": [port]},
        }
        return [service, *templates(blueprint, number)]

    async with operator(Shops(chart, templates=served)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        found = await trial.client.get(Service, "web")
        found.spec.ports[0].port = 81
        await trial.client.update(found)
        await damage(trial)

        await repaired(trial, "1")
        await trial.until(Service, "web", lambda each: [port.port for port in each.spec.ports] == [80])
        await trial.until(Shop, "web", lambda each: reason(each) == "True Ready")
        stored = (await trial.client.get(Service, "web")).to_wire()["metadata"]["managedFields"]
        managers = {(each["manager"], each["operation"]) for each in stored if "subresource" not in each}
        assert managers == {("helm", "Apply"), ("windlass-owner", "Apply")}
        await trial.settled()


async def test_two_releases_with_one_object_do_not_overwrite_each_other_and_both_name_the_other(
    operator: Starter, chart: Path
) -> None:
    def roles(blueprint: Any, number: int) -> Sequence[Json]:
        return [
            *templates(blueprint, number),
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "shared"},
                "data": {"of": blueprint.release.name},
            },
        ]

    class Racing(CountedHelm):
        """Helm's check for objects of others passes for both, as it does when they install at the same time."""

        @override
        async def _check(self, *_: Any) -> None:
            """Let everything pass."""

    class Two(Shops):
        @override
        def __call__(self, manager: Manager) -> None:
            self.helm = Racing(manager.client, {"shop": roles})
            manager.add(HelmController(of=Shop, chart=chart, helm=self.helm))

    async with operator(Two(chart)) as trial:
        await trial.client.create(shop("one"))
        await trial.until(Shop, "one", deployed)
        await trial.client.create(shop("two"))

        def is_named(found: Shop) -> bool:
            condition = find_condition(found.status.conditions, "ObjectConflict")
            other = "two" if found.metadata.name == "one" else "one"
            return condition is not None and f"release {trial.namespace}/{other}" in condition.message

        await trial.until(Shop, "one", is_named)
        await trial.until(Shop, "two", is_named)
        await trial.rest()
        before = await trial.client.get(ConfigMap, "shared")
        await trial.rest()
        after = await trial.client.get(ConfigMap, "shared")
        assert before.metadata.resource_version == after.metadata.resource_version
        keeper = after.metadata.annotations["meta.helm.sh/release-name"]
        loser = "one" if keeper == "two" else "two"
        assert reason(await trial.client.get(Shop, loser)) == "False Conflict"

        await trial.client.delete(Shop, loser)
        await trial.gone(Shop, loser)
        assert (await trial.client.get(ConfigMap, "shared")).metadata.uid == after.metadata.uid
        await trial.until(
            Shop, keeper, lambda each: find_condition(each.status.conditions, "ObjectConflict") is None
        )


async def test_an_object_of_another_release_that_keeps_helm_from_installing_is_named_by_both(
    operator: Starter, chart: Path
) -> None:
    def shared(blueprint: Any, number: int) -> Sequence[Json]:
        return [
            *templates(blueprint, number),
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shared"}},
        ]

    def names(other: str) -> Callable[[Shop], bool]:
        def is_so(found: Shop) -> bool:
            condition = find_condition(found.status.conditions, "ObjectConflict")
            return condition is not None and condition.message.endswith(f"/{other}")

        return is_so

    async with operator(Shops(chart, templates=shared)) as trial:
        await trial.client.create(shop("one"))
        await trial.until(Shop, "one", deployed)
        await trial.client.create(shop("two"))

        second = await trial.until(Shop, "two", names("one"))
        await trial.until(Shop, "one", names("two"))
        assert reason(second) == "False Conflict"
        assert not deployed(second)

        await trial.client.delete(Shop, "two")
        await trial.gone(Shop, "two")
        await trial.until(
            Shop, "one", lambda each: find_condition(each.status.conditions, "ObjectConflict") is None
        )


async def test_hooks_have_an_owner_reference(operator: Starter, chart: Path) -> None:
    def hooked(blueprint: Any, number: int) -> Sequence[Json]:
        hook = {"helm.sh/hook": "post-install"}
        metadata = {"name": "hook", "annotations": hook}
        return [
            *templates(blueprint, number),
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata},
        ]

    async with operator(Shops(chart, templates=hooked)) as trial:
        made = await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        (owner,) = (await trial.client.get(ConfigMap, "hook")).metadata.owner_references
        assert (owner.kind, owner.uid, owner.controller) == ("Shop", made.metadata.uid, True)


def hooked(blueprint: Blueprint, number: int) -> Sequence[Json]:
    """The shop, with a ConfigMap `shared` that is a hook or an ordinary object, as the values say."""
    values = blueprint.values
    metadata: Json = {"name": "shared"}
    if values.get("hook"):
        metadata["annotations"] = {
            "helm.sh/hook": "pre-install,pre-upgrade",
            "helm.sh/hook-delete-policy": "before-hook-creation",
        }
    shared = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"of": values["of"]}}
    return [*templates(blueprint, number), shared]


@pytest.mark.parametrize("first", ["hook", "object"])
async def test_a_hook_does_not_delete_the_object_of_another_release(
    operator: Starter, chart: Path, first: str
) -> None:
    async with operator(Shops(chart, templates=hooked)) as trial:
        await trial.client.create(shop("one", {"of": "one", "hook": first == "hook"}))
        await trial.until(Shop, "one", deployed)
        uid = (await trial.client.get(ConfigMap, "shared")).metadata.uid

        await trial.client.create(shop("two", {"of": "two", "hook": True}))
        found = await trial.until(Shop, "two", failed)
        assert "ConfigMap" in str(find_condition(found.status.conditions, "Ready"))
        assert f"is also an object of release {trial.namespace}/one" in str(found.status.conditions)
        for name in ("one", "two"):
            await trial.until(
                Shop, name, lambda each: bool(find_condition(each.status.conditions, "ObjectConflict"))
            )
        assert (await trial.client.get(ConfigMap, "shared")).metadata.uid == uid

        await trial.client.delete(Shop, "one")
        await trial.gone(Shop, "one")
        if first == "hook":
            await trial.client.delete(ConfigMap, "shared")
        await trial.client.patch(Shop, "two", MergePatch({"metadata": {"annotations": {RECONCILE_AT: "1"}}}))
        await trial.until(Shop, "two", deployed)
        assert (await trial.client.get(ConfigMap, "shared")).data == {"of": "two"}


class Raced(CountedHelm):
    """Finds no release to uninstall, since its records were deleted a moment before, as with a namespace."""

    @override
    async def uninstall(self, release: Any, how: Retreat) -> bool:
        for each in await self.client.list(ReleaseRecord, release.namespace, labels="owner=helm"):
            await self.client.delete(ReleaseRecord, each.metadata.name, release.namespace)
        return await super().uninstall(release, how)


class Racing(Shops):
    """The operator with such a Helm."""

    @override
    def __call__(self, manager: Manager) -> None:
        self.helm = Raced(manager.client, {"shop": templates})
        manager.add(HelmController(of=Shop, chart=self._chart, helm=self.helm))


async def test_objects_go_although_the_records_went_before_helm_could_read_them(
    operator: Starter, chart: Path
) -> None:
    async with operator(Racing(chart)) as trial:
        await trial.client.create(shop("web", {"role": True}))
        await trial.until(Shop, "web", deployed)
        await trial.client.delete(Shop, "web")
        await trial.gone(Shop, "web")
        with pytest.raises(NotFound):
            await trial.client.get(ClusterRole, f"{trial.namespace}-web")


def faulty(blueprint: Blueprint, number: int) -> Sequence[Json]:
    """The shop, or a fault of the operator."""
    if blueprint.values.get("fault"):
        raise KeyError("metadata")
    return templates(blueprint, number)


async def test_a_fault_of_the_operator_is_reported_and_drift_is_repaired(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart, templates=faulty)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"fault": True})
        found = await trial.until(Shop, "web", lambda each: reason(each) == "False ReconcileError")
        condition = find_condition(found.status.conditions, "Ready")
        assert condition is not None
        assert condition.message == "KeyError: 'metadata'"
        await damage(trial)
        await repaired(trial, "1")


async def test_an_object_with_a_name_longer_than_any_label_can_be_deleted(
    operator: Starter, chart: Path
) -> None:
    name = "n" * 80
    async with operator(Shops(chart)) as trial:
        await trial.client.create(Shop(metadata=ObjectMeta(name=name)))
        found = await trial.until(Shop, name, failed)
        assert "80 characters" in str(find_condition(found.status.conditions, "Ready"))
        await trial.client.delete(Shop, name)
        await trial.gone(Shop, name)


class Hanging(CountedHelm):
    """Hangs in each deployment of size 5, as a hook that never ends does."""

    cancelled = 0

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        if blueprint.values.get("size") == 5:
            if how.on_start and how.on_hook:
                how.on_start()
                how.on_hook("Job migrate")
            try:
                await asyncio.Event().wait()
            finally:
                type(self).cancelled += 1
        return await super().deploy(blueprint, how)


class Stuck(Shops):
    """The operator with such a Helm."""

    @override
    def __call__(self, manager: Manager) -> None:
        self.helm = Hanging(manager.client, {"shop": templates})
        manager.add(HelmController(of=Shop, chart=self._chart, helm=self.helm))


async def test_a_running_hook_shows_a_condition_and_a_corrected_spec_interrupts_it(
    operator: Starter, chart: Path
) -> None:
    async with operator(Stuck(chart)) as trial:
        await trial.client.create(shop("web", {"size": 5}))
        found = await trial.until(Shop, "web", lambda each: reason(each) == "False Deploying")
        condition = find_condition(found.status.conditions, "Ready")
        assert condition is not None
        assert "waiting for hook Job migrate" in condition.message

        await edit(trial, "web", {"size": 6})
        await repaired(trial, "6")
        await trial.until(Shop, "web", lambda each: reason(each) == "True Ready")


async def test_deletion_interrupts_a_running_hook(operator: Starter, chart: Path) -> None:
    async with operator(Stuck(chart)) as trial:
        await trial.client.create(shop("web", {"size": 5}))
        await trial.until(Shop, "web", lambda each: reason(each) == "False Deploying")
        await trial.client.delete(Shop, "web")
        await trial.gone(Shop, "web")
        assert await records(trial) == []


class Hooked(Shops):
    """The operator with such a Helm, which changes one release at a time."""

    @override
    def __call__(self, manager: Manager) -> None:
        self.helm = Hanging(manager.client, {"shop": templates}, turns=Turns(1))
        manager.add(HelmController(of=Shop, chart=self._chart, helm=self.helm), ControllerOptions(workers=2))


async def test_hooks_that_hang_keep_no_other_release_from_repair_and_removal(
    operator: Starter, chart: Path
) -> None:
    async with operator(Hooked(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.client.create(shop("gone"))
        for name in ("web", "gone"):
            await trial.until(Shop, name, deployed)
        for name in ("a", "b", "c"):
            await trial.client.create(shop(name, {"size": 5}))
        (waits,) = await until(lambda: queued(trial))
        assert "waits until fewer releases are installed or upgraded" in waits

        await damage(trial)
        await repaired(trial, "1")
        await trial.client.delete(Shop, "gone")
        await trial.gone(Shop, "gone")
        for name in ("a", "b", "c"):
            await edit(trial, name, {"size": 6})
        for name in ("a", "b", "c"):
            await trial.until(Shop, name, lambda each: reason(each) == "True Ready")


class HangingRemovals(CountedHelm):
    """Hangs when it uninstalls a release whose name begins with `stuck`, until it is let go."""

    def __init__(self, client: Any) -> None:
        super().__init__(client, {"shop": templates}, turns=Turns(removals=1))
        self.go, self.began = asyncio.Event(), asyncio.Event()

    @override
    async def uninstall(self, release: Any, how: Retreat) -> bool:
        if release.name.startswith("stuck"):
            self.began.set()
            await self.go.wait()
        return await super().uninstall(release, how)


class StuckRemovals(Shops):
    """The operator with such a Helm, and as many workers as hang."""

    hanging: HangingRemovals

    @override
    def __call__(self, manager: Manager) -> None:
        self.hanging = self.helm = HangingRemovals(manager.client)
        manager.add(HelmController(of=Shop, chart=self._chart, helm=self.helm), ControllerOptions(workers=2))


async def test_hooks_that_hang_in_a_removal_keep_no_other_release_from_installation_and_repair(
    operator: Starter, chart: Path
) -> None:
    shops = StuckRemovals(chart)
    stuck = ("stuck-a", "stuck-b", "stuck-c")
    async with operator(shops) as trial:
        for name in ("web", *stuck):
            await trial.client.create(shop(name))
            await trial.until(Shop, name, deployed)
        for name in stuck:
            await trial.client.delete(Shop, name)
        await shops.hanging.began.wait()
        (waits,) = await until(lambda: queued(trial))
        assert "waits until fewer releases are removed" in waits

        await damage(trial)
        await repaired(trial, "1")
        await trial.client.create(shop("late"))
        await trial.until(Shop, "late", deployed)
        assert shops.hanging.runs["uninstall"] == 0  # else nothing hung

        shops.hanging.go.set()
        for name in stuck:
            await trial.gone(Shop, name)
        assert shops.hanging.runs["uninstall"] == len(stuck)


async def queued(trial: Trial) -> list[str]:
    shops = await trial.client.list(Shop, trial.namespace)
    found = [find_condition(each.status.conditions, "Ready") for each in shops]
    return [each.message for each in found if each and each.reason == "Queued"][:1]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"size": 13}, "UpgradeFailed"),
        ({"broken": True}, "RenderFailed"),
    ],
)
async def test_a_failure_is_one_warning_however_often_it_is_retried(
    operator: Starter, chart: Path, spec: Json, told: str
) -> None:
    async with operator(Shops(chart, templates=fragile)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", spec)
        (note,) = await until(lambda: announced(trial, told))
        assert "retried at" not in note  # each would be another event

        await damage(trial)  # a pass that tries nothing records nothing
        await repaired(trial, "1")
        assert len(await announced(trial, told)) == 1


async def test_a_failed_installation_is_a_warning(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, templates=fragile)) as trial:
        await trial.client.create(shop("web", {"size": 13}))
        (note,) = await until(lambda: announced(trial, "InstallFailed"))
        assert "Not A Name" in note


async def test_each_step_and_each_repair_is_an_event(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await damage(trial)
        await repaired(trial, "1")
        await edit(trial, "web", {"size": 3})
        await repaired(trial, "3")

        async def all_told() -> bool:
            told = [await announced(trial, each) for each in ("Installed", "Repaired", "Upgraded")]
            return all(told)

        await until(all_told)
        (repair,) = await announced(trial, "Repaired")
        assert repair == f"Repaired ConfigMap {trial.namespace}/web-main: .data.size"
