"""The answers of a server that refuses, as kube-apiserver words them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.client import Response

if TYPE_CHECKING:
    from windlass.client import Request
    from windlass.testing.faults import Answer

_JSON: Final = "application/json"
_RETRY: Final = {"retry-after": "1"}
_NAMED: Final = re.compile(
    r"/(?:api|apis/(?P<group>[^/]+))/[^/]+(?:/namespaces/[^/]+(?=/))?/(?P<plural>[^/]+)/(?P<name>[^/]+)(?:/.+)?"
)
_CHANGES: Final = frozenset({"PUT", "PATCH", "DELETE"})


def can_conflict(request: Request) -> bool:
    """Whether a request changes one object, so that somebody may have changed it before."""
    return request.method in _CHANGES and _NAMED.fullmatch(request.path) is not None


def answer(kind: Answer, request: Request) -> Response:
    """The whole answer."""
    match kind:
        case "conflict":
            return _conflict(request)
        case "busy":  # it comes before anybody has looked at the request, so it is plain text
            return Response(
                status=429,
                headers={
                    **_RETRY,
                    "content-type": "text/plain; charset=utf-8",
                    "x-content-type-options": "nosniff",
                },
                body=b"Too many requests, please try again later.\n",
            )
        case "throttled":
            return _status(429, "the server is busy with others", "TooManyRequests", details={})
        case "failed":  # what etcd says has no reason: the server has no word for it
            return _status(500, "etcdserver: request timed out")
        case "unavailable":
            return _status(503, "apiserver is shutting down", "ServiceUnavailable", headers=_RETRY)


def timed_out() -> Response:
    """504: the server gave up waiting for itself."""
    message = "Timeout: request did not complete within requested timeout - context deadline exceeded"
    return _status(504, message, "Timeout", details={})


def _conflict(request: Request) -> Response:
    found = _NAMED.fullmatch(request.path)
    if found is None:
        raise ValueError(f"{request} names no object that could have changed")
    group, plural, name = found["group"] or "", found["plural"], found["name"]
    resource = f"{plural}.{group}" if group else plural
    message = (
        f'Operation cannot be fulfilled on {resource} "{name}": the object has been modified; '
        "please apply your changes to the latest version and try again"
    )
    named = {"name": name, "group": group, "kind": plural}
    details = {key: value for key, value in named.items() if value}
    return _status(409, message, "Conflict", details=details)


def _status(
    code: int,
    message: str,
    reason: str = "",
    *,
    details: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    status: dict[str, Any] = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
    }
    if reason:
        status["reason"] = reason
    if details is not None:
        status["details"] = details
    body = orjson.dumps({**status, "code": code})
    return Response(status=code, headers={"content-type": _JSON, **(headers or {})}, body=body)
