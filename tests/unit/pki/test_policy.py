from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from windlass.errors import ConfigError
from windlass.pki import RotationPolicy


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"renew_at": 1}, "renew_at must be a part of a life, between 0 and 1, not 1"),
        ({"renew_at": 0}, "renew_at must be a part of a life"),
        ({"propagation": seconds(-1)}, "propagation must not be negative, but is"),
        ({"leeway": seconds(0)}, "leeway must be between 0:00:01 and 0:04:59, not 0:00:00"),
        ({"leeway": seconds(300)}, "leeway must be between 0:00:01 and 0:04:59, not 0:05:00"),
        (
            {"serving_lifetime": seconds(900)},
            "a serving certificate that lives 0:15:00 is renewed 0:05:00 before its end",
        ),
        (
            {"authority_lifetime": timedelta(days=90)},
            "an authority must live longer than 90 days, 0:17:00",
        ),
    ],
)
def test_a_policy_that_leaves_no_room_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        RotationPolicy(**given)

    assert said in str(caught.value)


def test_certificates_may_live_for_seconds() -> None:
    policy = RotationPolicy(
        authority_lifetime=seconds(40),
        serving_lifetime=seconds(20),
        propagation=seconds(2),
        leeway=seconds(1),
    )

    assert policy.handover == seconds(28)
