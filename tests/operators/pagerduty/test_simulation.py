"""Whatever happens to the operator and to PagerDuty: it converges, makes nothing twice and leaves nothing behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from on_call_scenario import OnCall

if TYPE_CHECKING:
    from windlass.testing.pytest_plugin import Simulate


def test_it_survives_crashes_and_faults_on_both_sides(simulate: Simulate) -> None:
    simulate(OnCall, seeds=20)
