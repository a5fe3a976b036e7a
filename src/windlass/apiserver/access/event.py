"""The entries of the audit trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from windlass.apiserver.access.attempt import Attempt
    from windlass.apiserver.access.rbac import Verdict
    from windlass.apiserver.exchange import User

Object = dict[str, Any]
Stage = Literal["ResponseStarted", "ResponseComplete"]

_DECISION: Final = "authorization.k8s.io/decision"
_REASON: Final = "authorization.k8s.io/reason"
_OPTIONAL: Final = ("impersonatedUser", "sourceIPs", "userAgent", "objectRef", "annotations")


class Decision(NamedTuple):
    """Who attempted what, whether they might, and by which rule."""

    user: User
    attempt: Attempt
    verdict: Verdict

    def __str__(self) -> str:
        """As a log tells it: `system:admin list pods in default: allowed`."""
        attempt = self.attempt
        target = attempt.path if attempt.path is not None else attempt.target
        group = f".{attempt.group}" if attempt.group else ""
        where = f" in {attempt.namespace}" if attempt.namespace else ""
        said = "allowed" if self.verdict.allowed else "denied"
        return f"{self.user.name} {attempt.verb} {target}{group}{where}: {said}"


class AuditEvent(NamedTuple):
    """One request and what was answered, as the audit log of a real server has it at the level Metadata.

    What goes on for long, a watch, is told twice: when the answer starts and when it is complete.

    `user` is who asks, `None` where nobody knows; `acting_as` as whom. `target` is what the request is about,
    if that is a resource (`objectRef`), `status` the `responseStatus`. `decisions` are what access control
    decided: of most requests one, of an apply that creates two. `json` is the `audit.k8s.io/v1` Event.
    """

    id: str
    stage: Stage
    verb: str
    uri: str
    user: User | None
    acting_as: User | None
    sources: tuple[str, ...]
    agent: str
    target: Mapping[str, str] | None
    status: Mapping[str, Any]
    received: datetime
    at: datetime
    annotations: Mapping[str, str]
    decisions: tuple[Decision, ...]

    @property
    def code(self) -> int:
        """The status code of the answer."""
        code: int = self.status["code"]
        return code

    @property
    def json(self) -> Object:
        """The Event."""
        event: Object = {
            "kind": "Event",
            "apiVersion": "audit.k8s.io/v1",
            "level": "Metadata",
            "auditID": self.id,
            "stage": self.stage,
            "requestURI": self.uri,
            "verb": self.verb,
            "user": _user(self.user) if self.user else {},
            "impersonatedUser": _user(self.acting_as) if self.acting_as else None,
            "sourceIPs": list(self.sources),
            "userAgent": self.agent,
            "objectRef": self.target,
            "responseStatus": {"metadata": {}, **self.status},
            "requestReceivedTimestamp": _moment(self.received),
            "stageTimestamp": _moment(self.at),
            "annotations": {**_decided(self.decisions), **self.annotations},
        }
        return {key: value for key, value in event.items() if value or key not in _OPTIONAL}

    def __str__(self) -> str:
        """As a log tells it: `admin get pods/x in default: 404`."""
        who = self.acting_as or self.user
        target = self.target or {}
        name = f"/{target['name']}" if "name" in target else ""
        what = f"{target['resource']}{name}" if target else self.uri
        where = f" in {target['namespace']}" if "namespace" in target else ""
        return f"{who.name if who else 'nobody'} {self.verb} {what}{where}: {self.code}"


def _user(user: User) -> Object:
    extra = {key: list(values) for key, values in user.extra.items()}
    found = {"username": user.name, "uid": user.uid, "groups": list(user.groups), "extra": extra}
    return {key: value for key, value in found.items() if value}


def _decided(decisions: tuple[Decision, ...]) -> dict[str, str]:
    """What access control decided of the request itself, which comes first."""
    if not decisions:
        return {}
    verdict = decisions[0].verdict
    return {_DECISION: "allow" if verdict.allowed else "forbid", _REASON: verdict.reason}


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"
