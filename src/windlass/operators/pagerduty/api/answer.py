"""What an answer of PagerDuty means."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from windlass.operators.pagerduty.api.error import (
    AbilityMissingError,
    AlreadyResolvedError,
    ForbiddenError,
    InUseError,
    InvalidInputError,
    NameTakenError,
    NotFoundError,
    PagerDutyError,
    ServerFailedError,
    UnauthorizedError,
)

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.api.wire import Call, Reply

_TAKEN = "already been taken"
_RESOLVED = "already resolved"
_BY_STATUS: dict[int, type[PagerDutyError]] = {
    HTTPStatus.BAD_REQUEST: InvalidInputError,
    HTTPStatus.UNAUTHORIZED: UnauthorizedError,
    HTTPStatus.PAYMENT_REQUIRED: AbilityMissingError,
    HTTPStatus.FORBIDDEN: ForbiddenError,
    HTTPStatus.NOT_FOUND: NotFoundError,
}


def content(call: Call, reply: Reply) -> Json:
    """The document of a successful answer; empty where the answer is.

    Raises:
        PagerDutyError: it is no success, or no document.
    """
    if not HTTPStatus.OK <= reply.status < HTTPStatus.MULTIPLE_CHOICES:
        raise refusal(call, reply)
    if not reply.body.strip():
        return {}
    parsed = _parsed(reply.body)
    if not isinstance(parsed, dict):
        raise ServerFailedError(f"{call}: PagerDuty's answer is no JSON object", reply.status)
    return parsed


def refusal(call: Call, reply: Reply) -> PagerDutyError:
    """The error that an answer is; many have no body, and some a body of another form."""
    said = _said(reply.body)
    message = f"{call}: PagerDuty answered {reply.status}{f': {said}' if said else ''}"
    return _class_of(call, reply.status, said)(message, reply.status)


def _class_of(call: Call, status: int, said: str) -> type[PagerDutyError]:
    if status == HTTPStatus.BAD_REQUEST and call.method == "DELETE":
        return InUseError
    if status == HTTPStatus.BAD_REQUEST and _TAKEN in said.lower():
        return NameTakenError
    if status == HTTPStatus.BAD_REQUEST and _RESOLVED in said.lower():
        return AlreadyResolvedError
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ServerFailedError
    return _BY_STATUS.get(status, InvalidInputError)


def _said(body: bytes) -> str:
    """What an error says of itself, in one line."""
    parsed = _parsed(body)
    error = parsed.get("error") if isinstance(parsed, dict) else None
    if not isinstance(error, dict):
        return ""
    faults = error.get("errors")
    details = [str(each) for each in faults] if isinstance(faults, list) else []
    return ": ".join(part for part in (str(error.get("message") or ""), ", ".join(details)) if part)


def _parsed(body: bytes) -> Any:
    import orjson  # so that declaring the operator does not need it

    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
