"""What runs for the entries of `watches.yaml`."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discovering import Discovery, app, group, version
from windlass.api import LabelSelector
from windlass.client import Client
from windlass.helm.operator import add_watches, plan_watches
from windlass.helm.options import HelmOptions
from windlass.helm.turns import Turns
from windlass.helm.watches import HelmWatch
from windlass.manager import Manager, ManagerOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from windlass.api import Json
    from windlass.helm import Blueprint, Deploying, Revision
    from windlass.helm.operator import Planned


class NoHelm:
    """A cluster, and no program."""

    def __init__(self, *versions: Any) -> None:
        self.client = Client(Discovery(groups=[group("demo.example.com", *versions)]))

    turns = Turns()

    def acting_as(self, _: Any) -> NoHelm:
        raise NotImplementedError

    async def render(self, *_: Any, **__: Any) -> Sequence[Json]:
        raise NotImplementedError

    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        raise NotImplementedError

    async def rollback(self, *_: Any) -> None:
        raise NotImplementedError

    async def uninstall(self, *_: Any) -> bool:
        raise NotImplementedError


def watch(kind: str = "Shop", version: str = "v1", **more: Any) -> HelmWatch:
    return HelmWatch(group="demo.example.com", version=version, kind=kind, chart=Path("shop"), **more)


async def planned(*watches: HelmWatch, **defaults: Any) -> list[Planned]:
    helm = NoHelm(version("v1", app("Shop")))
    return await plan_watches(watches, helm, HelmOptions(**defaults), {"TAG": "1.2"})


async def test_an_entry_is_a_controller_of_the_kind_that_the_server_serves() -> None:
    (found,) = await planned(watch())

    assert (found.name, found.chart.path, found.workers) == ("shop-controller", Path("shop"), None)
    assert (found.of.__kind__.plural, found.of.__kind__.namespaced) == ("shops", False)


async def test_an_entry_says_more_than_the_flags() -> None:
    selector = LabelSelector(match_labels={"app": "shop"})
    said = watch(
        period=timedelta(hours=1), overrides={"tag": "$TAG"}, selector=selector, watch_dependents=False,
        dry_run="server", max_concurrent=3, history=2, timeout=timedelta(seconds=9),
    )  # fmt: skip
    (found,) = await planned(said, metadata_key="cr", suppress_overrides=True)

    assert found.workers == 3
    assert found.options == HelmOptions(
        period=timedelta(hours=1),
        overrides={"tag": "1.2"},
        selector=selector,
        watch_dependents=False,
        dry_run="server",
        metadata_key="cr",
        suppress_overrides=True,
        history=2,
        timeout=timedelta(seconds=9),
    )


async def test_what_an_entry_leaves_unsaid_the_flags_say() -> None:
    flags: dict[str, Any] = {"period": timedelta(minutes=7), "history": 4, "timeout": timedelta(minutes=1)}
    (found,) = await planned(watch(), **flags)

    assert found.options == HelmOptions(**flags, selector=LabelSelector())


async def test_kinds_of_one_name_have_controllers_of_different_names() -> None:
    other = HelmWatch(group="", version="v2", kind="Shop", chart=Path("shop"))

    names = [each.name for each in await planned(watch(), watch(version="v2"), other)]

    assert names == ["shop-controller", "shop.v2.demo.example.com-controller", "shop.v2-controller"]


async def test_a_kind_that_is_not_served_yet_is_guessed_and_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        (found,) = await planned(watch("Policy"))

    kind = found.of.__kind__
    assert (kind.plural, kind.namespaced, kind.subresources) == ("policies", True, ("status",))
    assert (
        "no Policy of demo.example.com/v1 yet; it is waited for as policies.demo.example.com" in caplog.text
    )


async def test_a_manager_runs_what_is_planned(tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    watches = [replace(each, chart=tmp_path) for each in (watch(), watch(version="v2", max_concurrent=3))]
    helm = NoHelm(version("v1", app("Shop")))
    manager = Manager(helm.client, ManagerOptions(max_concurrent_reconciles=5))

    await add_watches(manager, watches, helm, HelmOptions(), {})

    spare = 4  # for repairs and removals
    assert [(each.name, each.options.workers) for each in manager.controllers] == [
        ("shop-controller", 5 + spare),
        ("shop.v2.demo.example.com-controller", 3 + spare),
    ]


async def test_an_entry_may_name_another_service_account_than_the_flag_or_none() -> None:
    watches = [watch(), watch("Stall", service_account="stalls"), watch("Kiosk", service_account="")]

    found = await planned(*watches, service_account="shops")

    assert [each.options.service_account for each in found] == ["shops", "stalls", ""]
    assert [each.options.service_account for each in await planned(*watches)] == ["", "stalls", ""]
