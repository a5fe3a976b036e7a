"""How far an informer is."""

from __future__ import annotations

from windlass.aio import ManualClock
from windlass.cache import Phase
from windlass.cache.health import Health


def test_a_kind_that_is_missing_stays_so_while_the_server_is_away() -> None:
    health = Health("Widget", ManualClock(), lambda: None)

    health.waiting("404")
    health.behind("connection refused")

    assert health.state.phase is Phase.WAITING
    assert health.state.reason == "connection refused"


def test_a_kind_that_was_listed_is_behind_and_comes_back() -> None:
    health = Health("Widget", ManualClock(), lambda: None)
    health.listed = True
    health.in_step()

    health.behind("connection refused")
    away = health.state.phase
    health.in_step()

    assert (away, health.state.phase) == (Phase.BEHIND, Phase.SYNCED)
