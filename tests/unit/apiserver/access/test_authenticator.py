import pytest

from windlass.apiserver import Call, User, World
from windlass.apiserver.access.authenticator import Authenticator, member
from windlass.apiserver.access.jwt import BadToken

ADMIN = User("admin", ("system:masters",))


@pytest.fixture
def authenticator() -> Authenticator:
    return Authenticator(World(), {"secret": ADMIN})


def call(authorization: str, certified: User | None = None) -> Call:
    return Call(method="GET", path="/", headers={"authorization": authorization}, certified=certified)


@pytest.mark.parametrize(
    "header", ["Bearer secret", "bearer secret", " BEARER secret ", "Bearer secret more"]
)
def test_a_token_tells_who_asks(authenticator: Authenticator, header: str) -> None:
    user = authenticator.user_of(call(header))

    assert (user.name, user.groups) == ("admin", ("system:masters", "system:authenticated"))


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic c2VjcmV0", "secret"])
def test_without_a_token_one_is_anonymous(authenticator: Authenticator, header: str) -> None:
    user = authenticator.user_of(call(header))

    assert (user.name, user.groups) == ("system:anonymous", ("system:unauthenticated",))


def test_a_token_behind_two_blanks_is_none_and_warned_of(authenticator: Authenticator) -> None:
    request = call("Bearer  secret")

    assert authenticator.user_of(request).name == "system:anonymous"
    assert request.warnings == [
        "the provided Authorization header contains extra space before the bearer token, and is ignored"
    ]


def test_an_unknown_token_is_nobodys(authenticator: Authenticator) -> None:
    with pytest.raises(BadToken, match=r"^invalid bearer token$"):
        authenticator.user_of(call("Bearer other"))


def test_a_certificate_goes_before_a_token(authenticator: Authenticator) -> None:
    user = authenticator.user_of(call("Bearer other", certified=User("jane", ("dev",))))

    assert (user.name, user.groups) == ("jane", ("dev", "system:authenticated"))


def test_a_given_token_is_for_this_server_alone(authenticator: Authenticator) -> None:
    with pytest.raises(BadToken, match=r"^invalid bearer token$"):
        authenticator.identify("Bearer secret", ["vault"])


@pytest.mark.parametrize("group", ["system:authenticated", "system:unauthenticated"])
def test_nobody_is_counted_twice(group: str) -> None:
    assert member(User("jane", (group,))).groups == (group,)
