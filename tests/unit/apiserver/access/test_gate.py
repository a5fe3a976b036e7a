import pytest

from access import binding, put, role, rule, user
from windlass.apiserver import Call, Query, User, World
from windlass.apiserver.access import Gate
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.route import Route, route

PATH = "/api/v1/namespaces/a/configmaps/one"


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def gate(world: World) -> Gate:
    return Gate(world, {"root": User("admin", ("system:masters",)), "jane": User("jane")})


def call(token: str, method: str = "GET", **headers: str) -> tuple[Call, Route | None]:
    found = {
        "authorization": f"Bearer {token}",
        **{name.replace("_", "-"): headers[name] for name in headers},
    }
    return Call(method=method, path=PATH, query=Query(), headers=found), route(method, PATH)


def pass_through(gate: Gate, request: tuple[Call, Route | None]) -> User:
    asked, where = request
    asked.user = gate.identify(asked, where)
    gate.admit(asked, where)
    return asked.user


def test_the_masters_pass(gate: Gate) -> None:
    assert pass_through(gate, call("root")).name == "admin"


def test_bad_credentials_are_refused_without_a_word(gate: Gate) -> None:
    with pytest.raises(Refusal) as caught:
        pass_through(gate, call("other"))

    assert (caught.value.code, caught.value.message) == (401, "Unauthorized")


def test_who_has_no_right_is_refused_at_the_door(gate: Gate) -> None:
    with pytest.raises(Refusal) as caught:
        pass_through(gate, call("jane"))

    assert caught.value.code == 403
    assert caught.value.headers == {"x-content-type-options": "nosniff"}


def test_a_right_lets_one_pass(world: World, gate: Gate) -> None:
    put(world.store, "roles", role("r", rule("", "configmaps", "get"), namespace="a"))
    put(world.store, "rolebindings", binding("b", "r", user("jane"), namespace="a"))

    assert pass_through(gate, call("jane")).name == "jane"


def test_who_may_act_as_another_is_the_other(gate: Gate) -> None:
    with pytest.raises(Refusal, match='User "joe" cannot get'):
        pass_through(gate, call("root", impersonate_user="joe"))


def test_who_may_not_act_as_another_is_refused_at_the_door(gate: Gate) -> None:
    with pytest.raises(Refusal, match='User "jane" cannot impersonate') as caught:
        pass_through(gate, call("jane", impersonate_user="joe"))

    assert caught.value.headers == {"x-content-type-options": "nosniff"}


def test_who_may_change_may_not_create(world: World, gate: Gate) -> None:
    put(world.store, "roles", role("r", rule("", "configmaps", "patch"), namespace="a"))
    put(world.store, "rolebindings", binding("b", "r", user("jane"), namespace="a"))
    request, where = call("jane", method="PATCH")
    request.user = pass_through(gate, (request, where))
    assert where is not None

    with pytest.raises(Refusal, match='"one" is forbidden: User "jane" cannot create resource') as caught:
        gate.admit_creation(request, where)

    assert caught.value.headers == {}
