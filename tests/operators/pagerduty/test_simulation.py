"""Whatever happens to the operator and to PagerDuty: it converges, makes nothing twice and leaves nothing behind.

Each of these scenarios is judged besides by whether a request was ever one too many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from on_call_scenario import ROUGH, OnCall
from windlass.errors import SimulationFailed
from windlass.operators.pagerduty.simulator import FAIR
from windlass.testing import Weather, simulate

if TYPE_CHECKING:
    from windlass.testing import Simulate

STILL = Weather(
    faults=0, crashes=0, stalls=0, lags=0, cuts=0, silences=0, compactions=0, ends=0, splits=0, pauses=0,
    meddling=0,
)  # fmt: skip


class Crashing(OnCall):
    """Nothing goes wrong but that the operator crashes at every third write: before, at or after it."""

    weather = Weather(
        faults=0, crashes=0.3, stalls=0, lags=0, cuts=0, silences=0, compactions=0, ends=3, splits=0,
        pauses=0, meddling=0,
    )  # fmt: skip
    pagerduty = FAIR


class Refusing(OnCall):
    """The operator is well, and PagerDuty is not."""

    weather = STILL
    pagerduty = ROUGH


class Usurped(OnCall):
    """Who leads stands still, and another takes over whose watches have fallen silent early."""

    weather = Weather(
        lasts=8, faults=0, crashes=0, stalls=0.25, lags=0.3, cuts=0, silences=6, compactions=0, ends=0,
        splits=0, pauses=0, meddling=0, longest_lag=30,
    )  # fmt: skip
    pagerduty = FAIR


class Still(OnCall):
    """Nothing goes wrong at all."""

    weather = STILL
    pagerduty = FAIR


class Tight(OnCall):
    """PagerDuty allows far fewer requests than are wanted at once."""

    weather = STILL
    pagerduty = FAIR

    def __init__(self) -> None:
        super().__init__()
        self.account.rate.limit = 16


def test_it_survives_crashes_and_faults_on_both_sides(simulate: Simulate) -> None:
    simulate(OnCall, seeds=12)


def test_it_survives_a_crash_wherever_it_writes(simulate: Simulate) -> None:
    simulate(Crashing, seeds=8)


def test_it_survives_whatever_pagerduty_answers(simulate: Simulate) -> None:
    simulate(Refusing, seeds=6)


def test_who_takes_over_concludes_nothing_from_a_cache_that_lags(simulate: Simulate) -> None:
    simulate(Usurped, seeds=16)


def test_it_keeps_to_a_limit_that_it_learns_from_pagerduty(simulate: Simulate) -> None:
    simulate(Tight, seeds=3)


def test_P18_nothing_needs_an_account_or_a_network() -> None:
    """A simulation refuses sockets, threads and processes; nothing that the operator does needs one."""
    assert simulate(Still, seed=0).finding is None
    assert {name.partition(" ")[0] for name in simulate(Still, seed=3).disturbances} <= {"uneven", "swarm"}


def test_what_the_judges_see_is_not_always_well() -> None:
    """A scenario in which what is true cannot come about is found out."""

    class Impossible(Still):
        def is_true(self, *_: object) -> dict[str, bool]:
            return {"never": False}

    with pytest.raises(SimulationFailed, match="never"):
        simulate(Impossible, seed=0, attempts=0)
