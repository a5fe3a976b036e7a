"""Releases in bad weather: crashes between any two steps of Helm, lost answers, lost leases."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from shop_release import Shop, chart_folder, shop, templates
from windlass.client import MergePatch
from windlass.helm import HelmController, ReleaseRecord
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import Scenario
from windlass.testing.helm import StandInHelm

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Json
    from windlass.manager import Manager
    from windlass.testing import Simulate, SimulatedWorld

_MAPS = (["a", "b"], ["b", "c"], ["c"])


class Releases(Scenario):
    """Two shops, whose charts gain and lose objects; people edit and delete what they consist of."""

    kinds = (Shop,)
    chart: Path

    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        helm = StandInHelm(manager.client, {"shop": templates}, clock=manager.clock)
        manager.add(HelmController(of=Shop, chart=self.chart, helm=helm))

    async def play(self, world: SimulatedWorld) -> None:
        for name in ("web", "app"):
            await world.create(shop(name, {"maps": _MAPS[0]}))
        for size, maps in enumerate(_MAPS[1:], start=2):
            await world.pause(timedelta(seconds=25))
            await world.change(Shop, "web", {"spec": {"maps": maps, "size": size}})

    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        found = world.list(ConfigMap)
        if found:
            victim = found[number % len(found)]
            if number % 2:
                await world.client.delete(ConfigMap, victim.metadata.name)
            else:
                await world.client.patch(ConfigMap, victim.metadata.name, MergePatch({"data": {"size": "0"}}))

    def is_true(self, resource: Any, world: SimulatedWorld) -> dict[str, bool]:
        name, spec = resource.metadata.name, resource.spec
        maps = {each: world.get(ConfigMap, f"{name}-{each}") for each in "abc"}
        wanted = str(spec.get("size", 1))
        records = [each for each in world.list(ReleaseRecord) if each.release.name == name]
        return {
            "as its values say": all(
                found is not None and (found.data or {}).get("size") == wanted
                for each, found in maps.items()
                if each in spec["maps"]
            ),
            "and nothing else": all(
                found is None for each, found in maps.items() if each not in spec["maps"]
            ),
            "one revision in effect": [each.state for each in records].count("deployed") == 1,
            "and none underway": not any(each.state.startswith("pending") for each in records),
        }


class Troubled(Releases):
    """Two shops; one gets values that do not render, then some that the server refuses, and good ones after."""

    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        helm = StandInHelm(manager.client, {"shop": fragile}, clock=manager.clock)
        manager.add(HelmController(of=Shop, chart=self.chart, helm=helm))

    async def play(self, world: SimulatedWorld) -> None:
        for name in ("web", "app"):
            await world.create(shop(name, {"maps": _MAPS[0]}))
        steps = ((True, False), (False, False), (False, True), (True, True), (False, False))
        for size, (broken, refused) in enumerate(steps, start=2):
            await world.pause(timedelta(seconds=25))
            spec = {"broken": broken, "refused": refused, "maps": _MAPS[size // 2 - 1], "size": size}
            await world.change(Shop, "web", {"spec": spec})

    def is_true(self, resource: Any, world: SimulatedWorld) -> dict[str, bool]:
        facts = super().is_true(resource, world)
        wrong = resource.spec.get("broken") or resource.spec.get("refused")
        return {**facts, "not ready with values that fail": not wrong}


class Failing(Troubled):
    """Two shops; one gets values that fail for good, while others go on to edit and delete its objects.

    It may stay unready, but only with all objects of one of its earlier revisions, as they were deployed.
    """

    wrong: str

    async def play(self, world: SimulatedWorld) -> None:
        for name in ("web", "app"):
            await world.create(shop(name, {"maps": _MAPS[0]}))
        await world.pause(timedelta(seconds=25))
        await world.change(Shop, "web", {"spec": {"maps": _MAPS[1], "size": 2}})
        await world.pause(timedelta(seconds=25))
        await world.change(Shop, "web", {"spec": {self.wrong: True, "maps": _MAPS[2], "size": 3}})
        await world.pause(timedelta(seconds=60))

    def may_wait(self, resource: Any, world: SimulatedWorld) -> bool:
        if not resource.spec.get(self.wrong):
            return False
        name = resource.metadata.name
        maps = {each: world.get(ConfigMap, f"{name}-{each}") for each in "abc"}
        sizes = {each: (found.data or {}).get("size") for each, found in maps.items() if found is not None}
        earlier = ({}, *(dict.fromkeys(maps, str(size)) for size, maps in enumerate(_MAPS[:2], start=1)))
        return sizes in earlier


def fragile(blueprint: Any, number: int) -> Sequence[Json]:
    """What `templates` renders, and an object that the server refuses where the values say so."""
    objects = list(templates(blueprint, number))
    if blueprint.values.get("refused"):
        objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "Not A Name"}})
    return objects


@pytest.fixture
def chart() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield chart_folder(Path(folder))


@pytest.mark.simulation
def test_releases_survive_crashes_at_every_step(simulate: Simulate, chart: Path) -> None:
    class Here(Releases):
        pass

    Here.chart = chart
    simulate(Here, seeds=12)


@pytest.mark.simulation
@pytest.mark.timeout(600)
def test_failing_renders_refused_upgrades_foreign_edits_and_kills(simulate: Simulate, chart: Path) -> None:
    class Here(Troubled):
        pass

    Here.chart = chart
    simulate(Here, seeds=200)


@pytest.mark.simulation
@pytest.mark.timeout(300)
@pytest.mark.parametrize("wrong", ["broken", "refused"])
def test_objects_of_the_deployed_revision_are_repaired_while_a_spec_fails_for_good(
    simulate: Simulate, chart: Path, wrong: str
) -> None:
    class Here(Failing):
        pass

    Here.chart, Here.wrong = chart, wrong
    simulate(Here, seeds=50)
