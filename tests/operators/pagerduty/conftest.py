"""An account at PagerDuty for each test, with one person in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from on_call import an_account
from pagerduty_checked import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.operators.pagerduty.simulator import Account


@pytest.fixture
def account() -> Iterator[Account]:
    """The account that the operator of this test works on; whatever is asked of it is held against the schemas."""
    made = an_account()
    faults = checked(made)
    yield made
    assert faults == []


@pytest.fixture
def ada(account: Account) -> str:
    """The id of a user of that account."""
    return account.by_hand.add_user("Ada Lovelace", "ada@example.com")
