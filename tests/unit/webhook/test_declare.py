"""What an API server would not take is refused where it is declared."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from widget import Widget
from windlass.webhook import AdmissionRequest, HookOptions, Verdict, mutating, validating


def allowed(_request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Let everything pass."""
    return Verdict.allow()


@pytest.mark.parametrize("declare", [mutating, validating])
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"name": "two.parts"}, "at least three parts"),
        ({"path": "here"}, "begins with a slash"),
        ({"verbs": ()}, "would never be asked"),
        ({"verbs": ("*", "create")}, "stands alone"),
    ],
)
def test_a_declaration_that_no_server_takes_is_refused(declare: Any, said: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        declare(Widget, **said)(allowed)


@pytest.mark.parametrize("seconds", [0, 0.5, 1.5, 31])
def test_a_timeout_is_of_whole_seconds_up_to_thirty(seconds: float) -> None:
    with pytest.raises(ValueError, match="whole seconds"):
        HookOptions(timeout=timedelta(seconds=seconds))


def test_a_declared_function_can_still_be_called() -> None:
    webhook = validating(Widget, verbs=("*",))(allowed)

    assert webhook(AdmissionRequest(uid="1", operation="CREATE", object=Widget())) == Verdict.allow()
