"""Objects as releases, on an API server in this process and a stand-in for Helm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import pytest
from typing_extensions import override

from polling import until
from shop_release import (
    FINALIZER,
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
from windlass.api import UNOBSERVED, Default, Field, Json, ObjectMeta, Resource, find_condition
from windlass.client import MergePatch
from windlass.errors import Terminal
from windlass.helm import HelmController, HelmOptions, HelmStatus, ReleaseRecord
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.events.v1 import Event
from windlass.kinds.rbac.v1 import ClusterRole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from windlass.reconcile import Context, Result
    from windlass.testing import Starter, Trial

SIZE = {"size": 3}


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


async def size(trial: Trial, name: str) -> str:
    return (await trial.client.get(ConfigMap, name)).data["size"]


async def test_an_object_becomes_a_release_and_goes_with_it(operator: Starter, chart: Path) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web"))
        found = await trial.until(Shop, "web", deployed)

        assert found.metadata.finalizers == [FINALIZER]
        assert found.status.deployed_release is not None
        assert found.status.deployed_release.name == "web"
        assert "web-main" in found.status.deployed_release.manifest
        assert [each.type for each in found.status.conditions][:2] == ["Initialized", "Deployed"]
        made = await trial.client.get(ConfigMap, "web-main")
        (owner,) = made.metadata.owner_references
        assert (owner.kind, owner.name, owner.controller) == ("Shop", "web", True)
        assert made.metadata.labels["helm.sdk.operatorframework.io/chart"] == "shop"
        assert await records(trial) == [(1, "deployed")]

        await trial.client.delete(Shop, "web")
        await trial.gone(Shop, "web")
        await trial.gone(ConfigMap, "web-main")
        assert await records(trial) == []
        assert shops.helm.runs == {"deploy": 1, "uninstall": 1}


async def test_a_pass_that_changes_nothing_needs_neither_helm_nor_a_request(
    operator: Starter, chart: Path
) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b"], "role": True}))
        await trial.until(Shop, "web", deployed)
        await trial.settled()
        assert shops.helm.runs == {"deploy": 1}


async def test_a_new_operator_needs_no_helm_for_what_is_deployed(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        again = Shops(chart)
        await trial.manager.remove(trial.manager.controllers[0])
        again(trial.manager)
        await trial.settled()
        assert again.helm.runs == {}


class Kiosk(Resource, group="example.com", version="v1"):
    """A shop whose status has no type."""

    spec: Json = Field(default_factory=dict)
    status: Annotated[Json, Default({"observedGeneration": UNOBSERVED})] = Field(default_factory=dict)


class Choosy(HelmController):
    """Takes no shop without a size; how one goes is not its business."""

    @override
    async def before(self, resource: Any, ctx: Context) -> None:
        if "size" not in resource.spec:
            raise Terminal("SizeMissing", "set spec.size")

    @override
    async def finalize(self, resource: Any, ctx: Context) -> Result[HelmStatus]:
        if resource.spec.get("stays"):
            raise RuntimeError("no route")
        return await super().finalize(resource, ctx)


def conditions(found: Kiosk) -> dict[str, tuple[str, str]]:
    return {
        each["type"]: (each["status"], each["reason"])
        for each in found.status.get("conditions", ())
        if found.status["observedGeneration"] == found.metadata.generation
    }


async def test_every_exit_is_told_as_kstatus_wants_where_the_status_has_no_type(
    operator: Starter, chart: Path
) -> None:
    def says(**wanted: tuple[str, str] | None) -> Callable[[Kiosk], bool]:
        return lambda found: all(conditions(found).get(each) == told for each, told in wanted.items())

    async with operator(Shops(chart, controller=Choosy, of=Kiosk)) as trial:
        made = await trial.client.create(Kiosk(metadata=ObjectMeta(name="web")))
        assert made.status == {"observedGeneration": UNOBSERVED}
        stalled = says(Ready=("False", "SizeMissing"), Stalled=("True", "SizeMissing"), Reconciling=None)
        await trial.until(Kiosk, "web", stalled)
        await trial.client.patch(Kiosk, "web", MergePatch({"spec": SIZE}))
        await trial.until(Kiosk, "web", says(Ready=("True", "Ready"), Stalled=None, Reconciling=None))
        await trial.settled()

        await trial.client.patch(Kiosk, "web", MergePatch({"spec": {"stays": True}}))
        await trial.client.delete(Kiosk, "web")
        failing = says(Ready=("False", "ReconcileFailed"), Reconciling=("True", "ReconcileFailed"))
        await trial.until(Kiosk, "web", failing)
        await trial.client.patch(Kiosk, "web", MergePatch({"spec": {"stays": None}}))
        await trial.gone(Kiosk, "web")


async def test_another_spec_is_another_revision(operator: Starter, chart: Path) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b"]}))
        await trial.until(Shop, "web", deployed)

        await edit(trial, "web", {"maps": ["b", "c"], "size": 3})
        await trial.until(Shop, "web", lambda found: deployed(found, "UpgradeSuccessful"))

        await trial.gone(ConfigMap, "web-a")
        assert await size(trial, "web-b") == "3"
        assert await size(trial, "web-c") == "3"
        assert await records(trial) == [(1, "superseded"), (2, "deployed")]
        await trial.settled()


async def test_a_value_that_no_template_looks_at_makes_no_revision(operator: Starter, chart: Path) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()

        await edit(trial, "web", {"remark": "nothing"})
        await trial.settled()

        assert shops.helm.runs == {"deploy": 1, "render": 1}
        assert await records(trial) == [(1, "deployed")]


async def test_what_a_person_changes_or_deletes_is_put_right(operator: Starter, chart: Path) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b"], "role": True}))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        role = f"{trial.namespace}-web"

        await trial.client.patch(ConfigMap, "web-a", MergePatch({"data": {"size": "9", "more": "stays"}}))
        await trial.client.delete(ConfigMap, "web-b")
        await trial.client.patch(ClusterRole, role, MergePatch({"rules": []}))

        repaired = await trial.until(ConfigMap, "web-a", lambda found: found.data.get("size") == "1")
        assert repaired.data["more"] == "stays"
        await trial.until(ConfigMap, "web-b", lambda found: bool(found.metadata.owner_references))
        await trial.until(ClusterRole, role, lambda found: bool(found.rules))
        await trial.settled()
        assert shops.helm.runs == {"deploy": 1}


async def test_owner_metadata_that_was_removed_comes_back(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()

        label = {"helm.sdk.operatorframework.io/chart": None}
        bare = MergePatch({"metadata": {"ownerReferences": None, "labels": label}})
        await trial.client.patch(ConfigMap, "web-main", bare)

        await trial.until(
            ConfigMap,
            "web-main",
            lambda found: bool(found.metadata.owner_references) and "shop" in found.metadata.labels.values(),
        )


async def test_a_failing_upgrade_keeps_the_last_good_revision_and_is_not_tried_over_and_over(
    operator: Starter, chart: Path
) -> None:
    def fragile(blueprint: Any, number: int) -> Sequence[Json]:
        objects = list(templates(blueprint, number))
        if blueprint.values.get("size") == 13:
            objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "Not A Name"}})
        return objects

    shops = Shops(chart, templates=fragile)
    async with operator(shops) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"size": 13})
        found = await trial.until(Shop, "web", failed)
        await trial.rest()

        condition = find_condition(found.status.conditions, "ReleaseFailed")
        assert condition is not None
        assert condition.reason == "UpgradeError"
        assert "Not A Name" in condition.message
        assert deployed(found)
        assert await size(trial, "web-main") == "1"
        assert shops.helm.runs["deploy"] == 1  # the server was asked by a dry run
        assert await records(trial) == [(1, "deployed")]
        await trial.client.patch(Shop, "web", MergePatch({"metadata": {"labels": {"look": "again"}}}))
        await trial.rest()
        assert shops.helm.runs["deploy"] == 1

        await edit(trial, "web", SIZE)
        await trial.until(Shop, "web", lambda found: deployed(found) and not failed(found))
        assert await size(trial, "web-main") == "3"


async def test_a_template_that_fails_is_told_and_nothing_is_left(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web", {"broken": True}))
        found = await trial.until(Shop, "web", failed)

        condition = find_condition(found.status.conditions, "ReleaseFailed")
        assert condition is not None
        assert (condition.reason, condition.message) == ("InstallError", "template: broken")
        assert await records(trial) == []

        await edit(trial, "web", {})
        await trial.until(Shop, "web", lambda found: deployed(found) and not failed(found))


async def test_neither_a_bad_annotation_nor_a_status_that_cannot_be_read_keeps_an_object(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        period = {"helm.sdk.operatorframework.io/reconcile-period": "soon"}
        await trial.client.create(shop("web", annotations=period))
        await trial.until(Shop, "web", deployed)
        await trial.rest()

        nonsense = {"status": {"deployedRelease": {"manifest": "{"}}}
        await trial.client.status.patch(Shop, "web", MergePatch(nonsense))
        await trial.client.delete(Shop, "web")
        await trial.gone(Shop, "web")


async def test_a_name_that_is_too_long_for_helm_is_told_with_the_limit(
    operator: Starter, chart: Path
) -> None:
    name = "w" * 54
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop(name))
        found = await trial.until(Shop, name, failed)

        condition = find_condition(found.status.conditions, "ReleaseFailed")
        assert condition is not None
        assert "54 characters" in condition.message
        assert "53" in condition.message
        await trial.client.delete(Shop, name)
        await trial.gone(Shop, name)


async def test_a_record_that_is_pending_since_a_crash_is_given_up_and_begun_again(
    operator: Starter, chart: Path
) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        name = "sh.helm.release.v1.web.v1"
        await trial.client.patch(
            ReleaseRecord, name, MergePatch({"metadata": {"labels": {"status": "pending-install"}}})
        )

        Shops(chart)(trial.manager)

        await trial.until(
            ReleaseRecord, name, lambda found: found.state == "deployed" and not found.metadata.annotations
        )
        await trial.settled()


async def test_what_only_the_last_good_revision_has_goes_too_if_a_later_one_was_cut_short(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web", {"role": True}))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"maps": ["other"]})
        await trial.until(Shop, "web", lambda found: deployed(found, "UpgradeSuccessful"))
        await trial.rest()
        role = f"{trial.namespace}-web"
        await trial.gone(ClusterRole, role)
        await trial.manager.remove(trial.manager.controllers[0])
        for number, state in ((1, "deployed"), (2, "pending-upgrade")):
            label = MergePatch({"metadata": {"labels": {"status": state}}})
            await trial.client.patch(ReleaseRecord, f"sh.helm.release.v1.web.v{number}", label)
        annotations = {
            "meta.helm.sh/release-name": "web",
            "meta.helm.sh/release-namespace": trial.namespace,
        }
        await trial.client.create(ClusterRole(metadata=ObjectMeta(name=role, annotations=annotations)))

        await trial.client.delete(Shop, "web")
        Shops(chart)(trial.manager)

        await trial.gone(Shop, "web")
        await trial.gone(ClusterRole, role)


async def test_an_upgrade_that_only_lacks_its_last_note_is_neither_repeated_nor_taken_back(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", SIZE)
        await trial.until(Shop, "web", lambda found: deployed(found, "UpgradeSuccessful"))
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        name = "sh.helm.release.v1.web.v2"
        pending = MergePatch({"metadata": {"labels": {"status": "pending-upgrade"}}})
        await trial.client.patch(ReleaseRecord, name, pending)

        again = Shops(chart)
        again(trial.manager)

        await trial.until(ReleaseRecord, name, lambda found: found.state == "deployed")
        await trial.settled()
        assert again.helm.runs == {}


async def test_without_the_record_in_effect_the_one_before_is_upgraded_and_nothing_is_uninstalled(
    operator: Starter, chart: Path
) -> None:
    shops = Shops(chart)
    async with operator(shops) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b"]}))
        await trial.until(Shop, "web", deployed)
        await edit(trial, "web", {"maps": ["b", "c"]})
        await trial.until(Shop, "web", lambda found: deployed(found, "UpgradeSuccessful"))
        await trial.rest()
        before = await trial.client.get(ConfigMap, "web-c")

        await trial.client.delete(ReleaseRecord, "sh.helm.release.v1.web.v2")

        await trial.until(ReleaseRecord, "sh.helm.release.v1.web.v2", lambda found: found.state == "deployed")
        await trial.settled()
        assert (await trial.client.get(ConfigMap, "web-c")).metadata.uid == before.metadata.uid
        assert await records(trial) == [(1, "superseded"), (2, "deployed")]
        assert shops.helm.runs["uninstall"] == 0


async def test_what_an_upgrade_had_no_time_to_remove_goes_with_the_release(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b"]}))
        await trial.until(Shop, "web", deployed)
        first = await trial.client.get(ReleaseRecord, "sh.helm.release.v1.web.v1")
        old = await trial.client.get(ConfigMap, "web-a")
        await edit(trial, "web", {"maps": ["b", "c"]})
        await trial.until(Shop, "web", lambda found: deployed(found, "UpgradeSuccessful"))
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        for each in (first, old):
            each.metadata.resource_version = ""
        await trial.client.delete(ReleaseRecord, first.metadata.name)
        await trial.client.create(first)
        await trial.client.create(old)
        pending = MergePatch({"metadata": {"labels": {"status": "pending-upgrade"}}})
        await trial.client.patch(ReleaseRecord, "sh.helm.release.v1.web.v2", pending)

        await trial.client.delete(Shop, "web")
        Shops(chart)(trial.manager)

        await trial.gone(Shop, "web")
        assert await records(trial) == []
        for name in ("web-a", "web-b", "web-c"):
            await trial.gone(ConfigMap, name)


async def test_a_record_that_cannot_be_read_is_told(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        damaged = MergePatch({"data": {"release": "bm90aGluZw=="}})
        await trial.client.patch(ReleaseRecord, "sh.helm.release.v1.web.v1", damaged)

        Shops(chart)(trial.manager)

        found = await trial.until(
            Shop,
            "web",
            lambda found: find_condition(found.status.conditions, "Irreconcilable") is not None,
        )
        condition = find_condition(found.status.conditions, "Irreconcilable")
        assert condition is not None
        assert "sh.helm.release.v1.web.v1 is no record of a Helm release" in condition.message


async def test_a_release_of_another_chart_is_not_taken_over(
    operator: Starter, chart: Path, tmp_path: Path
) -> None:
    other = chart_folder(tmp_path / "other", "stall")
    async with operator(Shops(other)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.manager.remove(trial.manager.controllers[0])
        name = "sh.helm.release.v1.web.v1"
        bare = {"windlass.dev/input": None, "windlass.dev/kind": None}
        await trial.client.patch(ReleaseRecord, name, MergePatch({"metadata": {"labels": bare}}))

        Shops(chart)(trial.manager)

        found = await trial.until(
            Shop, "web", lambda found: find_condition(found.status.conditions, "Irreconcilable") is not None
        )
        condition = find_condition(found.status.conditions, "Irreconcilable")
        assert condition is not None
        assert "duplicate release name" in condition.message


async def test_a_subclass_translates_values_and_changes_objects(operator: Starter, chart: Path) -> None:
    class Labelled(HelmController):
        async def values(self, resource: Any, ctx: Any) -> Json:
            return {"size": resource.spec["people"] * 2}

        def objects(self, resource: Any, objects: Sequence[Json]) -> Sequence[Json]:
            return [
                {**each, "metadata": {**each["metadata"], "labels": {"by": resource.metadata.name}}}
                for each in objects
            ]

    shops = Shops(chart, controller=Labelled)
    async with operator(shops) as trial:
        await trial.client.create(shop("web", {"people": 4}))
        await trial.until(Shop, "web", deployed)

        made = await trial.client.get(ConfigMap, "web-main")
        assert made.data["size"] == "8"
        assert made.metadata.labels["by"] == "web"
        await trial.settled()
        assert shops.helm.runs["deploy"] == 1


@pytest.mark.parametrize(("suppressed", "shown"), [(False, "'7'"), (True, "'****'")])
async def test_overrides_are_told(operator: Starter, chart: Path, *, suppressed: bool, shown: str) -> None:
    options = HelmOptions(overrides={"size": "7"}, suppress_overrides=suppressed)
    async with operator(Shops(chart, options)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)

        async def told() -> list[str]:
            found = await trial.client.list(Event, trial.namespace)
            return [str(each.note) for each in found if each.reason == "OverrideValuesInUse"]

        await until(told)
        assert await told() == [f"the operator overrides the value size of the chart by {shown}"]
