from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from windlass.reconcile import Result


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ({"again": 60}, r"timedelta\(seconds=60\)"),
        ({"again": timedelta()}, "longer than nothing"),
        ({"again": timedelta(seconds=-1)}, "longer than nothing"),
        ({"reason": "not yet"}, "such as `SecretMissing`"),
        ({"reason": ""}, "such as `SecretMissing`"),
        ({"message": ValueError("no")}, "not ValueError"),
        ({"status": {"size": 1}}, "not dict"),
    ],
)
def test_a_result_that_could_not_be_reported_cannot_be_made(mistake: dict[str, Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        Result.ready(**mistake)


def test_a_failure_is_never_ready_and_says_what_failed() -> None:
    error = OSError("no room")
    result = Result.failed(error)

    assert (result.is_ready, result.error, result.message) == (False, error, "no room")
