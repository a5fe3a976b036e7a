import pytest

from windlass.apiserver.access.account import account_of, groups_of, username


def test_a_service_account_is_a_user_in_two_groups() -> None:
    assert account_of(username("a", "robot.one")) == ("a", "robot.one")
    assert groups_of("a") == ("system:serviceaccounts", "system:serviceaccounts:a")


@pytest.mark.parametrize(
    "user", ["jane", "system:serviceaccount:a", "system:serviceaccount:a:b:c", "system:serviceaccount:A:b"]
)
def test_other_users_are_no_service_accounts(user: str) -> None:
    assert account_of(user) is None
