from datetime import timedelta

import pytest

from access import put
from windlass.aio import ManualClock
from windlass.apiserver import User, World
from windlass.apiserver.access.jwt import BadToken
from windlass.apiserver.access.token import ISSUER, AccountTokens

HOUR = timedelta(hours=1)
ROBOT = {"metadata": {"name": "robot", "namespace": "a", "uid": "robot-1"}}
POD = {"metadata": {"name": "p", "namespace": "a", "uid": "pod-1"}}
NODE = {"metadata": {"name": "n", "uid": "node-1"}}
Object = dict[str, dict[str, str]]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def world(clock: ManualClock) -> World:
    world = World(clock=clock)
    put(world.store, "/serviceaccounts", {"metadata": dict(ROBOT["metadata"])})
    return world


@pytest.fixture
def tokens(world: World) -> AccountTokens:
    return AccountTokens(world)


def issue(tokens: AccountTokens, **bound: Object) -> str:
    return tokens.issue(ROBOT, [ISSUER], HOUR, bound)


def again(obj: Object, **meta: str) -> Object:
    """The object with other metadata."""
    return {"metadata": {**obj["metadata"], **meta}}


def user_of(tokens: AccountTokens, token: str) -> User:
    identity = tokens.identify(token)
    assert identity is not None
    return identity.user


def test_a_token_makes_its_bearer_the_account(tokens: AccountTokens) -> None:
    user = user_of(tokens, issue(tokens))

    assert (user.name, user.uid) == ("system:serviceaccount:a:robot", "robot-1")
    assert user.groups == ("system:serviceaccounts", "system:serviceaccounts:a")


async def test_a_token_lives_a_minute_longer_than_it_says(tokens: AccountTokens, clock: ManualClock) -> None:
    token = issue(tokens)

    await clock.advance(HOUR + timedelta(seconds=60))
    assert tokens.identify(token)
    await clock.advance(timedelta(seconds=1))
    with pytest.raises(BadToken, match=r"^service account token has expired$"):
        tokens.identify(token)


def test_a_token_from_the_future_is_not_believed(world: World, tokens: AccountTokens) -> None:
    later = AccountTokens(World(store=world.store, clock=ManualClock(world.clock.now() + HOUR)))
    later.keyring = tokens.keyring

    with pytest.raises(BadToken, match=r"^service account token is not valid yet$"):
        tokens.identify(issue(later))


def test_a_token_does_not_serve_the_next_account_of_its_name(world: World, tokens: AccountTokens) -> None:
    token = issue(tokens)

    put(world.store, "/serviceaccounts", again(ROBOT, uid="robot-2"))

    with pytest.raises(BadToken, match=r"^service account UID \(robot-2\) does not match claim \(robot-1\)$"):
        tokens.identify(token)


async def test_a_token_outlives_the_deletion_of_its_account_by_a_minute(
    world: World, tokens: AccountTokens, clock: ManualClock
) -> None:
    token = issue(tokens)
    put(world.store, "/serviceaccounts", again(ROBOT, deletionTimestamp=world.now()))

    assert tokens.identify(token)
    await clock.advance(timedelta(seconds=61))
    with pytest.raises(BadToken, match=r"^service account a/robot has been deleted$"):
        tokens.identify(token)


def test_a_token_names_the_pod_and_the_node_that_it_is_for(world: World, tokens: AccountTokens) -> None:
    put(world.store, "/pods", again(POD))

    user = user_of(tokens, issue(tokens, pod=POD, node={"metadata": {"name": "n"}}))

    (credential,) = user.extra["authentication.kubernetes.io/credential-id"]
    assert user.extra == {
        "authentication.kubernetes.io/credential-id": [credential],
        "authentication.kubernetes.io/pod-name": ["p"],
        "authentication.kubernetes.io/pod-uid": ["pod-1"],
        "authentication.kubernetes.io/node-name": ["n"],
    }


@pytest.mark.parametrize(
    ("kind", "plural", "obj"),
    [("pod", "/pods", POD), ("secret", "/secrets", POD), ("node", "/nodes", NODE)],
)
def test_a_token_dies_with_what_it_is_bound_to(
    world: World, tokens: AccountTokens, kind: str, plural: str, obj: Object
) -> None:
    token = issue(tokens, **{kind: obj})
    with pytest.raises(BadToken, match=r"^service account token has been invalidated$"):
        tokens.identify(token)

    put(world.store, plural, again(obj))
    assert tokens.identify(token)

    put(world.store, plural, again(obj, uid="other"))
    with pytest.raises(BadToken, match=rf"^{kind} UID \(other\) does not match service account {kind} ref"):
        tokens.identify(token)


def test_a_token_of_a_pod_outlives_its_node(world: World, tokens: AccountTokens) -> None:
    put(world.store, "/pods", again(POD))

    assert tokens.identify(issue(tokens, pod=POD, node=NODE))


def test_a_token_serves_those_of_its_audiences_that_are_asked_for(tokens: AccountTokens) -> None:
    token = tokens.issue(ROBOT, ["x", "y", "z"], HOUR, {})

    identity = tokens.identify(token, ["z", "w", "x"])

    assert identity is not None
    assert identity.audiences == ("z", "x")
    with pytest.raises(
        BadToken, match=r'^token audiences \["x" "y" "z"\] is invalid for the target audiences'
    ):
        tokens.identify(token, ["w"])


def test_a_token_of_another_issuer_is_left_to_others(tokens: AccountTokens) -> None:
    assert tokens.identify(tokens.keyring.sign({"iss": "https://elsewhere"})) is None
    assert tokens.identify("secret") is None
