from __future__ import annotations

from datetime import timedelta

from set_pods import NOW
from windlass.api import Key
from windlass.cluster.controller.daemon_set.backoff import Backoff

_OWNER, _OTHER = Key("shop", "web"), Key("shop", "other")


def test_a_node_rests_twice_as_long_after_each_failure_up_to_a_quarter_of_an_hour() -> None:
    backoff = Backoff()
    now, rests = NOW, []
    for _ in range(12):
        backoff.failed(_OWNER, "a", now)
        rests.append(backoff.resting(_OWNER, ["a", "b"], now)["a"])
        now += rests[-1]
        assert backoff.resting(_OWNER, ["a", "b"], now) == {}
    assert rests[:4] == [timedelta(seconds=each) for each in (1, 2, 4, 8)]
    assert rests[-1] == timedelta(minutes=15)


def test_a_node_that_has_done_well_for_long_begins_anew() -> None:
    backoff = Backoff()
    backoff.failed(_OWNER, "a", NOW)
    backoff.failed(_OWNER, "a", NOW)
    later = NOW + timedelta(hours=1)
    backoff.failed(_OWNER, "a", later)
    assert backoff.resting(_OWNER, ["a"], later) == {"a": timedelta(seconds=1)}


def test_nothing_is_kept_of_a_set_that_is_gone() -> None:
    backoff = Backoff()
    backoff.failed(_OWNER, "a", NOW)
    backoff.failed(_OTHER, "a", NOW)
    backoff.forget(_OWNER)
    assert backoff.resting(_OWNER, ["a"], NOW) == {}
    assert backoff.resting(_OTHER, ["a"], NOW) == {"a": timedelta(seconds=1)}
