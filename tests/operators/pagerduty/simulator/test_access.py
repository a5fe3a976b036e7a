"""Who is let in, by which version, and how often."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pagerduty_asking import KEY, calling, policy

if TYPE_CHECKING:
    from pagerduty_asking import Asking
    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.simulator import Account


@pytest.mark.parametrize("header", ["", KEY, "Token token=other", f"Basic {KEY}", "Token"])
def test_without_a_known_key_everything_is_refused(ask: Asking, header: str) -> None:
    assert ask("GET", "/services", Authorization=header).status == 401


@pytest.mark.parametrize(
    "header", [f"Token token={KEY}", f'Token token="{KEY}"', f"Bearer {KEY}", f"token token={KEY}"]
)
def test_a_known_key_is_let_in(ask: Asking, header: str) -> None:
    assert ask("GET", "/services", Authorization=header).status == 200


@pytest.mark.parametrize(
    "header", ["", "*/*", "application/json", "application/vnd.pagerduty+json;version=1"]
)
def test_another_version_of_the_api_is_not_spoken(ask: Asking, header: str) -> None:
    assert ask("GET", "/services", Accept=header).status == 406


def test_a_revoked_key_is_refused_and_its_successor_let_in(ask: Asking, account: Account) -> None:
    account.revoke(KEY)
    account.allow("rotated")

    assert ask("GET", "/services").status == 401
    assert ask("GET", "/services", Authorization="Token token=rotated").status == 200


def test_a_read_only_key_reads_and_does_not_write(ask: Asking, account: Account, ada: str) -> None:
    account.allow("reader", read_only=True)
    reader = "Token token=reader"

    assert ask("GET", "/users", Authorization=reader).status == 200
    refused = ask("POST", "/escalation_policies", policy(ada), Authorization=reader)
    assert (refused.status, refused.body["error"]["code"]) == (403, 2010)
    assert len(account.books.policies) == 0


def test_every_answer_tells_what_is_left_of_the_minute(account: Account) -> None:
    told = [account.handle(calling("GET", "/users")).headers for _ in range(2)]

    assert [each["ratelimit-limit"] for each in told] == ["960", "960"]
    assert [each["ratelimit-remaining"] for each in told] == ["959", "958"]
    assert [each["ratelimit-reset"] for each in told] == ["60", "60"]


async def test_more_than_960_a_minute_are_refused_until_it_is_over(
    ask: Asking, account: Account, clock: ManualClock
) -> None:
    allowed = [ask("GET", "/users").status for _ in range(960)]
    await clock.advance(timedelta(seconds=20))
    refused = account.handle(calling("GET", "/users"))
    await clock.advance(timedelta(seconds=39.9))
    still = ask("GET", "/users")
    await clock.advance(timedelta(seconds=0.1))
    again = ask("GET", "/users")

    assert set(allowed) == {200}
    assert (refused.status, refused.headers["ratelimit-remaining"], refused.headers["ratelimit-reset"]) == (
        429,
        "0",
        "40",
    )
    assert (still.status, still.body["error"]["code"], again.status) == (429, 2020, 200)
    assert account.rate.exceeded == 2


def test_each_key_has_a_minute_of_its_own(ask: Asking, account: Account) -> None:
    account.allow("other")
    for _ in range(961):
        ask("GET", "/users")

    assert ask("GET", "/users").status == 429
    assert ask("GET", "/users", Authorization="Token token=other").status == 200


def test_a_throttled_request_does_nothing(ask: Asking, account: Account, ada: str) -> None:
    for _ in range(960):
        ask("GET", "/users")

    assert ask("POST", "/escalation_policies", policy(ada)).status == 429
    assert len(account.books.policies) == 0


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/log_entries"), ("PATCH", "/services/P1"), ("POST", "/users/me")]
)
def test_a_route_that_is_not_known_is_not_found(ask: Asking, method: str, path: str) -> None:
    told = ask(method, path, {})

    assert (told.status, told.body) == (404, {"error": {"code": 2100, "message": "Not Found"}})
