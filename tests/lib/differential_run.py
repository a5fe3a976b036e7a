"""Running the state machine for some time, from a seed that can be given again."""

from __future__ import annotations

import itertools
import re
import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import FlakyFailure, FlakyStrategyDefinition
from hypothesis.stateful import run_state_machine_as_test

from differential_access import AccessRequests
from differential_admission import AREA as ADMISSION
from differential_admission import admitting
from differential_machine import Requests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
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

UNSHRUNK: Final = settings(ROUND, phases=(Phase.generate,))
"""The same, ending with the first sequence that fails instead of looking for the shortest."""


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
    with _rounds(pair, area, each) as run:
        for current in rounds:
            run(current)
    return pair.requests


def explore(pair: Pair, area: str, rounds: Iterable[int], each: settings = UNSHRUNK) -> int:
    """Compare two servers as `compare` does, to the last round whatever is found on the way.

    Raises:
        ExceptionGroup: the servers differ: the first finding of each sort.
    """
    findings: dict[str, Exception] = {}
    with _rounds(pair, area, each) as run:
        for current in rounds:
            try:
                run(current)
            except AssertionError as finding:
                findings.setdefault(_sort(finding), finding)
            except FlakyStrategyDefinition:
                continue  # a server was too busy to answer, and the sequence came to another end
            except FlakyFailure as finding:  # the real server does not answer alike each time
                findings.setdefault(_sort(finding.exceptions[0]), finding)
    if findings:
        message = f"the servers differ in {len(findings)} ways in the area {area!r}"
        raise ExceptionGroup(message, list(findings.values()))
    return pair.requests


@contextmanager
def _rounds(pair: Pair, area: str, each: settings) -> Iterator[Callable[[int], None]]:
    """What runs a round from a seed."""
    machine = _bound(AccessRequests if area == "access" else Requests, pair, area)

    def run(current: int) -> None:
        try:
            run_state_machine_as_test(seed(current)(machine), settings=each)
        except BaseException as error:
            error.add_note(f"to repeat this in the area {area!r}: --hypothesis-seed={current}")
            raise

    with admitting(pair) if area == ADMISSION else nullcontext():
        yield run


def _sort(finding: Exception) -> str:
    """What a finding has in common with others of its sort: what differs, whatever the numbers."""
    return re.sub(r"\d+", "", str(finding).rpartition("\n  -> ")[2])
