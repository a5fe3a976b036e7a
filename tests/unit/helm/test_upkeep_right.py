"""The objects of releases are kept right, and those that are right cost next to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest
from typing_extensions import override

from shop_release import Shop, Shops, chart_folder, deployed, shop
from windlass.client import MergePatch
from windlass.helm import HelmController
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.helm import HelmStatus
    from windlass.reconcile import Context, Result
    from windlass.testing import Starter, Trial


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


class Counted:
    """A context that notes what is applied through it."""

    def __init__(self, ctx: Context, applied: list[str]) -> None:
        self._ctx = ctx
        self._applied = applied

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ctx, name)

    async def apply(self, resource: Any, **said: Any) -> Any:
        self._applied.append(said["manager"])
        return await self._ctx.apply(resource, **said)


class Counting(HelmController):
    """Notes in whose name it applies something."""

    applied: ClassVar[list[str]] = []

    @override
    async def reconcile(self, resource: Any, ctx: Context) -> Result[HelmStatus]:
        return await super().reconcile(resource, cast("Context", Counted(ctx, self.applied)))


class Forgetless(HelmController):
    """Does not hear that an object is gone, as when another one takes its place at once."""

    @override
    async def forget(self, key: Any) -> None:
        pass


async def enlarge(trial: Trial) -> None:
    """Edit an object of the release by hand, and wait until that is put back."""
    await trial.client.patch(ConfigMap, "web-main", MergePatch({"data": {"size": "9"}}))
    await trial.until(ConfigMap, "web-main", lambda found: found.data["size"] == "1")


async def test_an_object_that_was_found_right_is_not_compared_again(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, controller=Counting)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.settled()
        Counting.applied.clear()

        await trial.settled()

        assert Counting.applied == []
        await enlarge(trial)
        await trial.rest()
        assert "helm" in Counting.applied


async def test_every_edit_is_put_back_not_only_the_first(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        for _ in range(3):
            await trial.settled()
            await enlarge(trial)


async def test_another_object_of_the_same_name_becomes_the_owner(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, controller=Forgetless)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.settled()
        paused = {"annotations": {"windlass.dev/paused": "true"}, "finalizers": None}
        await trial.client.patch(Shop, "web", MergePatch({"metadata": paused}))
        await trial.client.delete(Shop, "web")

        new = await trial.client.create(shop("web"))

        uid = new.metadata.uid
        await trial.until(ConfigMap, "web-main", lambda it: it.metadata.owner_references[0].uid == uid)
