"""Running the state machine for some time, from a seed that can be given again."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from differential_machine import Requests

if TYPE_CHECKING:
    from datetime import timedelta

    from differential_pair import Pair

ROUND: Final = settings(
    max_examples=10,
    stateful_step_count=15,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)
"""Some sequences of requests."""


def compare(pair: Pair, area: str, budget: timedelta, first: int, each: settings = ROUND) -> int:
    """Compare two servers in an area until the time is used up: how many requests were sent.

    Hypothesis counts examples, not seconds, so it is run in rounds, each from a seed of its own: `first`, and
    from there on.

    Raises:
        AssertionError: the servers differ. Its notes name the seed that shows the difference at once.
    """

    class Bound(Requests):
        def __init__(self) -> None:
            super().__init__(pair, area)

    end = time.monotonic() + budget.total_seconds()
    for current in itertools.count(first):
        try:
            run_state_machine_as_test(seed(current)(Bound), settings=each)
        except BaseException as error:
            error.add_note(f"to repeat this in the area {area!r}: --hypothesis-seed={current}")
            raise
        if time.monotonic() >= end:
            break
    return pair.requests
