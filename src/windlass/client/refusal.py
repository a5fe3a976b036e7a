"""From an answer that refuses to the error that a user can act on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

from windlass.errors import Answer, ApiError, api_error

if TYPE_CHECKING:
    from windlass.client.transport import Request

ROLE_FILE = "config/rbac/role.yaml"
"""Where an operator's generated role lies."""

# How every authorizer's refusal is put. What it names is not always what the path says: an apply that makes a
# new object is refused for its creation, and whoever acts as someone else for the impersonation.
_RESOURCE_REFUSED = re.compile(
    r'cannot (?P<verb>\S+) resource "(?P<resource>[^"]+)" in API group "(?P<group>[^"]*)"'
)
_USER_REFUSED = re.compile(r'User "(?P<user>[^"]+)" cannot ')
_PLACE = re.compile(r'in the namespace "(?P<namespace>[^"]+)"')
_SERVICE_ACCOUNT = re.compile(r"system:serviceaccount:(?P<namespace>[^:]+):(?P<name>[^:]+)")
_PATH_REFUSED = re.compile(r'cannot (?P<verb>\S+) path "(?P<path>[^"]+)"')

_PATH = re.compile(
    r"/(?:api|apis/(?P<group>[^/]+))/[^/]+"
    r"(?:/namespaces/(?P<namespace>[^/]+)(?=/))?"
    r"/(?P<resource>[^/]+)(?:/(?P<name>[^/]+)(?:/(?P<subresource>.+))?)?"
)
_VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch"}
_HINTS = {
    401: "The credentials were refused: a token may have expired, or belong to another cluster. "
    "`kubectl auth whoami` with the same kubeconfig tells who you are.",
    409: "Read the object again and repeat the change on what you read.",
    410: "That version is no longer kept; list again and go on from there.",
    413: "The object is larger than the server takes (1.5 MiB by default); keep large data elsewhere.",
    429: "The server is busy, or a disruption budget forbids this for now; try again later.",
}


def refusal(request: Request, status: int, body: bytes, retry_after: float | None = None) -> ApiError:
    """The error for an answer of 400 and above."""
    return refused(request, _status_object(status, body), retry_after)


def refused(request: Request, said: dict[str, Any], retry_after: float | None = None) -> ApiError:
    """The error for a Status object, which may also arrive inside a watch."""
    answer = Answer(
        code=said.get("code") or 0,
        reason=said.get("reason") or "",
        message=said.get("message") or "",
        details=said.get("details"),
        request=str(request),
        retry_after=retry_after,
    )
    return api_error(answer, _hint(request, answer))


def missing_rule(request: Request, message: str = "") -> str:
    """The rule that would allow a request, as a role states it; empty where no rule would help.

    The server's message says which. Where there is none, as from a proxy, the path does.
    """
    if said := _RESOURCE_REFUSED.search(message):
        return _rule(said["group"], said["resource"], said["verb"])
    if said := _PATH_REFUSED.search(message):
        return f'- nonResourceURLs: ["{said["path"]}"]\n  verbs: ["{said["verb"]}"]'
    match = _PATH.fullmatch(request.path)
    if match is None or message:
        return ""
    resource = match["resource"] + (f"/{match['subresource']}" if match["subresource"] else "")
    return _rule(match["group"] or "", resource, _verb(request, named=bool(match["name"])))


def _rule(group: str, resource: str, verb: str) -> str:
    return f'- apiGroups: ["{group}"]\n  resources: ["{resource}"]\n  verbs: ["{verb}"]'


def _verb(request: Request, *, named: bool) -> str:
    if request.method == "GET":
        if ("watch", "true") in request.query or ("watch", "1") in request.query:
            return "watch"
        return "get" if named else "list"
    if request.method == "DELETE":
        return "delete" if named else "deletecollection"
    return _VERBS.get(request.method, request.method.lower())


def _hint(request: Request, answer: Answer) -> str:
    # A Status has a reason, but for a webhook's. Other 403s have words of their own: a quota's, a policy's.
    said = answer.message if answer.reason or answer.message.startswith("admission webhook ") else ""
    if answer.code == 403 and (rule := missing_rule(request, said)):  # noqa: PLR2004 - the status it is about
        return f"{_remedy(request, said)}:\n{rule}"
    if any(cause.get("reason") == "FieldManagerConflict" for cause in answer.causes):
        return "Leave the field to its owner, or take it over by applying with force=True."
    if answer.code == 404 and not (answer.details or {}).get("name"):  # noqa: PLR2004
        return (
            "The server does not serve this kind: is its CRD installed? `windlass generate crds` writes it, "
            "`kubectl apply -f config/crd/bases` installs it."
        )
    changed = answer.reason != "AlreadyExists" and "Precondition failed" not in answer.message
    return _HINTS.get(answer.code, "") if changed or answer.code != 409 else ""  # noqa: PLR2004


def _remedy(request: Request, message: str) -> str:
    """Where a rule has to be added: in our own role, unless the impersonated user is the one who lacks it."""
    acting, refused_user = request.impersonate, _USER_REFUSED.search(message)
    if acting is None or refused_user is None or refused_user["user"] != acting.user:
        return f"The rule that is missing, to be added in {ROLE_FILE}"
    account = _SERVICE_ACCOUNT.fullmatch(acting.user)
    who = f"ServiceAccount {account['namespace']}/{account['name']}" if account else f"User {acting.user}"
    place = _PLACE.search(message)
    where = (
        f"in namespace {place['namespace']}" if place else "in the whole cluster, with a ClusterRoleBinding"
    )
    return f"The rule that is missing; grant it to {who} {where}"


def _status_object(status: int, body: bytes) -> dict[str, Any]:
    """The Status in a body; a proxy's or an old path's answer may be plain text instead."""
    try:
        said = orjson.loads(body)
    except orjson.JSONDecodeError:
        said = None
    if isinstance(said, dict) and said.get("kind") == "Status":
        return {**said, "code": said.get("code") or status}
    return {"code": status, "message": body[:500].decode(errors="replace").strip()}
