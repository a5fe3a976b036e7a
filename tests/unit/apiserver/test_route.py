"""What a path speaks of."""

from __future__ import annotations

import pytest

from windlass.apiserver.route import Route, route


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/api/v1/namespaces", Route("list", "", "v1", "namespaces")),
        ("GET", "/api/v1/namespaces/a", Route("get", "", "v1", "namespaces", "a", "a")),
        (
            "PUT",
            "/api/v1/namespaces/a/finalize",
            Route("update", "", "v1", "namespaces", "a", "a", "finalize"),
        ),
        ("GET", "/api/v1/namespaces/a/status", Route("get", "", "v1", "namespaces", "a", "a", "status")),
        ("GET", "/api/v1/namespaces/a/pods", Route("list", "", "v1", "pods", "a")),
        ("POST", "/api/v1/namespaces/a/pods/", Route("create", "", "v1", "pods", "a")),
        ("DELETE", "/apis/apps/v1/deployments", Route("deletecollection", "apps", "v1", "deployments")),
        ("DELETE", "/api/v1/nodes/n", Route("delete", "", "v1", "nodes", "", "n")),
        ("GET", "/api/v1/namespaces/a/pods/b/log", Route("get", "", "v1", "pods", "a", "b", "log")),
        ("GET", "/api/v1/nodes/n/proxy/a/b", Route("get", "", "v1", "nodes", "", "n", "proxy", "a/b")),
        ("GET", "/api/v1/watch/pods", Route("watch", "", "v1", "pods")),
        ("GET", "/api/v1/watch/namespaces/a/pods/b", Route("watch", "", "v1", "pods", "a", "b")),
        ("GET", "/api/v1/namespaces/a/pods/%61", Route("get", "", "v1", "pods", "a", "a")),
        ("PATCH", "/apis/a.b/v1/things/x", Route("patch", "a.b", "v1", "things", "", "x")),
        ("GET", "/api/v1/namespaces/a/pods%2Fb%2F", Route("get", "", "v1", "pods", "a", "b")),
        ("GET", "/api/v1/namespaces//pods", Route("list", "", "v1", "pods")),
        ("GET", "/api/v1/pods//log", Route("list", "", "v1", "pods", "", "", "log")),
    ],
)
def test_a_path_names_a_resource_and_its_verb(method: str, path: str, expected: Route) -> None:
    assert route(method, path) == expected


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api",
        "/api/v1",
        "/apis",
        "/apis/apps",
        "/apis/apps/v1",
        "/version",
        "//api/v1/pods",
        "/apis//v1/pods",
    ],
)
def test_what_is_no_resource_has_no_route(path: str) -> None:
    assert route("GET", path) is None


def test_a_collection_is_watched_and_an_object_is_not() -> None:
    collection = route("GET", "/api/v1/pods", watching=True)
    one = route("GET", "/api/v1/namespaces/a/pods/b", watching=True)

    assert collection is not None
    assert one is not None
    assert (collection.verb, one.verb) == ("watch", "get")
