from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest

from windlass.aio import ManualClock
from windlass.api import Change, Key, Snapshot, Written
from windlass.controller.breaker import Breaker, BreakerOptions, Finding
from windlass.kinds.apps.v1 import Deployment
from windlass.reconcile import Cause

KEY = Key("default", "web")
SECOND = timedelta(seconds=1)
OPTIONS = BreakerOptions(runs=20, writing_runs=5, window=10 * SECOND, first=SECOND, longest=8 * SECOND)


def changed(writer: str = "hpa", field: str = "replicas") -> Cause:
    def state(value: int) -> Snapshot[Any]:
        return Snapshot(Deployment, orjson.dumps({"metadata": {"name": "web"}, "spec": {field: value}}))

    change = Change(Deployment, KEY, (state(1), state(2)), written=(Written(writer, "Update", "2026"),))
    return Cause("modified", "Deployment", KEY, change)


class Loop:
    """An object that comes back for as long as it is let."""

    def __init__(self, options: BreakerOptions = OPTIONS) -> None:
        self.clock = ManualClock()
        self.breaker = Breaker(options, self.clock)
        self.findings: list[Finding] = []

    async def run(self, count: int, cause: Cause, every: timedelta, writes: int = 1) -> list[float]:
        """The holds, in seconds, before each run."""
        holds = []
        for _ in range(count):
            hold = self.breaker.held(KEY)
            holds.append(hold.total_seconds())
            await self.clock.advance(max(hold, every))
            finding = self.breaker.ran(KEY, (cause,), writes)
            self.findings += [finding] if finding else []
        return holds


@pytest.mark.parametrize(
    ("cause", "every", "writes", "findings"),
    [
        pytest.param(changed(), SECOND / 10, 1, 1, id="written back and forth"),
        pytest.param(changed(), SECOND * 3, 1, 0, id="written now and then"),
        pytest.param(changed(), SECOND / 100, 0, 1, id="woken without end"),
        pytest.param(changed(), SECOND * 0.6, 0, 0, id="woken often, without a write"),
        pytest.param(Cause("again"), SECOND / 100, 1, 0, id="its own timer"),
        pytest.param(Cause("retry"), SECOND / 100, 1, 0, id="retries"),
        pytest.param(Cause("every 0:00:01"), SECOND / 100, 1, 0, id="a source"),
    ],
)
async def test_an_object_is_slowed_down_when_changes_bring_it_back_without_end(
    cause: Cause, every: timedelta, writes: int, findings: int
) -> None:
    loop = Loop()
    holds = await loop.run(60, cause, every, writes)

    assert len(loop.findings) == findings
    assert (max(holds) > 0) == (findings > 0)


async def test_the_hold_doubles_up_to_its_limit_while_it_goes_on() -> None:
    holds = await Loop().run(13, changed(), SECOND / 10)

    assert holds == [0] * 6 + [1, 2, 4, 8, 8, 8, 8]


async def test_a_finding_names_the_field_the_writer_and_how_often_and_comes_once() -> None:
    loop = Loop()
    await loop.run(30, changed(), SECOND / 10)

    [finding] = loop.findings
    assert finding == Finding(
        KEY, 6, SECOND / 2, ("Deployment default/web .spec.replicas",), ("hpa",), SECOND
    )
    assert str(finding) == (
        "default/web was reconciled 6 times within 0.5 s: Deployment default/web .spec.replicas keeps "
        "changing, written by hpa; it is held back, for 1 s at first"
    )


async def test_a_finding_counts_from_when_it_became_busy() -> None:
    loop = Loop()
    await loop.run(50, changed(), 3 * SECOND, writes=0)
    await loop.run(6, changed(), SECOND / 10)

    [finding] = loop.findings
    assert (finding.runs, finding.within) == (7, SECOND * 0.6)


async def test_the_most_frequent_field_and_writer_are_named_and_the_rare_ones_not() -> None:
    loop = Loop(BreakerOptions(runs=1000, writing_runs=40))
    for number in range(45):
        rare = number % 15 == 0
        cause = changed("kubectl", "paused") if rare else changed()
        await loop.run(1, cause, timedelta(milliseconds=1))

    [finding] = loop.findings
    assert (finding.paths, finding.writers) == (("Deployment default/web .spec.replicas",), ("hpa",))


async def test_after_calm_it_is_free_again_and_a_new_episode_is_told_anew() -> None:
    loop = Loop()
    await loop.run(10, changed(), SECOND / 10)
    await loop.clock.advance(30 * SECOND)

    holds = await loop.run(13, changed(), SECOND / 10)

    assert holds[:7] == [0] * 6 + [1]
    assert len(loop.findings) == 2


async def test_a_hold_does_not_grow_when_the_object_takes_its_time() -> None:
    loop = Loop()
    await loop.run(6, changed(), SECOND / 10)
    await loop.clock.advance(5 * SECOND)

    loop.breaker.ran(KEY, (changed(),), 1)

    assert loop.breaker.held(KEY) == SECOND


async def test_what_was_on_its_way_when_the_hold_began_does_not_make_it_longer() -> None:
    loop = Loop()
    await loop.run(6, changed(), SECOND / 10)
    for _ in range(5):
        loop.breaker.ran(KEY, (changed(),), 1)

    assert loop.breaker.held(KEY) == SECOND


async def test_one_object_does_not_slow_another_and_a_deleted_one_is_forgotten() -> None:
    loop = Loop()
    await loop.run(6, changed(), SECOND / 10)
    assert loop.breaker.held(KEY) > timedelta()
    assert loop.breaker.held(Key("default", "other")) == timedelta()

    loop.breaker.forget(KEY)
    assert loop.breaker.held(KEY) == timedelta()


async def test_no_more_objects_are_watched_than_allowed_and_the_busiest_stay() -> None:
    breaker = Breaker(BreakerOptions(objects=10, writing_runs=50), ManualClock())
    for number in range(100):
        breaker.ran(Key("default", str(number)), (changed(),), 1)
        breaker.ran(KEY, (changed(),), 1)

    assert len(breaker._tracks) == 10
    assert breaker.held(KEY) > timedelta()


@pytest.mark.parametrize(
    "wrong",
    [
        {"runs": 0},
        {"writing_runs": 0},
        {"objects": 0},
        {"window": timedelta()},
        {"first": timedelta()},
        {"first": 2 * SECOND, "longest": SECOND},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="BreakerOptions"):
        BreakerOptions(**wrong)
