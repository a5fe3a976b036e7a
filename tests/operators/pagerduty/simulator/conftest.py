"""A simulated account whose every request and answer is held against what PagerDuty's are like."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pagerduty_asking import KEY, Asking
from pagerduty_checked import checked
from windlass.aio import ManualClock
from windlass.operators.pagerduty.simulator import Account

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def account(clock: ManualClock) -> Iterator[Account]:
    """An account with nobody in it. What breaks a schema fails the test at its end."""
    account = Account(clock=clock, random=Random(4711))
    account.allow(KEY)
    found = checked(account)
    yield account
    assert found == []


@pytest.fixture
def ada(account: Account) -> str:
    """A person to tell."""
    return account.by_hand.add_user("Ada Lovelace", "ada@example.com")


@pytest.fixture
def ask(account: Account) -> Asking:
    return Asking(account)
