"""What the guide to simulation shows works, and finds what it says that it finds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

import readme
from windlass.codegen import load_module
from windlass.errors import SimulationFailed
from windlass.reconcile import Context, Reconciler, Result
from windlass.testing.simulation import all_judges
from windlass.testing.simulation import simulate as simulate_seed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from windlass.manager import Manager
    from windlass.testing import Judge, Simulate, SimulatedWorld

PAGE = "docs/guides/simulation.md"


@pytest.fixture
def guide(tmp_path: Path) -> Any:
    """All code of the guide, as one module."""
    code = "\n\n".join(text for text in readme.blocks("python", PAGE))
    (tmp_path / "greetings_of_the_guide.py").write_text(code, encoding="utf-8")
    return load_module(str(tmp_path / "greetings_of_the_guide.py"))


def test_the_example_survives(guide: Any, capsys: pytest.CaptureFixture[str]) -> None:
    guide.survive()

    assert capsys.readouterr().out == "10 seeds passed\n"


def test_the_test_passes_with_the_fixture(guide: Any, simulate: Simulate) -> None:
    surveys = []

    def survey(scenario: Any, seeds: int) -> None:
        surveys.append(simulate(scenario, seeds=seeds // 10))  # as `--simulation-seeds 5` would

    guide.test_greetings_survive(survey)

    assert [each.seeds for each in surveys] == [5]


@pytest.mark.parametrize("tells", [False, True])
def test_the_judge_of_events_finds_them_and_nothing_else(guide: Any, *, tells: bool) -> None:
    class Telling(guide.GreetingController):  # type: ignore[misc]
        name = "greeting"

        async def reconcile(self, greeting: Any, ctx: Context) -> Result[Any]:
            if tells:
                ctx.event("Greeted", "hello")
            result: Result[Any] = await super().reconcile(greeting, ctx)
            return result

    class Told(guide.Greetings):  # type: ignore[misc]
        def operator(self, manager: Manager, world: SimulatedWorld) -> None:
            manager.add(Telling())

        def judges(self) -> Sequence[Judge]:
            return [guide.NoEvents()]

    if tells:
        with pytest.raises(SimulationFailed, match=r"no events: operator\S+ sent POST events"):
            simulate_seed(Told, seed=0, attempts=0)
    else:
        assert simulate_seed(Told, seed=0).finding is None


@pytest.mark.parametrize("looks", [True, False])
def test_what_is_outside_is_reached_and_what_exists_twice_is_found(guide: Any, *, looks: bool) -> None:
    class Paging(Reconciler[guide.Greeting]):
        def __init__(self, pager: Any) -> None:
            self.pager = pager

        @override
        async def reconcile(self, greeting: Any, ctx: Context) -> Result[Any]:
            name = greeting.metadata.name
            if not looks or await self.pager.find(name) is None:
                await ctx.effect("create service", lambda: self.pager.create(name))
            return Result.ready(guide.GreetingStatus())

    class Paged(guide.Greetings):  # type: ignore[misc]
        def __init__(self) -> None:
            self.pager = guide.Pager()
            self.outside = (self.pager,)

        def operator(self, manager: Manager, world: SimulatedWorld) -> None:
            manager.add(Paging(world.reach(self.pager)))

        def is_true(self, greeting: Any, world: SimulatedWorld) -> bool:
            return greeting.metadata.name in self.pager.services.values()

        def judges(self) -> Sequence[Judge]:
            return [each for each in all_judges() if each.name in ("converges", "no duplicate effect")]

    if looks:
        assert simulate_seed(Paged, seed=0).finding is None
    else:
        with pytest.raises(SimulationFailed, match="no duplicate effect: Pager has g twice: P0 and P1"):
            simulate_seed(Paged, seed=0, attempts=0)


def test_the_guide_names_every_judge() -> None:
    listed = re.findall(r"^\| (?!judge|-)(.+?) \|", readme.text_of(PAGE), re.MULTILINE)

    assert sorted(listed) == sorted(each.name for each in all_judges())
