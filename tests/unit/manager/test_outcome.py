from __future__ import annotations

import pytest

from windlass.errors import ConnectionFailedError, Terminal, TimeLimitExceededError
from windlass.manager import outcome_of


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Terminal("InvalidSchedule", "no such day"), "terminal"),
        (TimeoutError(), "timeout"),
        (TimeLimitExceededError("cancelled after 600 s, the time limit"), "timeout"),
        (KeyError("replicas"), "panic"),
        (AttributeError("'NoneType' has no attribute 'name'"), "panic"),
        (ConnectionFailedError("refused"), "error"),
        (OSError("disk full"), "error"),
        (ValueError("not a number"), "error"),
    ],
)
def test_what_was_raised_counts_as_what_go_would_have_made_of_it(error: Exception, outcome: str) -> None:
    assert outcome_of(error) == outcome
