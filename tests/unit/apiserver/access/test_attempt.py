import pytest

from windlass.apiserver import Call, Query, User
from windlass.apiserver.access import Attempt
from windlass.apiserver.access.attempt import attempt_of, denied
from windlass.apiserver.route import route

JANE = User("jane")


def attempt(method: str, path: str, **query: str) -> Attempt:
    call = Call(method=method, path=path, query=Query(tuple(query.items())))
    return attempt_of(call, route(method, path, watching="watch" in query))


def test_a_path_that_is_no_resource_is_attempted_by_its_method() -> None:
    assert attempt("GET", "/metrics") == Attempt(verb="get", path="/metrics")
    assert attempt("HEAD", "/metrics").verb == "head"


def test_a_subresource_is_attempted_as_such() -> None:
    found = attempt("PATCH", "/apis/apps/v1/namespaces/a/deployments/d/status")

    assert found == Attempt(
        verb="patch", group="apps", resource="deployments", subresource="status", namespace="a", name="d"
    )
    assert found.target == "deployments/status"


@pytest.mark.parametrize(
    ("selector", "name"),
    [
        ("metadata.name=a", "a"),
        ("metadata.name==a", "a"),
        ("metadata.namespace=x,metadata.name=a", "a"),
        ("metadata.name!=a", ""),
        ("metadata.name=a/b", ""),
        ("nonsense", ""),
    ],
)
@pytest.mark.parametrize("query", [{}, {"watch": "1"}])
def test_who_selects_one_name_attempts_that(selector: str, name: str, query: dict[str, str]) -> None:
    path = "/api/v1/namespaces/x/configmaps"

    assert attempt("GET", path, fieldSelector=selector, **query).name == name


def test_a_selector_does_not_name_what_is_deleted() -> None:
    assert attempt("DELETE", "/api/v1/namespaces/x/pods", fieldSelector="metadata.name=a").name == ""


def test_a_refusal_does_not_look_like_html() -> None:
    refusal = denied(JANE, Attempt(verb="get", path="/<b>&"), "because")

    assert refusal.message == 'forbidden: User "jane" cannot get path "/&lt;b&gt;&amp;": because'
