from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.workqueue import QueueOptions
from windlass.workqueue.backoff import Backoff

PLENTY = QueueOptions(rate=1e9, burst=10**9)


def delays(options: QueueOptions, count: int) -> list[float]:
    backoff: Backoff[str] = Backoff(options, Random(1))
    return [backoff.delay("a", 0.0) for _ in range(count)]


def test_without_chance_the_wait_doubles_from_5_ms_to_1000_s() -> None:
    options = QueueOptions(jitter=0, rate=1e9, burst=10**9)

    found = delays(options, 100)

    assert found[:4] == pytest.approx([0.005, 0.01, 0.02, 0.04])
    assert found[17:20] == pytest.approx([655.36, 1000, 1000])
    assert found[-1] == 1000


@given(st.integers(), st.floats(0, 0.99), st.integers(1, 40))
def test_chance_takes_at_most_its_part_and_never_adds(seed: int, jitter: float, count: int) -> None:
    options = QueueOptions(jitter=jitter, rate=1e9, burst=10**9)
    backoff: Backoff[str] = Backoff(options, Random(seed))

    for failures in range(count):
        whole = min(0.005 * 2**failures, 1000)
        assert whole * (1 - jitter) <= backoff.delay("a", 0.0) <= whole


def test_two_keys_that_fail_together_do_not_come_back_together() -> None:
    backoff: Backoff[str] = Backoff(PLENTY, Random(1))

    assert backoff.delay("a", 0.0) != backoff.delay("b", 0.0)


def test_a_forgotten_key_starts_over_and_no_other_does() -> None:
    backoff: Backoff[str] = Backoff(PLENTY, Random(1))
    for key in ("a", "a", "a", "b", "b"):
        backoff.delay(key, 0.0)

    backoff.forget("a")

    assert (backoff.failures("a"), backoff.failures("b")) == (0, 2)
    assert backoff.delay("a", 0.0) <= 0.005 < backoff.delay("b", 0.0)


def test_retries_of_all_keys_share_a_burst_and_then_a_rate() -> None:
    options = QueueOptions(rate=10, burst=100, shortest=timedelta(microseconds=1))
    backoff: Backoff[int] = Backoff(options, Random(1))

    found = [backoff.delay(key, 0.0) for key in range(130)]

    assert max(found[:100]) <= 1e-6
    assert found[100:] == pytest.approx([0.1 * step for step in range(1, 31)])


def test_the_shared_burst_grows_back_with_time() -> None:
    options = QueueOptions(rate=10, burst=2, shortest=timedelta(microseconds=1))
    backoff: Backoff[int] = Backoff(options, Random(1))
    for key in range(4):
        backoff.delay(key, 0.0)

    late = [backoff.delay(key, 10.0) for key in range(10, 13)]

    assert late == pytest.approx([0, 0, 0.1], abs=1e-5)
