"""What is noted of a request while it is served, and the event that becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.access.event import AuditEvent, Decision
from windlass.apiserver.route import route

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.apiserver.access.attempt import Attempt
    from windlass.apiserver.access.event import Stage
    from windlass.apiserver.access.rbac import Verdict
    from windlass.apiserver.exchange import Call, Reply, User
    from windlass.apiserver.route import Route

Object = dict[str, Any]

_CONNECTED: Final = frozenset({"attach", "exec", "log", "portforward", "proxy"})
_OF_STATUS: Final = ("status", "message", "reason", "details")
_STATUS: Final = b'{"kind":"Status",'
_PASSED_ON: Final = ("x-forwarded-for", "x-real-ip")
_LONGEST_AGENT: Final = 1024


class Record:
    """What is noted of one request.

    `route` is what it is about, if that is a resource; `user` who sends it, once that is known; `named` the
    metadata of the object that it brings; `status` the Status that refuses it.
    """

    __slots__ = ("_decisions", "_received", "named", "route", "status", "user")

    def __init__(self, received: datetime, found: Route | None) -> None:
        self._received = received
        self.route = found
        self._decisions: list[Decision] = []
        self.user: User | None = None
        self.named: Object | None = None
        self.status: Object | None = None

    def decide(self, user: User, attempt: Attempt, verdict: Verdict) -> None:
        """Access control has decided something; what it decides again is told once."""
        decision = Decision(user, attempt, verdict)
        if decision not in self._decisions:
            self._decisions.append(decision)

    def event(self, call: Call, reply: Reply, stage: Stage, at: datetime) -> AuditEvent:
        """The event of a request at a stage of its answer."""
        found = self.route
        query = call.query.encoded
        agent = call.headers.get("user-agent", "")
        return AuditEvent(
            id=reply.headers["audit-id"],
            stage=stage,
            verb=call.method.lower() if found is None else found.verb,
            uri=f"{call.path}?{query}" if query else call.path,
            user=self.user,
            acting_as=call.user if self.user and call.user is not self.user else None,
            sources=_sources(call),
            agent=f"{agent[:_LONGEST_AGENT]}...TRUNCATED" if len(agent) > _LONGEST_AGENT else agent,
            target=None if found is None else self._target(found),
            status=self._answered(reply),
            received=self._received,
            at=at,
            annotations=call.annotations,
            decisions=tuple(self._decisions),
        )

    def _target(self, found: Route) -> dict[str, str]:
        named = self.named or {}
        target = (
            ("resource", found.plural),
            ("namespace", found.namespace),
            ("name", found.name or named.get("name")),
            ("uid", named.get("uid")),
            ("apiGroup", found.group),
            ("apiVersion", found.version),
            ("resourceVersion", named.get("resourceVersion")),
            ("subresource", found.subresource),
        )
        return {key: value for key, value in target if value}

    def _answered(self, reply: Reply) -> Object:
        status = self.status
        if status is None and reply.body.startswith(_STATUS):
            status = orjson.loads(reply.body)
        if status is None:
            return {"code": reply.status}
        return {key: status[key] for key in _OF_STATUS if key in status} | {"code": reply.status}


def routed(call: Call) -> Route | None:
    """What a request is about, if it is a resource."""
    return route(call.method, call.path, watching=call.query.flag("watch"))


def lasts(found: Route | None) -> bool:
    """Whether the answer to a request goes on for a while: that of a watch, or of a connection."""
    return found is not None and (found.verb == "watch" or found.subresource in _CONNECTED)


def _sources(call: Call) -> tuple[str, ...]:
    """Where a request comes from: as those say who passed it on, and as the connection says."""
    said = [text for name in _PASSED_ON if (text := call.headers.get(name))]
    if not said:
        return (call.source,) if call.source else ()
    told = [part.strip() for part in ",".join([*said, call.source]).split(",")]
    return tuple(dict.fromkeys(filter(None, told)))
