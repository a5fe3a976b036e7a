import pytest

from access import binding, group, put, role, rule, user
from windlass.apiserver import User
from windlass.apiserver.access import Attempt, Rbac
from windlass.apiserver.access.impersonation import Impersonator, wanted_user
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.store import Store

AUTHENTICATION = "authentication.k8s.io"
LIST_PODS = Attempt(verb="list", resource="pods", namespace="a")
JOE = User("joe")
JANE = User("jane")
AGENT = User("system:serviceaccount:a:agent", extra={"authentication.kubernetes.io/node-name": ["n"]})


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def impersonator(store: Store) -> Impersonator:
    return Impersonator(Rbac(store))


def allow(store: Store, who: User, *rules: dict[str, object]) -> None:
    put(store, "clusterroles", role("r", *rules))
    put(store, "clusterrolebindings", binding("b", "r", user(who.name)))


def refused(impersonator: Impersonator, who: User, wanted: User) -> str:
    with pytest.raises(Refusal) as caught:
        impersonator.acting(who, wanted, LIST_PODS)
    assert caught.value.code == 403
    return caught.value.message


def test_headers_say_whom_one_wants_to_be() -> None:
    headers = {
        "impersonate-user": "jane",
        "impersonate-uid": "7",
        "impersonate-group": "dev\nops",
        "impersonate-extra-acme.io%2fscope": "a\nb",
        "accept": "*/*",
    }

    assert wanted_user(headers) == User("jane", ("dev", "ops"), "7", {"acme.io/scope": ["a", "b"]})


def test_without_such_headers_nobody_is_wanted() -> None:
    assert wanted_user({"accept": "*/*"}) is None
    assert wanted_user({"impersonate-user": ""}) is None


def test_whoever_names_nobody_is_shown_what_they_named() -> None:
    headers = {"impersonate-group": "a", "impersonate-extra-b": "1\n2"}

    with pytest.raises(Refusal) as caught:
        wanted_user(headers)

    assert caught.value.code == 400
    assert caught.value.message == (
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, '
        'Extra:map[string][]string{"b":[]string{"1", "2"}}} without impersonating a user name'
    )


def test_the_older_way_needs_a_right_to_all_that_one_wants_to_be(
    store: Store, impersonator: Impersonator
) -> None:
    wanted = User("jane", ("dev",), "7", {"acme.io/scope": ["a"]})
    rules = [
        rule("", "users", "impersonate", resourceNames=["jane"]),
        rule(AUTHENTICATION, "uids", "impersonate", resourceNames=["7"]),
        rule("", "groups", "impersonate", resourceNames=["dev"]),
        rule(AUTHENTICATION, "userextras/acme.io/scope", "impersonate", resourceNames=["a"]),
    ]
    for lacking in range(len(rules)):
        allow(store, JOE, *(each for place, each in enumerate(rules) if place != lacking))
        refused(impersonator, JOE, wanted)

    allow(store, JOE, *rules)

    acting = impersonator.acting(JOE, wanted, LIST_PODS)
    assert acting == User("jane", ("dev", "system:authenticated"), "7", {"acme.io/scope": ["a"]})


def test_the_newer_way_needs_a_right_to_what_one_does(store: Store, impersonator: Impersonator) -> None:
    whom = rule(AUTHENTICATION, "users", "impersonate:user-info", resourceNames=["jane"])
    what = rule("", "pods", "impersonate-on:user-info:list")
    allow(store, JOE, whom)
    assert 'User "joe" cannot impersonate-on:user-info:list resource "pods"' in refused(
        impersonator, JOE, JANE
    )
    allow(store, JOE, what)
    assert 'cannot impersonate:user-info resource "users" in API group "authentication.k8s.io"' in refused(
        impersonator, JOE, JANE
    )

    allow(store, JOE, whom, what)

    assert impersonator.acting(JOE, JANE, LIST_PODS).groups == ("system:authenticated",)
    with pytest.raises(Refusal):
        impersonator.acting(JOE, JANE, Attempt(verb="delete", resource="pods"))


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        (User("jane", ("",)), "impersonating the empty string group is not allowed"),
        (User("jane", ("system:masters",)), "impersonating the system:masters group is not allowed"),
        (User("jane", (), "", {"plain": ["a"]}), "impersonating an invalid key in extra is not allowed"),
        (User("jane", (), "", {"acme.io/x": [""]}), "impersonating the empty string value in extra"),
    ],
)
def test_the_newer_way_does_not_lead_everywhere(
    store: Store, impersonator: Impersonator, wanted: User, problem: str
) -> None:
    allow(store, JOE, rule("*", "*", "impersonate:user-info impersonate-on:user-info:list"))

    assert problem in refused(impersonator, JOE, wanted)


def test_who_acts_as_a_node_is_one_of_the_nodes(store: Store, impersonator: Impersonator) -> None:
    allow(
        store,
        JOE,
        rule(AUTHENTICATION, "nodes", "impersonate:arbitrary-node", resourceNames=["n"]),
        rule("", "pods", "impersonate-on:arbitrary-node:list"),
    )

    acting = impersonator.acting(JOE, User("system:node:n"), LIST_PODS)

    assert acting.groups == ("system:nodes", "system:authenticated")
    refused(impersonator, JOE, User("system:node:m"))


def test_an_agent_may_be_allowed_to_act_as_its_own_node(store: Store, impersonator: Impersonator) -> None:
    allow(
        store,
        AGENT,
        rule(AUTHENTICATION, "nodes", "impersonate:associated-node"),
        rule("", "pods", "impersonate-on:associated-node:list"),
    )

    assert impersonator.acting(AGENT, User("system:node:n"), LIST_PODS).name == "system:node:n"
    refused(impersonator, AGENT, User("system:node:m"))


def test_who_acts_as_a_service_account_gets_its_groups(store: Store, impersonator: Impersonator) -> None:
    allow(
        store,
        JOE,
        rule(AUTHENTICATION, "serviceaccounts", "impersonate:serviceaccount", resourceNames=["robot"]),
        rule("", "pods", "impersonate-on:serviceaccount:list"),
    )

    acting = impersonator.acting(JOE, User("system:serviceaccount:b:robot"), LIST_PODS)

    assert acting.groups == ("system:serviceaccounts", "system:serviceaccounts:b", "system:authenticated")


def test_the_way_that_was_last_allowed_is_tried_first(store: Store, impersonator: Impersonator) -> None:
    allow(store, JOE, rule("", "users", "impersonate", resourceNames=["jane"]))
    other = User("other")
    assert "cannot impersonate-on:user-info:list" in refused(impersonator, JOE, other)

    impersonator.acting(JOE, JANE, LIST_PODS)

    assert 'cannot impersonate resource "users"' in refused(impersonator, JOE, other)


def test_the_anonymous_user_stays_unauthenticated(store: Store, impersonator: Impersonator) -> None:
    put(store, "clusterroles", role("all", rule("*", "*", "*")))
    put(store, "clusterrolebindings", binding("all", "all", group("dev")))
    boss = User("boss", ("dev",))

    assert impersonator.acting(boss, User("system:anonymous"), LIST_PODS).groups == (
        "system:unauthenticated",
    )
    unknown = User("jane", ("system:unauthenticated",))
    assert impersonator.acting(boss, unknown, LIST_PODS) == unknown
