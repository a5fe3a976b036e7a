"""The same input is not tried over and over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from windlass.api import Key
from windlass.errors import ReleaseError
from windlass.helm.attempt import Attempts

RELEASE = Key("shop", "web")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def failing(attempts: Attempts, now: datetime = NOW, digest: str = "a") -> None:
    attempts.failed(RELEASE, digest, ReleaseError("upgrade", "no such image"), now)


def retry_at(attempts: Attempts, now: datetime = NOW, digest: str = "a") -> datetime | None:
    with pytest.raises(ReleaseError, match="no such image") as caught:
        attempts.check(RELEASE, digest, now)
    assert caught.value.step == "upgrade"
    return caught.value.retry_at


def test_what_failed_is_told_again_until_it_is_due() -> None:
    attempts = Attempts()
    failing(attempts)

    due = retry_at(attempts)

    assert due == NOW + timedelta(seconds=10)
    attempts.check(RELEASE, "a", due)


def test_each_failure_makes_the_pause_longer_up_to_a_limit() -> None:
    attempts, pauses = Attempts(), []
    for _ in range(12):
        failing(attempts)
        due = retry_at(attempts)
        assert due is not None
        pauses.append((due - NOW).total_seconds())

    assert pauses[:4] == [10, 20, 40, 80]
    assert pauses[-2:] == [900, 900]


def test_another_input_is_tried_at_once_and_begins_anew() -> None:
    attempts = Attempts()
    for _ in range(5):
        failing(attempts)

    attempts.check(RELEASE, "b", NOW)
    failing(attempts, digest="b")

    assert retry_at(attempts, digest="b") == NOW + timedelta(seconds=10)


def test_a_success_is_the_end_of_it() -> None:
    attempts = Attempts()
    failing(attempts)

    attempts.forget(RELEASE)

    attempts.check(RELEASE, "a", NOW)
