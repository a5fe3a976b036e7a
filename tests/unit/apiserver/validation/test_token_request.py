from __future__ import annotations

import pytest

from windlass.apiserver.validation import validate


@pytest.mark.parametrize(
    ("seconds", "problem"),
    [
        (600, None),
        (2**32, None),
        (599, "may not specify a duration less than 10 minutes"),
        (2**32 + 1, "may not specify a duration larger than 2^32 seconds"),
    ],
)
def test_a_token_lives_ten_minutes_at_least(seconds: int, problem: str | None) -> None:
    request = {"spec": {"expirationSeconds": seconds}}

    faults = [str(fault) for fault in validate("authentication.k8s.io/TokenRequest", request, None, "")]

    wanted = [f"spec.expirationSeconds: Invalid value: {seconds}: {problem}"] if problem else []
    assert faults == wanted
