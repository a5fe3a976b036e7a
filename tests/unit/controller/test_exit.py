from __future__ import annotations

import pytest

from windlass.api import Condition, is_reason
from windlass.controller import Exit
from windlass.errors import Terminal
from windlass.reconcile import Result


@pytest.mark.parametrize("reason", ["invalid schedule", "", "x" * 2000])
def test_whatever_reason_a_terminal_failure_has_it_stays_terminal_and_can_be_written(reason: str) -> None:
    exit_ = Exit.of_error(Terminal(reason, "no such day"))

    assert (exit_.outcome, exit_.message) == ("terminal", "no such day")
    assert is_reason(exit_.reason)
    Condition(type="Stalled", status="True", reason=exit_.reason, message=exit_.message)


def test_a_reason_that_can_be_written_stays_as_it_is() -> None:
    assert Exit.of_error(Terminal("InvalidSchedule", "no such day")).reason == "InvalidSchedule"


def test_a_message_is_cut_to_what_a_condition_takes() -> None:
    exit_ = Exit.of_result(Result.waiting("RollingOut", "x" * 40_000))

    Condition(type="Ready", status="False", reason=exit_.reason, message=exit_.message)


@pytest.mark.parametrize(
    ("error", "outcome", "reason"),
    [
        (OSError("no room"), "failed", "ChartFetchFailed"),
        (Terminal("ColorUnknown", "no such color"), "terminal", "ColorUnknown"),
    ],
)
def test_a_failure_has_the_reason_that_it_is_given_unless_its_error_knows_better(
    error: Exception, outcome: str, reason: str
) -> None:
    exit_ = Exit.of_result(Result.failed(error, reason="ChartFetchFailed"))

    assert (exit_.outcome, exit_.reason, exit_.message) == (outcome, reason, str(error))
