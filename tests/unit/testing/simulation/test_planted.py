"""The proof: planted bugs are found, and what differs from them by a few lines passes every judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from planted import BUGS, Shops, scenario_of
from windlass.errors import SimulationFailed
from windlass.testing import simulate_many

if TYPE_CHECKING:
    from planted import ShopController
    from windlass.testing import Simulate


@pytest.mark.parametrize(("controller", "judge"), BUGS, ids=lambda each: getattr(each, "__name__", each))
def test_a_planted_bug_is_found(controller: type[ShopController], judge: str) -> None:
    with pytest.raises(SimulationFailed) as failed:
        simulate_many(scenario_of(controller), range(200), attempts=0)

    assert failed.value.outcome.finding.judge == judge


@pytest.mark.simulation
def test_the_operator_without_the_bugs_passes_every_judge_in_all_weathers(simulate: Simulate) -> None:
    survey = simulate(Shops, seeds=30)

    happened = survey.disturbances
    assert all(
        happened[kind] for kind in ("fault", "crash", "stall", "lag", "cuts", "silences", "compactions")
    )
    assert all(happened[kind] for kind in ("ends", "splits", "pauses", "meddling"))
