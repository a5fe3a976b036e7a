"""History and timeout of the options reach every call of Helm."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from typing_extensions import override

from tenants import collector, standing_in, unhurried
from windlass.client import MergePatch
from windlass.operators.collector import Collector
from windlass.testing.helm import StandInHelm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tenants import Collecting
    from windlass.api import Json, Key
    from windlass.client import Client, Impersonation
    from windlass.helm import Blueprint, Deploying, Retreat, Revision


class Recorded(StandInHelm):
    """Notes history and timeout of each call; deploying a configuration fails halfway."""

    def __init__(self, client: Client, calls: list[tuple[str, int, timedelta]]) -> None:
        super().__init__(client, {"collector": standing_in})
        self.calls = calls

    @override
    def acting_as(self, user: Impersonation) -> Recorded:
        return Recorded(self.client.acting_as(user), self.calls)

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        self.calls.append(("deploy", how.history, how.timeout))
        if blueprint.values.get("config"):
            how = replace(how, change=_broken)
        return await super().deploy(blueprint, how)

    @override
    async def rollback(self, release: Key, revision: int, how: Retreat) -> None:
        self.calls.append(("rollback", how.history, how.timeout))
        await super().rollback(release, revision, how)

    @override
    async def uninstall(self, release: Key, how: Retreat) -> bool:
        self.calls.append(("uninstall", 0, how.timeout))
        return await super().uninstall(release, how)


def _broken(objects: Sequence[Json]) -> Sequence[Json]:
    """Objects that the server refuses, which no dry run has seen."""
    for each in objects:
        if each["kind"] == "Deployment":
            each["spec"]["replicas"] = -1
    return objects


async def test_each_call_of_helm_has_the_history_and_the_timeout_of_the_options(
    collecting: Collecting,
) -> None:
    calls: list[tuple[str, int, timedelta]] = []
    collecting.make = lambda manager: Recorded(manager.client, calls)
    limit = timedelta(seconds=77)
    async with collecting(unhurried(history=3, timeout=limit)) as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        configured = {"spec": {"values": {"config": {"interval": 60}}}}
        await trial.client.patch(Collector, "amp", MergePatch(configured))
        await trial.until(Collector, "amp", lambda _: any(call[0] == "rollback" for call in calls))
        await trial.client.delete(Collector, "amp")
        await trial.gone(Collector, "amp")

    assert set(calls) >= {("deploy", 3, limit), ("rollback", 3, limit), ("uninstall", 0, limit)}
    assert {call[1:] for call in calls if call[0] != "uninstall"} == {(3, limit)}
