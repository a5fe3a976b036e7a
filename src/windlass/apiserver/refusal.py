from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from typing_extensions import override

from windlass.errors import WindlassError
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.schema import Fault

_REASONS: Final = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    406: "NotAcceptable",
    409: "Conflict",
    410: "Expired",
    413: "RequestEntityTooLarge",
    415: "UnsupportedMediaType",
    422: "Invalid",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}
_OUTDATED: Final = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new "
    "list without the continue parameter, or use the continue token in this response to retrieve the "
    "remainder of the results. Continuing with the provided token results in an inconsistent list - "
    "objects that were created, modified, or deleted between the time the first chunk was returned and now "
    "may show up in the list."
)


class Refusal(WindlassError):
    """A request that the server refuses: the Status that it answers with.

    `details` names the object and lists the causes; `None` leaves them out, where empty ones would show.
    `headers` are those of the answer, beside a `Retry-After` that the details name. A reason is the usual one
    of the code unless another is given; an empty one leaves it out.
    """

    def __init__(
        self,
        code: int,
        message: str,
        reason: str | None = None,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = _REASONS.get(code, "") if reason is None else reason
        self.details = None if details is None else dict(details)
        self.headers = dict(headers) if headers else {}
        if seconds := (self.details or {}).get("retryAfterSeconds"):
            self.headers["retry-after"] = str(seconds)

    @property
    def status(self) -> dict[str, Any]:
        """The Status object."""
        status: dict[str, Any] = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
        }
        if self.reason:
            status["reason"] = self.reason
        if self.details is not None:
            status["details"] = self.details
        return status | {"code": self.code}

    @classmethod
    def bad_request(cls, message: str) -> Self:
        """400: the request itself is malformed."""
        return cls(400, message)

    @classmethod
    def not_found(cls, group: str, plural: str, name: str) -> Self:
        """404: no such object."""
        resource = f"{plural}.{group}" if group else plural
        return cls(404, f"{resource} {quoted(name)} not found", details=_details(name, group, plural))

    @classmethod
    def already_exists(cls, group: str, plural: str, name: str) -> Self:
        """409: there is such an object."""
        resource = f"{plural}.{group}" if group else plural
        message = f"{resource} {quoted(name)} already exists"
        return cls(409, message, "AlreadyExists", _details(name, group, plural))

    @classmethod
    def forbidden(cls, group: str, plural: str, name: str, why: str) -> Self:
        """403: this may not be, for whomever."""
        resource = f"{plural}.{group}" if group else plural
        subject = f"{resource} {quoted(name)}" if name else resource
        return cls(403, f"{subject} is forbidden: {why}", details=_details(name, group, plural))

    @classmethod
    def conflict(cls, group: str, plural: str, name: str, why: str) -> Self:
        """409: the object is not what the request took it for."""
        resource = f"{plural}.{group}" if group else plural
        message = f"Operation cannot be fulfilled on {resource} {quoted(name)}: {why}"
        return cls(409, message, details=_details(name, group, plural))

    @classmethod
    def invalid(cls, group: str, kind: str, name: str, faults: Iterable[Fault]) -> Self:
        """422: the object breaks rules; each fault becomes a cause."""
        listed = list(dict.fromkeys(faults))
        subject = f"{kind}.{group}" if group else kind
        texts = list(dict.fromkeys(str(fault) for fault in listed))
        said = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        causes = [
            {"reason": fault.reason, "message": fault.message, "field": fault.field} for fault in listed
        ]
        details = _details(name, group, kind) | ({"causes": causes} if causes else {})
        return cls(422, f"{subject} {quoted(name)} is invalid: {said}", details=details)

    @classmethod
    def internal(cls, message: str) -> Self:
        """500: the server failed, or says so where the real one does."""
        return cls(500, f"Internal error occurred: {message}", details={"causes": [{"message": message}]})


class Unknown(Refusal):
    """404 in plain text: nothing is served in this group."""

    def __init__(self) -> None:
        super().__init__(404, "404 page not found\n")


class Outdated(Refusal):
    """410: what a list was read from is gone; `token` gives the rest of it as that is now."""

    def __init__(self, token: str) -> None:
        super().__init__(410, _OUTDATED)
        self._token = token

    @property
    @override
    def status(self) -> dict[str, Any]:
        return super().status | {"metadata": {"continue": self._token}}


class Unconvertible(Refusal):
    """400: what was read cannot be made an object of its kind; `why` is that alone."""

    def __init__(self, kind: str, version: str, why: str) -> None:
        super().__init__(400, f'{kind} in version "{version}" cannot be handled as a {kind}: {why}')
        self.why = why


def unsupported(group: str, plural: str, verb: str) -> Refusal:
    """405: a custom resource does not know this verb."""
    message = f'{verb} is not supported on resources of kind "{plural}.{group}"'
    return Refusal(405, message, details={"group": group, "kind": plural})


def no_such_path() -> Refusal:
    """404: a group that is known serves nothing under this path."""
    return Refusal(404, "the server could not find the requested resource", details={})


def no_such_method() -> Refusal:
    """405: this path does not know this method."""
    message = "the server does not allow this method on the requested resource"
    return Refusal(405, message, details={})


def _details(name: str, group: str, kind: str) -> dict[str, Any]:
    parts = {"name": name, "group": group, "kind": kind}
    return {key: value for key, value in parts.items() if value}
