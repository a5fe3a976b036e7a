"""Releases in awkward moments: after a crash, with a cache that lags, beside those of others."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from typing_extensions import override

from shop_release import Shop, Shops, chart_folder, deployed, failed, records, shop, templates
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta, find_condition
from windlass.client import MergePatch
from windlass.errors import ReleaseError
from windlass.helm import (
    Blueprint,
    Capabilities,
    Chart,
    HelmController,
    ReleaseRecord,
    Releases,
    Turns,
    Wanted,
    packed,
)
from windlass.kinds.core.v1 import ConfigMap, Namespace
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.helm import Helm, Upkeep
    from windlass.reconcile import Context
    from windlass.testing import Starter, Trial

NAME = "sh.helm.release.v1.web.v{}"


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


async def stop(trial: Trial) -> None:
    """End the operator, as a crash would."""
    await trial.rest()
    await trial.manager.remove(trial.manager.controllers[0])


async def mark(trial: Trial, number: int, **labels: str | None) -> None:
    """Have a record say something else."""
    said = MergePatch({"metadata": {"labels": labels}})
    await trial.client.patch(ReleaseRecord, NAME.format(number), said)


def irreconcilable(found: Shop) -> bool:
    return find_condition(found.status.conditions, "Irreconcilable") is not None


async def test_an_object_that_never_got_its_release_leaves_it_to_whom_it_belongs(
    operator: Starter, chart: Path, tmp_path: Path
) -> None:
    other = chart_folder(tmp_path / "other", "stall")
    async with operator(Shops(other)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await stop(trial)
        await mark(trial, 1, **{"windlass.dev/input": None, "windlass.dev/kind": None})
        await trial.client.status.patch(Shop, "web", MergePatch({"status": None}))
        Shops(chart)(trial.manager)
        await trial.until(Shop, "web", irreconcilable)

        await trial.client.delete(Shop, "web")
        await trial.gone(Shop, "web")

        assert await records(trial) == [(1, "deployed")]
        await trial.client.get(ConfigMap, "web-main")


async def test_a_release_of_another_kind_of_object_is_not_uninstalled(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await stop(trial)
        await mark(trial, 1, **{"windlass.dev/kind": "Mall.example.com", "windlass.dev/input": "other.1"})
        await trial.client.status.patch(Shop, "web", MergePatch({"status": None}))
        await trial.client.delete(Shop, "web")

        Shops(chart)(trial.manager)

        await trial.gone(Shop, "web")
        assert await records(trial) == [(1, "deployed")]
        await trial.client.get(ConfigMap, "web-main")


async def test_a_namespace_that_is_being_deleted_does_not_wait_for_hooks_that_cannot_run(
    operator: Starter, chart: Path
) -> None:
    def hooked(blueprint: Any, number: int) -> Sequence[Json]:
        hook = {"helm.sh/hook": "pre-delete"}
        metadata = {"name": "farewell", "annotations": hook}
        return [
            *templates(blueprint, number),
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata},
        ]

    async with operator(Shops(chart, templates=hooked)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()

        await trial.client.delete(Namespace, trial.namespace)
        await trial.client.delete(Shop, "web")

        await trial.gone(Shop, "web")
        assert await records(trial) == []
        await trial.gone(ConfigMap, "web-main")


async def test_a_removal_that_failed_by_a_hook_is_tried_at_once_without_hooks(
    operator: Starter, chart: Path
) -> None:
    """The pause after the failure is ten seconds of a clock that stands still."""

    def hooked(blueprint: Any, number: int) -> Sequence[Json]:
        metadata = {"name": "Not A Name", "annotations": {"helm.sh/hook": "pre-delete"}}
        return [
            *templates(blueprint, number),
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata},
        ]

    options = TrialOptions(clock=ManualClock())
    async with operator(Shops(chart, templates=hooked), options=options) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.client.delete(Shop, "web")
        await trial.until(Shop, "web", failed)

        unhooked = {"helm.sdk.operatorframework.io/uninstall-disable-hooks": "true"}
        await trial.client.patch(Shop, "web", MergePatch({"metadata": {"annotations": unhooked}}))

        await trial.gone(Shop, "web")


class LaggingContext:
    """A context whose cache shows one state of the records, and its server another."""

    now = datetime(2030, 1, 1, tzinfo=UTC)

    def __init__(self, cached: list[ReleaseRecord], stored: list[ReleaseRecord]) -> None:
        self._cached = cached
        self._stored = {each.metadata.name: each for each in stored}
        self.live = self

    async def list(self, *_: Any, **__: Any) -> Any:
        return self._cached

    async def pages(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        yield SimpleNamespace(items=list(self._stored.values()))

    async def get(self, _: Any, name: str, __: str) -> ReleaseRecord:
        return self._stored[name]


def record(number: int, state: str, blueprint: Blueprint) -> ReleaseRecord:
    labels = {"name": "web", "version": str(number), "status": state, "windlass.dev/kind": "Shop.example.com"}
    labels["windlass.dev/input"] = f"{blueprint.digest}.{number}"
    labels["windlass.dev/capabilities"] = blueprint.capabilities_digest
    info = {"status": state}
    content = {"name": "web", "namespace": "shop", "version": number, "info": info, "manifest": ""}
    metadata = ObjectMeta(name=NAME.format(number), namespace="shop", uid=f"{number}{state}", labels=labels)
    return ReleaseRecord(metadata=metadata, data=packed(content))


@pytest.mark.parametrize(
    ("cached", "stored"),
    [
        ([(1, "superseded"), (2, "pending-upgrade")], [(1, "superseded"), (2, "deployed")]),
        ([(1, "failed")], [(1, "deployed")]),
        ([], [(1, "deployed")]),
    ],
)
async def test_a_cache_that_lags_makes_nobody_give_up_or_remove_what_is_deployed(
    chart: Path, cached: list[tuple[int, str]], stored: list[tuple[int, str]]
) -> None:
    """Neither has the context a patch or an effect, nor is there a Helm: anything but a look would fail."""
    blueprint = Blueprint(
        release=Key("shop", "web"), chart=Chart.read(chart), capabilities=Capabilities(kube_version="v1.36.0")
    )
    states = [[record(*each, blueprint) for each in known] for known in (cached, stored)]
    releases = Releases(cast("Helm", SimpleNamespace(turns=Turns())), cast("Upkeep", None))

    wanted = Wanted(blueprint=blueprint, kind="Shop.example.com")
    settled = await releases.settle(wanted, cast("Context", LaggingContext(*states)))

    assert (settled.revision.number, settled.revision.state) == stored[-1]
    assert not settled.fresh


async def test_a_release_that_becomes_free_is_not_waited_for(chart: Path) -> None:
    blueprint = Blueprint(
        release=Key("shop", "web"), chart=Chart.read(chart), capabilities=Capabilities(kube_version="v1.36.0")
    )
    releases = Releases(cast("Helm", SimpleNamespace(turns=Turns())), cast("Upkeep", None))
    wanted = Wanted(blueprint=blueprint, kind="Shop.example.com")
    foreign, ours = record(1, "failed", blueprint), record(1, "deployed", blueprint)
    foreign.metadata.labels["windlass.dev/kind"] = "Mall.example.com"
    with pytest.raises(ReleaseError, match="belongs to a Mall"):
        await releases.settle(wanted, cast("Context", LaggingContext([], [foreign])))

    settled = await releases.settle(wanted, cast("Context", LaggingContext([], [ours])))

    assert settled.revision.state == "deployed"


class Labelled(HelmController):
    """Has each object of a release tell the team of its shop."""

    rank = "first"

    @override
    def objects(self, resource: Any, objects: Sequence[Json]) -> Sequence[Json]:
        labels = {"team": resource.metadata.labels.get("team", "none"), "rank": self.rank}
        return [{**each, "metadata": {**each["metadata"], "labels": labels}} for each in objects]


class Relabelled(Labelled):
    """The next version of that operator."""

    rank = "second"


async def test_what_a_subclass_makes_of_objects_is_deployed_whatever_it_depends_on(
    operator: Starter, chart: Path
) -> None:
    async def team(trial: Trial, team: str, rank: str) -> None:
        wanted = {"team": team, "rank": rank}.items()
        await trial.until(ConfigMap, "web-main", lambda found: wanted <= found.metadata.labels.items())

    shops = Shops(chart, controller=Labelled)
    async with operator(shops) as trial:
        await trial.client.create(shop("web"))
        await team(trial, "none", "first")
        await trial.client.patch(Shop, "web", MergePatch({"metadata": {"labels": {"team": "blue"}}}))
        await team(trial, "blue", "first")
        before = shops.helm.runs.copy()
        await trial.settled()
        assert shops.helm.runs == before

        await stop(trial)
        Shops(chart, controller=Relabelled)(trial.manager)
        await team(trial, "blue", "second")
