import pytest

from access import account, binding, group, put, remove, role, rule, user
from windlass.apiserver import User
from windlass.apiserver.access import Attempt, Rbac
from windlass.apiserver.access.account import username
from windlass.apiserver.store import Store

JANE = User("jane", ("dev", "system:authenticated"))
LIST_PODS = Attempt(verb="list", resource="pods", namespace="a")


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def rbac(store: Store) -> Rbac:
    return Rbac(store)


def grant(store: Store, *subjects: dict[str, str]) -> None:
    """Let subjects list pods in the namespace `a`."""
    put(store, "roles", role("r", rule("", "pods", "list"), namespace="a"))
    put(store, "rolebindings", binding("b", "r", *subjects, namespace="a"))


def test_without_a_binding_nothing_is_allowed(rbac: Rbac) -> None:
    verdict = rbac.decide(JANE, LIST_PODS)

    assert (verdict.allowed, verdict.reason) == (False, "")


@pytest.mark.parametrize(
    ("subject", "who", "described"),
    [
        (user("jane"), JANE, 'User "jane"'),
        (group("dev"), JANE, 'Group "dev"'),
        (account("robot"), User(username("a", "robot")), 'ServiceAccount "robot/a"'),
        (account("robot", "b"), User(username("b", "robot")), 'ServiceAccount "robot/b"'),
    ],
)
def test_the_reason_names_binding_role_and_subject(
    store: Store, rbac: Rbac, subject: dict[str, str], who: User, described: str
) -> None:
    grant(store, subject)

    verdict = rbac.decide(who, LIST_PODS)

    assert verdict.allowed
    assert verdict.reason == f'RBAC: allowed by RoleBinding "b/a" of Role "r" to {described}'


def test_of_several_subjects_the_reason_names_the_first_that_fits(store: Store, rbac: Rbac) -> None:
    grant(store, user("joe"), group("dev"), user("jane"))

    assert rbac.decide(JANE, LIST_PODS).reason.endswith('to Group "dev"')


def test_a_cluster_binding_allows_everywhere(store: Store, rbac: Rbac) -> None:
    put(store, "clusterroles", role("r", rule("", "pods", "list")))
    put(store, "clusterrolebindings", binding("b", "r", user("jane")))

    everywhere = Attempt(verb="list", resource="pods")

    for attempt in (LIST_PODS, everywhere):
        verdict = rbac.decide(JANE, attempt)
        assert verdict.reason == 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "jane"'


def test_a_binding_of_a_namespace_may_name_a_cluster_role(store: Store, rbac: Rbac) -> None:
    put(store, "clusterroles", role("r", rule("", "pods", "list")))
    put(store, "rolebindings", binding("b", "r", user("jane"), namespace="a", kind="ClusterRole"))

    assert rbac.decide(JANE, LIST_PODS).allowed
    assert not rbac.decide(JANE, Attempt(verb="list", resource="pods", namespace="b")).allowed
    assert not rbac.decide(JANE, Attempt(verb="list", resource="pods")).allowed


def test_a_namespace_does_not_begin_with_another(store: Store, rbac: Rbac) -> None:
    grant(store, user("jane"))

    assert not rbac.decide(JANE, Attempt(verb="list", resource="pods", namespace="a-b")).allowed


def test_a_service_account_without_a_namespace_is_none_of_the_cluster(store: Store, rbac: Rbac) -> None:
    put(store, "clusterroles", role("r", rule("", "pods", "list")))
    put(store, "clusterrolebindings", binding("b", "r", account("robot")))

    assert not rbac.decide(User(username("", "robot")), LIST_PODS).allowed


def test_a_missing_role_is_told_as_the_reason(store: Store, rbac: Rbac) -> None:
    put(store, "clusterrolebindings", binding("b", "gone", user("jane")))

    verdict = rbac.decide(JANE, LIST_PODS)

    assert not verdict.allowed
    assert verdict.reason == 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found'


def test_several_missing_roles_are_told_once_each(store: Store, rbac: Rbac) -> None:
    put(store, "clusterrolebindings", binding("b", "gone", user("jane")))
    put(store, "clusterrolebindings", binding("c", "gone", group("dev")))
    put(store, "rolebindings", binding("d", "gone", user("jane"), namespace="a"))

    assert rbac.decide(JANE, LIST_PODS).reason == (
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, '
        'role.rbac.authorization.k8s.io "gone" not found]'
    )


def test_a_change_of_a_role_holds_at_once(store: Store, rbac: Rbac) -> None:
    grant(store, user("jane"))
    assert rbac.decide(JANE, LIST_PODS).allowed

    put(store, "roles", role("r", rule("", "pods", "get"), namespace="a"))
    assert not rbac.decide(JANE, LIST_PODS).allowed

    put(store, "roles", role("r", rule("", "pods", "list"), namespace="a"))
    assert rbac.decide(JANE, LIST_PODS).allowed


def test_a_removed_binding_allows_nothing_any_more(store: Store, rbac: Rbac) -> None:
    grant(store, user("jane"))
    assert rbac.decide(JANE, LIST_PODS).allowed

    remove(store, "rolebindings", "a/b")

    assert not rbac.decide(JANE, LIST_PODS).allowed


def test_the_masters_need_no_rule(rbac: Rbac) -> None:
    verdict = rbac.decide(User("root", ("system:masters",)), LIST_PODS)

    assert (verdict.allowed, verdict.reason) == (True, "")


def test_the_rules_of_a_user_are_listed_once_for_each_binding(store: Store, rbac: Rbac) -> None:
    everywhere, here = rule("", "nodes", "get"), rule("", "pods", "list")
    put(store, "clusterroles", role("r", everywhere))
    put(store, "clusterrolebindings", binding("b", "r", user("jane"), group("dev")))
    put(store, "clusterrolebindings", binding("c", "gone", user("jane")))
    grant(store, group("dev"), user("jane"))

    rules, missing = rbac.rules(JANE, "a")

    assert [each.json for each in rules] == [everywhere, here]
    assert [each.name for each in missing] == ["gone"]
    assert [each.json for each in rbac.rules(JANE, "")[0]] == [everywhere]
