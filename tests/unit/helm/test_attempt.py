"""The same input is not tried over and over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.api import Key
from windlass.errors import ReleaseError
from windlass.helm.attempt import Attempts

if TYPE_CHECKING:
    from windlass.errors import ReleaseFailure

RELEASE = Key("shop", "web")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def failing(
    attempts: Attempts, input_: str = "a", kind: ReleaseFailure = "failed", *, rolled_back: bool = False
) -> timedelta:
    """Fail now; return the delay until the retry."""
    error = ReleaseError("upgrade", "no such image", kind=kind)
    dated = attempts.failed(RELEASE, input_, error, NOW, rolled_back=rolled_back)
    assert (dated.step, dated.kind, str(dated), dated.tried) == ("upgrade", kind, "no such image", True)
    assert dated.retry_at is not None
    return dated.retry_at - NOW


def test_the_failure_is_reported_again_until_its_retry_is_due() -> None:
    attempts = Attempts()
    delay = failing(attempts)

    with pytest.raises(ReleaseError, match="no such image") as caught:
        attempts.check(RELEASE, "a", NOW)

    assert (caught.value.step, caught.value.tried) == ("upgrade", False)
    assert caught.value.retry_at == NOW + delay
    attempts.check(RELEASE, "a", NOW + delay)


def test_transient_failures_back_off_from_a_second_to_five_minutes() -> None:
    attempts = Attempts()
    delays = [failing(attempts).total_seconds() for _ in range(12)]

    assert delays[:4] == [1, 2, 4, 8]
    assert delays[-2:] == [300, 300]


def test_failures_that_leave_revisions_behind_back_off_from_a_minute_to_a_quarter_of_an_hour() -> None:
    attempts = Attempts()
    delays = [failing(attempts, rolled_back=True).total_seconds() for _ in range(6)]

    assert delays == [60, 120, 240, 480, 900, 900]


@pytest.mark.parametrize("kind", ["refused", "render"])
def test_what_the_server_refuses_or_does_not_render_is_retried_every_ten_minutes(
    kind: ReleaseFailure,
) -> None:
    attempts = Attempts()
    delays = [failing(attempts, kind=kind).total_seconds() for _ in range(3)]

    assert delays == [600, 600, 600]
    assert attempts.was_refused(RELEASE, "a") is (kind == "refused")


def test_another_input_is_tried_at_once_and_begins_anew() -> None:
    attempts = Attempts()
    for _ in range(5):
        failing(attempts, kind="refused")

    attempts.check(RELEASE, "b", NOW)
    assert not attempts.was_refused(RELEASE, "b")

    assert failing(attempts, "b") == timedelta(seconds=1)


def test_a_success_is_the_end_of_it() -> None:
    attempts = Attempts()
    failing(attempts)

    attempts.forget(RELEASE)

    attempts.check(RELEASE, "a", NOW)


def test_a_refused_step_is_retried_soon_once_for_any_repair_and_then_for_what_the_refusal_names() -> None:
    attempts = Attempts()
    refusal = ReleaseError(
        "upgrade", "Deployment web: field is immutable; Service web: taken", kind="refused"
    )
    attempts.failed(RELEASE, "input", refusal, NOW)
    soon = NOW + timedelta(seconds=1)

    assert attempts.renew(RELEASE, ["ConfigMap default/a: .data"], NOW) == soon
    assert attempts.renew(RELEASE, ["ConfigMap default/a: .data"], NOW) is None
    assert attempts.renew(RELEASE, ["ConfigMap default/web: .data"], NOW) is None
    assert attempts.renew(RELEASE, ["Deployment default/web: created again"], NOW) == soon
    assert attempts.renew(RELEASE, ["Service default/web: .spec.ports"], NOW) == soon
