"""Who sends requests when access is compared, what they may be allowed, and what they ask about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from contract_objects import rule
from differential_step import Caller, Open

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from contract import Object

RBAC: Final = "rbac.authorization.k8s.io"
ROBOT: Final = "robot"
"""A service account, and the name of its token."""
USERS: Final = ("jane", "joe")
_ADMIN: Final = "admin"
_KINDS: Final = "configmaps", "secrets", "pods", "roles", "rolebindings", "serviceaccounts"
_WRITES: Final = "roles rolebindings clusterroles clusterrolebindings"

RULES: Final[tuple[Object, ...]] = (
    rule("", "configmaps", "get list watch"),
    rule("", "configmaps", "create update patch delete deletecollection"),
    rule("", "configmaps", "get update delete", resourceNames=["a"]),
    rule("", "configmaps secrets", "create"),
    rule("", "*", "get list"),
    rule("*", "*", "get"),
    rule("", "pods/log serviceaccounts/token", "get create"),
    rule("apps", "deployments/scale */status", "get update"),
    rule("*", "*/scale", "*"),
    rule(RBAC, _WRITES, "get list create update patch delete"),
    rule(RBAC, _WRITES, "*"),
    rule(RBAC, "roles clusterroles", "create update patch escalate"),
    rule(RBAC, "roles clusterroles", "bind", resourceNames=["a"]),
    rule(RBAC, "roles clusterroles", "bind"),
    rule("", "users groups serviceaccounts", "impersonate"),
    rule("", "users", "impersonate", resourceNames=["other"]),
    rule("authentication.k8s.io", "userextras/scopes uids", "impersonate"),
    rule("authorization.k8s.io", "subjectaccessreviews localsubjectaccessreviews", "create"),
    rule("authentication.k8s.io", "tokenreviews", "create"),
    rule("*", "*", "*"),
)
PATHS: Final[tuple[Object, ...]] = (
    {"nonResourceURLs": ["/foo", "/foo/*"], "verbs": ["get"]},
    {"nonResourceURLs": ["*"], "verbs": ["*"]},
)
"""Rules that only a ClusterRole can have."""
_ACTING: Final[tuple[Object, ...]] = (
    {"Impersonate-User": "other"},
    {"Impersonate-User": "other", "Impersonate-Group": "guests"},
    {"Impersonate-User": "other", "Impersonate-Extra-Scopes": "a"},
    {"Impersonate-User": "other", "Impersonate-Extra-Example.com%2fa": "b"},
    {"Impersonate-User": "other", "Impersonate-Uid": "7"},
    {"Impersonate-User": "system:anonymous"},
    {"Impersonate-User": "other", "Impersonate-Group": "system:masters"},
    {"Impersonate-User": "system:serviceaccount:NS:robot"},
    {"Impersonate-User": "system:serviceaccount:NS"},
    {"Impersonate-User": "system:serviceaccount:NS:robot", "Impersonate-Group": "guests"},
    {"Impersonate-Group": "guests"},
    {"Impersonate-Uid": "7"},
    {"Impersonate-Extra-Scopes": "a"},
)
"""Impersonation, right and wrong; NS stands for the namespace."""


def known_callers(namespace: str) -> dict[str, Caller]:
    """Those to whom something may be allowed, and the others."""
    acting = {
        name: Caller(_ADMIN, {"Impersonate-User": f"{name}-{namespace}", "Impersonate-Group": "guests"})
        for name in USERS
    }
    others = {"nobody": Caller("nobody"), "anonymous": Caller(), "bad": Caller("bad")}
    return {**acting, ROBOT: Caller(ROBOT), _ADMIN: Caller(_ADMIN), **others}


@st.composite
def callers(draw: DrawFn, namespace: str) -> Caller:
    """Anyone, mostly somebody who may do something, sometimes as somebody else."""
    known = known_callers(namespace)
    found = known[draw(st.sampled_from((*USERS, *USERS, ROBOT, ROBOT, *known)))]
    if found.headers or not draw(st.sampled_from((True, False, False, False))):
        return found
    headers: Object = draw(st.sampled_from(_ACTING))
    return Caller(found.token, {name: value.replace("NS", namespace) for name, value in headers.items()})


def rules(*, everywhere: bool) -> SearchStrategy[list[Object]]:
    """The rules of a role."""
    return st.lists(st.sampled_from((*RULES, *(PATHS if everywhere else ()))), min_size=1, max_size=3)


@st.composite
def subjects_of(draw: DrawFn, namespace: str) -> list[Object]:
    """Whom a role is given to: nobody outside of the test."""
    users = [{"apiGroup": RBAC, "kind": "User", "name": f"{name}-{namespace}"} for name in USERS]
    robot = {"kind": "ServiceAccount", "name": ROBOT, "namespace": namespace}
    accounts = {"apiGroup": RBAC, "kind": "Group", "name": f"system:serviceaccounts:{namespace}"}
    return draw(st.lists(st.sampled_from((*users, robot, accounts)), min_size=1, max_size=2))


@st.composite
def attributes(draw: DrawFn, namespace: str) -> Object:
    """What an access review asks about."""
    if draw(st.integers(0, 4)) == 0:
        path = draw(st.sampled_from(("/foo", "/foo/bar", "/healthz", "/api", "/apis/x", "", "/")))
        return {"nonResourceAttributes": {"path": path, "verb": draw(st.sampled_from(("get", "post", "*")))}}
    found: dict[str, Any] = {
        "verb": draw(st.sampled_from(("get", "list", "create", "escalate", "bind", "impersonate", "*", ""))),
        "resource": draw(st.sampled_from((*_KINDS, "*", "clusterroles", "users"))),
        "namespace": draw(st.sampled_from((namespace, namespace, "", "default"))),
        "group": draw(st.sampled_from(("", "", RBAC, "*", "apps"))),
        "name": draw(st.sampled_from(("", "", "a", "b"))),
        "subresource": draw(st.sampled_from(("", "", "", "log", "scale", "status", "*"))),
    }
    return {"resourceAttributes": {name: value for name, value in found.items() if value}}


@st.composite
def reviews(draw: DrawFn, namespace: str) -> tuple[str, Object]:
    """A review, and the path that it is sent to."""
    authorization, authentication = "/apis/authorization.k8s.io/v1", "/apis/authentication.k8s.io/v1"
    user = {
        "user": draw(st.sampled_from((*(f"{name}-{namespace}" for name in USERS), "other", ""))),
        "groups": draw(
            st.sampled_from(([], ["guests"], ["system:masters"], [f"system:serviceaccounts:{namespace}"]))
        ),
    }
    token = draw(st.sampled_from((Open("token", ROBOT), Open("token", _ADMIN), "x", "")))
    asked = draw(attributes(namespace))
    audiences: Object = draw(st.sampled_from(({}, {"audiences": ["other"]}, {"audiences": []})))
    where = draw(st.sampled_from((namespace, namespace, "default", "")))
    named: dict[str, tuple[str, Object]] = {
        f"{authorization}/subjectaccessreviews": ("SubjectAccessReview", {**user, **asked}),
        f"{authorization}/namespaces/{namespace}/localsubjectaccessreviews": (
            "LocalSubjectAccessReview",
            {**user, **asked},
        ),
        f"{authorization}/selfsubjectaccessreviews": ("SelfSubjectAccessReview", asked),
        f"{authorization}/selfsubjectrulesreviews": ("SelfSubjectRulesReview", {"namespace": where}),
        f"{authentication}/tokenreviews": ("TokenReview", {"token": token, **audiences}),
        f"{authentication}/selfsubjectreviews": ("SelfSubjectReview", {}),
    }
    path = draw(st.sampled_from((*named,)))
    kind, spec = named[path]
    version = path.split("/")[2]
    body: Object = {"apiVersion": f"{version}/v1", "kind": kind}
    metadata = {"namespace": namespace} if kind == "LocalSubjectAccessReview" else {}
    return path, {**body, "metadata": metadata, **({"spec": spec} if spec else {})}
