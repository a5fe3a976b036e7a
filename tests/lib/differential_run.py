"""Running the state machine for some time, from a seed that can be given again."""

from __future__ import annotations

import itertools
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from differential_access import AccessRequests
from differential_admission import AREA as ADMISSION
from differential_admission import admitting
from differential_machine import Requests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import timedelta

    from differential_pair import Pair

ROUND: Final = settings(
    max_examples=20,
    stateful_step_count=15,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)
"""Some sequences of requests."""


def seeds(first: int, budget: timedelta) -> Iterator[int]:
    """A seed, and those that follow it, until the time is used up."""
    end = time.monotonic() + budget.total_seconds()
    for current in itertools.count(first):
        yield current
        if time.monotonic() >= end:
            return


def _bound(machine: type[Requests], pair: Pair, area: str) -> type[Requests]:
    """A machine for Hypothesis, which makes one without arguments."""

    def begin(self: Requests) -> None:
        machine.__init__(self, pair, area)

    return type("Bound", (machine,), {"__init__": begin})


def compare(pair: Pair, area: str, rounds: Iterable[int], each: settings = ROUND) -> int:
    """Compare two servers in an area, in a round from each seed: how many requests were sent.

    Raises:
        AssertionError: the servers differ. Its notes name the seed that shows the difference at once.
    """

    machine = _bound(AccessRequests if area == "access" else Requests, pair, area)
    with admitting(pair) if area == ADMISSION else nullcontext():
        for current in rounds:
            try:
                run_state_machine_as_test(seed(current)(machine), settings=each)
            except BaseException as error:
                error.add_note(f"to repeat this in the area {area!r}: --hypothesis-seed={current}")
                raise
    return pair.requests
