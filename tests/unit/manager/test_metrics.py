"""Metrics as Prometheus reads them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from prometheus_client import Counter
from prometheus_client.parser import text_string_to_metric_families

from windlass.aio import ManualClock
from windlass.manager import CacheReading, Counters, Metrics

if TYPE_CHECKING:
    from windlass.manager import Outcome


def samples(metrics: Metrics) -> dict[str, float]:
    """Every series that a scrape shows: `name{label="value",…}`, labels in order, and its number."""
    text = metrics.expose().body.decode()
    return {
        f"{each.name}{{{','.join(f'{name}={value}' for name, value in sorted(each.labels.items()))}}}": each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


def test_every_series_of_a_controller_is_there_before_its_first_reconcile() -> None:
    metrics = Metrics(ManualClock())
    metrics.controller("webapp", workers=10)
    metrics.queue("webapp", lambda: {0: 0})

    seen = samples(metrics)

    for result in ("success", "error", "requeue", "requeue_after"):
        assert seen[f"controller_runtime_reconcile_total{{controller=webapp,result={result}}}"] == 0
    for name in (
        "controller_runtime_reconcile_errors_total",
        "controller_runtime_terminal_reconcile_errors_total",
        "controller_runtime_reconcile_panics_total",
        "controller_runtime_reconcile_timeouts_total",
        "controller_runtime_active_workers",
        "controller_runtime_reconcile_time_seconds_count",
        "windlass_breaker_trips_total",
    ):
        assert seen[f"{name}{{controller=webapp}}"] == 0
    for name in (
        "adds_total", "retries_total", "unfinished_work_seconds", "longest_running_processor_seconds",
        "queue_duration_seconds_count", "work_duration_seconds_sum",
    ):  # fmt: skip
        assert seen[f"workqueue_{name}{{controller=webapp,name=webapp}}"] == 0
    assert seen["workqueue_depth{controller=webapp,name=webapp,priority=0}"] == 0
    assert seen["controller_runtime_max_concurrent_reconciles{controller=webapp}"] == 10


@pytest.mark.parametrize(
    ("outcome", "result", "counted"),
    [
        ("success", "success", []),
        ("requeue_after", "requeue_after", []),
        ("error", "error", ["reconcile_errors"]),
        ("terminal", "error", ["reconcile_errors", "terminal_reconcile_errors"]),
        ("panic", "error", ["reconcile_errors", "reconcile_panics"]),
        ("timeout", "error", ["reconcile_errors", "reconcile_timeouts"]),
    ],
)
def test_an_outcome_is_counted_where_controller_runtime_counts_it(
    outcome: Outcome, result: str, counted: list[str]
) -> None:
    metrics = Metrics(ManualClock())
    controller = metrics.controller("webapp", workers=1)

    controller.ended(controller.started(), outcome)

    raised = {name: value for name, value in samples(metrics).items() if value and "_total" in name}
    errors = {f"controller_runtime_{each}_total{{controller=webapp}}": 1.0 for each in counted}
    process = {name: value for name, value in raised.items() if name.startswith(("process_", "python_"))}
    total = f"controller_runtime_reconcile_total{{controller=webapp,result={result}}}"
    assert raised == {total: 1.0, **errors, **process}


async def test_running_reconciles_show_while_they_run_and_their_time_when_they_end() -> None:
    clock = ManualClock()
    metrics = Metrics(clock)
    controller = metrics.controller("webapp", workers=2)
    first = controller.started()
    await clock.advance(timedelta(seconds=3))
    second = controller.started()
    await clock.advance(timedelta(seconds=1))

    during = samples(metrics)
    controller.ended(first, "success")
    controller.ended(second, "success")
    after = samples(metrics)

    queue = "{controller=webapp,name=webapp}"
    assert during["controller_runtime_active_workers{controller=webapp}"] == 2
    assert during[f"workqueue_unfinished_work_seconds{queue}"] == 5
    assert during[f"workqueue_longest_running_processor_seconds{queue}"] == 4
    assert after["controller_runtime_active_workers{controller=webapp}"] == 0
    assert after[f"workqueue_unfinished_work_seconds{queue}"] == 0
    assert after["controller_runtime_reconcile_time_seconds_sum{controller=webapp}"] == 5
    assert after["controller_runtime_reconcile_time_seconds_bucket{controller=webapp,le=1}"] == 1
    assert after["controller_runtime_reconcile_time_seconds_bucket{controller=webapp,le=4}"] == 2


def test_a_queue_tells_its_depth_by_priority_and_how_long_keys_wait_and_take() -> None:
    metrics = Metrics(ManualClock())
    queue = metrics.queue("webapp", lambda: {0: 3, -100: 40})
    queue.added()
    queue.added()
    queue.retried(timedelta(seconds=1))
    queue.taken(timedelta(milliseconds=5))
    queue.done(timedelta(seconds=2))

    seen = samples(metrics)

    labels = "controller=webapp,name=webapp"
    assert seen[f"workqueue_depth{{{labels},priority=0}}"] == 3
    assert seen[f"workqueue_depth{{{labels},priority=-100}}"] == 40
    assert seen[f"workqueue_adds_total{{{labels}}}"] == 2
    assert seen[f"workqueue_retries_total{{{labels}}}"] == 1
    assert seen[f"workqueue_queue_duration_seconds_sum{{{labels}}}"] == 0.005
    assert seen["workqueue_work_duration_seconds_bucket{controller=webapp,le=1,name=webapp}"] == 0
    assert seen["workqueue_work_duration_seconds_bucket{controller=webapp,le=10,name=webapp}"] == 1


def test_the_bounds_of_a_queue_are_written_as_go_writes_them() -> None:
    metrics = Metrics(ManualClock())
    metrics.queue("webapp", dict)
    text = metrics.expose().body.decode()

    lines = [line for line in text.splitlines() if line.startswith("workqueue_queue_duration_seconds_bucket")]
    bounds = [line.split('le="')[1].split('"')[0] for line in lines]
    assert bounds == [
        "1e-08", "1e-07", "1e-06", "9.999999999999999e-06", "9.999999999999999e-05", "0.001", "0.01", "0.1",
        "1", "10", "100", "1000", "+Inf",
    ]  # fmt: skip


def test_the_cache_is_looked_at_when_the_scrape_comes_and_two_informers_of_a_kind_add_up() -> None:
    metrics = Metrics(ManualClock())
    held = [
        CacheReading(kind="Pod", objects=2, bytes=100, lag=timedelta(seconds=1)),
        CacheReading(kind="Pod", objects=3, bytes=50, lag=timedelta(seconds=4)),
    ]
    metrics.cache(lambda: held)

    before = samples(metrics)
    held.pop()
    after = samples(metrics)

    assert (before["windlass_cache_objects{kind=Pod}"], before["windlass_cache_bytes{kind=Pod}"]) == (5, 150)
    assert before["windlass_watch_lag_seconds{kind=Pod}"] == 4
    assert (after["windlass_cache_objects{kind=Pod}"], after["windlass_watch_lag_seconds{kind=Pod}"]) == (
        2,
        1,
    )


def test_election_live_reads_effects_and_trips_are_told() -> None:
    metrics = Metrics(ManualClock())
    controller = metrics.controller("webapp", workers=1)
    metrics.leading("demo").set(1)
    metrics.live_reads("Secret").add()
    controller.effect("refused")
    controller.tripped()

    seen = samples(metrics)

    assert seen["leader_election_master_status{name=demo}"] == 1
    assert seen["windlass_cache_live_reads_total{kind=Secret}"] == 1
    assert seen["windlass_effects_total{controller=webapp,result=refused}"] == 1
    assert seen["windlass_breaker_trips_total{controller=webapp}"] == 1


def test_two_managers_in_one_process_do_not_see_each_others_numbers() -> None:
    one, other = Metrics(ManualClock()), Metrics(ManualClock())
    one.leading("a").set(1)
    other.leading("b").set(1)

    assert "leader_election_master_status{name=b}" not in samples(one)
    assert "leader_election_master_status{name=a}" not in samples(other)


def test_an_operators_own_metrics_and_those_of_the_process_are_shown_too() -> None:
    metrics = Metrics(ManualClock())
    Counter("demo_pages", "Pages that were sent.", registry=metrics.registry).inc()

    seen = samples(metrics)

    assert seen["demo_pages_total{}"] == 1
    assert seen["process_resident_memory_bytes{}"] > 0
    assert any(name.startswith("python_info{") for name in seen)


def test_families_of_an_operator_are_shown_with_the_others_also_after_the_first_scrape() -> None:
    metrics = Metrics(ManualClock())
    early, late = (Counters(f"{name}_total", "Letters.", ("to",)) for name in ("early", "late"))
    metrics.show(early)
    early.of("ada").add(2)
    metrics.expose()
    metrics.show(late)
    late.of("grace").add()
    shown = metrics.expose().body.decode()

    assert 'early_total{to="ada"} 2.0' in shown
    assert 'late_total{to="grace"} 1.0' in shown


def test_an_operator_cannot_take_one_of_our_names() -> None:
    metrics = Metrics(ManualClock())

    with pytest.raises(ValueError, match="Duplicated"):
        Counter("workqueue_adds", "Mine.", registry=metrics.registry)


def test_who_asks_for_openmetrics_gets_it() -> None:
    shown = Metrics(ManualClock()).expose("application/openmetrics-text; version=1.0.0")

    assert shown.content_type.startswith("application/openmetrics-text; version=1.0.0")
    assert shown.body.endswith(b"# EOF\n")


def test_a_series_with_the_wrong_number_of_labels_is_refused() -> None:
    from windlass.manager.metric import Counters

    with pytest.raises(ValueError, match="has the labels"):
        Counters("a_total", "Text.", ("one", "two")).of("only")
