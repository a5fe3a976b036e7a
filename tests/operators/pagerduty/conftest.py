"""An account at PagerDuty for each test, with one person in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from on_call import an_account

if TYPE_CHECKING:
    from windlass.operators.pagerduty.simulator import Account


@pytest.fixture
def account() -> Account:
    """The account that the operator of this test works on."""
    return an_account()


@pytest.fixture
def ada(account: Account) -> str:
    """The id of a user of that account."""
    return account.add_user("Ada Lovelace", "ada@example.com")
