"""The answers of a server that refuses, as kube-apiserver words them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from windlass.apiserver.exchange import Reply
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.fault.faults import Answer
    from windlass.apiserver.route import Route

_RETRY: Final = {"retry-after": "1"}
_CHANGED: Final = (
    "the object has been modified; please apply your changes to the latest version and try again"
)
_GAVE_UP: Final = "Timeout: request did not complete within requested timeout - context deadline exceeded"


def answer(kind: Answer | Literal["timed_out"], route: Route | None) -> Reply | Refusal:
    """What is answered in the place of the truth: a Status, or the plain text that comes before there is one.

    Raises:
        ValueError: a conflict, of a request that names no object.
    """
    match kind:
        case "conflict":
            if route is None:
                raise ValueError("a request that names no object cannot conflict")
            return Refusal.conflict(route.group, route.plural, route.name, _CHANGED)
        case "busy":  # it comes before anybody has looked at the request, so it is plain text
            reply = Reply.text("Too many requests, please try again later.\n", 429)
            reply.headers |= _RETRY
            return reply
        case "throttled":
            return Refusal(429, "the server is busy with others", details={})
        case "failed":  # what etcd says has no reason: the server has no word for it
            return Refusal(500, "etcdserver: request timed out", "")
        case "unavailable":
            return Refusal(503, "apiserver is shutting down", headers=_RETRY)
        case "abandoned" | "timed_out":
            return Refusal(504, _GAVE_UP, details={})
