"""When a manager is alive and when it is ready, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from windlass.api import Kind
from windlass.manager import (
    HealthLimits,
    QueueState,
    WatchState,
    dead_watches,
    failing_watches,
    late_beat,
    missing_kinds,
    reduced_caches,
    stale_watches,
    stuck_queues,
    unready_caches,
    unready_election,
)

LIMITS = HealthLimits()
FINE = WatchState(kind="Pod", synced=True, silence=timedelta(seconds=5), idle=timedelta(minutes=1))
SILENT = replace(FINE, silence=timedelta(minutes=4))
AWAY = replace(SILENT, away="connection refused")
LISTING = replace(FINE, synced=False)
NO_SUCH_KIND = replace(LISTING, kind="WebApp", away="waiting for its definition", silence=timedelta(hours=1))


@pytest.mark.parametrize(
    ("watch", "alive", "ready"),
    [
        (FINE, None, None),
        (replace(FINE, silence=FINE.idle * 3), None, None),
        (
            SILENT,
            "Pod: no word for 240 s (it is opened anew after 60 s)",
            "Pod: no word for 240 s",
        ),
        (AWAY, None, "Pod: no word for 240 s, connection refused"),
        (replace(FINE, away="connection refused"), None, None),
        (LISTING, None, "Pod: being listed"),
        (NO_SUCH_KIND, None, "WebApp: waiting for its definition"),
    ],
)
def test_a_watch_is_dead_only_if_the_server_answers_and_ready_only_if_it_is_up_to_date(
    watch: WatchState, alive: str | None, ready: str | None
) -> None:
    assert dead_watches([watch], LIMITS) == (alive or "")
    assert unready_caches([watch], LIMITS) == ready


def test_every_kind_that_is_waited_for_is_named() -> None:
    assert unready_caches([FINE, LISTING, NO_SUCH_KIND], LIMITS) == (
        "Pod: being listed; WebApp: waiting for its definition"
    )


@pytest.mark.parametrize(
    ("watch", "unready", "told"),
    [
        (FINE, None, ""),
        (LISTING, "Pod: being listed", ""),
        (SILENT, None, "stale: Pod: no word for 240 s"),
        (AWAY, None, "stale: Pod: no word for 240 s, connection refused"),
        (NO_SUCH_KIND, "WebApp: waiting for its definition", ""),
        (replace(NO_SUCH_KIND, converted=True, away="500 conversion webhook failed"), None, ""),
    ],
)
def test_a_stale_watch_is_told_and_no_reason_to_leave_the_service_where_webhooks_are_served(
    watch: WatchState, unready: str | None, told: str
) -> None:
    assert unready_caches([watch], LIMITS, serves_webhooks=True) == unready
    assert stale_watches([watch], LIMITS) == told


def test_a_kind_that_is_not_served_is_named_with_its_definition() -> None:
    webapp = Kind("example.com", "v1", "WebApp", "webapps")

    assert missing_kinds([]) is None
    assert missing_kinds([webapp, webapp]) == (
        "WebApp.example.com/v1 is not served; install the CustomResourceDefinition webapps.example.com"
    )
    assert missing_kinds([Kind("", "v1", "Gadget", "gadgets")]) == "Gadget.v1 is not served"


def test_a_reduced_kind_is_told_but_ready() -> None:
    reduced = replace(FINE, reduced=True)

    assert unready_caches([reduced], LIMITS) is None
    assert reduced_caches([FINE, reduced]) == "over budget, each read asks the server: Pod"
    assert reduced_caches([FINE]) == ""


REFUSED = replace(
    LISTING,
    declared=False,
    away="GET …: 403 not allowed\nThe rule that is missing",
    silence=timedelta(hours=1),
)


def test_a_watch_that_was_begun_at_run_time_and_is_refused_is_told_but_ready_and_alive() -> None:
    assert unready_caches([FINE, REFUSED, replace(LISTING, declared=False)], LIMITS) is None
    assert dead_watches([FINE, REFUSED], LIMITS) == ""
    assert (
        failing_watches([FINE, LISTING, REFUSED], LIMITS) == "begun at run time: Pod: GET …: 403 not allowed"
    )
    assert failing_watches([FINE, replace(FINE, declared=False)], LIMITS) == ""
    assert dead_watches([replace(SILENT, declared=False)], LIMITS)


def test_of_many_watches_that_were_begun_at_run_time_some_are_named() -> None:
    told = failing_watches([REFUSED] * 13, LIMITS)

    assert told.count("403") == 10
    assert told.endswith("; 3 more")


@pytest.mark.parametrize(
    ("age", "idle_workers", "stuck"),
    [
        (timedelta(minutes=5), 3, None),
        (timedelta(minutes=6), 3, "webapp: a key waits for 360 s while 3 workers are idle"),
        (timedelta(minutes=6), 0, None),  # all are busy: a long queue is no fault
    ],
)
def test_a_queue_is_stuck_when_an_old_key_meets_an_idle_worker(
    age: timedelta, idle_workers: int, stuck: str | None
) -> None:
    queue = QueueState(controller="webapp", oldest=age, idle_workers=idle_workers)

    assert stuck_queues([queue], LIMITS) == stuck


@pytest.mark.parametrize(
    ("holder", "problem", "unready"),
    [
        ("", "", None),  # nobody asked yet, or there is no election
        ("other", "", None),
        ("other", "connection refused", None),
        ("", "connection refused", "the lease could not be read yet: connection refused"),
    ],
)
def test_a_standby_is_ready_but_not_one_that_never_saw_the_lease(
    holder: str, problem: str, unready: str | None
) -> None:
    assert unready_election(holder, problem) == unready


def test_a_loop_that_does_not_come_round_is_dead() -> None:
    assert late_beat(timedelta(seconds=10), LIMITS) is None
    assert late_beat(timedelta(seconds=11), LIMITS) == "the event loop is blocked, for 11 s now"
