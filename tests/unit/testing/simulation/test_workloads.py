from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from planted import Shops
from windlass.testing import simulate as simulate_one
from workloads import Workloads

if TYPE_CHECKING:
    from windlass.testing import Simulate


@pytest.mark.simulation
def test_the_controllers_of_a_cluster_pass_every_judge(simulate: Simulate) -> None:
    simulate(Workloads, seeds=5)


def test_a_scenario_may_have_the_controllers_of_a_cluster_beside_its_operator() -> None:
    class Owned(Shops):
        controllers = True

    outcome = simulate_one(Owned, 4)

    assert not [entry for entry in outcome.trace if entry.who == "collector"]
    assert outcome.finding is None
