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
    from collections.abc import Iterator

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
