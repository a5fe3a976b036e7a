from __future__ import annotations

import pytest

from windlass.apiserver.fault import Scope
from windlass.apiserver.route import route
from windlass.errors import ConfigError

WEB = "/apis/apps/v1/namespaces/default/deployments/web"


@pytest.mark.parametrize(
    ("scope", "method", "path", "covered"),
    [
        (Scope(), "GET", WEB, True),
        (Scope(), "GET", "/version", True),
        (Scope(verbs=frozenset({"get"})), "GET", WEB, True),
        (Scope(verbs=frozenset({"get"})), "PUT", WEB, False),
        (Scope(verbs=frozenset({"get"})), "GET", "/version", False),
        (Scope(verbs=frozenset()), "GET", WEB, False),
        (Scope(resource="deployments.apps"), "GET", WEB, True),
        (Scope(resource="deployments"), "GET", WEB, False),
        (Scope(resource="pods"), "GET", "/api/v1/pods", True),
        (Scope(subresource="status"), "GET", WEB, False),
        (Scope(subresource="status"), "GET", f"{WEB}/status", True),
        (Scope(subresource=""), "GET", f"{WEB}/status", False),
        (Scope(namespace="default"), "GET", WEB, True),
        (Scope(namespace="default"), "GET", "/apis/apps/v1/deployments", False),
        (Scope(name="web"), "GET", WEB, True),
        (Scope(name="other"), "GET", WEB, False),
        (Scope(user="jane"), "GET", WEB, True),
        (Scope(user="jane"), "GET", "/version", True),
        (Scope(user="joe"), "GET", WEB, False),
    ],
)
def test_requests_are_meant_that_fit_all_that_is_said(
    scope: Scope, method: str, path: str, *, covered: bool
) -> None:
    assert scope.covers(route(method, path), "jane") is covered


def test_a_verb_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="verbs: write is none; choose from create"):
        Scope(verbs=frozenset({"get", "write"}))
