"""Everything that Windlass raises, as one tree named for the answer.

Catch `WindlassError` for all of it, `ApiError` for whatever an API server answered, or the one answer that
you can handle:

    try:
        app = await client.get(WebApp, "shop", "default")
    except NotFound:
        return

The tree holds data, no behaviour: the client translates answers into it (`windlass.client`), nothing below
the client knows HTTP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

ReleaseStep = Literal["install", "upgrade", "uninstall", "reconcile"]
"""What is done with a release; `reconcile` is everything that leads to no new revision."""

ReleaseFailure = Literal["failed", "render", "refused", "conflict", "busy", "queued", "superseded"]
"""Why a release is not what it should be.

`render`: the chart does not render with these values. `refused`: the API server refuses what it renders, or
Helm's requests, and will do so until something changes. `conflict`: the release or one of its objects
belongs to another owner. `busy`: another `helm` is changing the release. `queued`: as many
releases as may be are being changed. `superseded`: the object changed
meanwhile, and the step was given up. `failed`: anything else; it may pass by itself.
"""


class WindlassError(Exception):
    """The root of everything that Windlass raises."""


class ConfigError(WindlassError):
    """A setting, a kubeconfig or a credential cannot be used; the message says which and what to do."""


class KeyringError(WindlassError):
    """What should be certificates and keys that belong together is not; the message says why."""


class SchemaError(WindlassError):
    """A type cannot become a structural schema; the message names the field and the way out."""


class UndecodableError(WindlassError):
    """An object that the server holds does not fit the Python type; the message names object and field."""


class ConversionError(WindlassError):
    """An object cannot be shown in another version of its kind; the message says why."""


class ToolError(WindlassError):
    """A program that Windlass needs (etcd, kube-apiserver, helm, go) is missing, or failed."""


class HelmError(WindlassError):
    """Helm failed; the message is its error output.

    `refusals` are the API server's refusals of requests that Helm made, in their order.
    """

    def __init__(self, message: str, *, refusals: Sequence[Answer] = ()) -> None:
        super().__init__(message)
        self.refusals = tuple(refusals)


class RenderError(HelmError):
    """A chart does not render with the given values, or the values break the chart's schema."""


class ReleaseError(HelmError):
    """A release is not what it should be; `step` is what failed, `kind` why, and the message Helm's output.

    `retry_at` is when the step is retried; None leaves that to the backoff of the queue. `tried` is false if
    nothing was tried now, because the same input failed before and the time of its retry has not come.
    """

    def __init__(
        self,
        step: ReleaseStep,
        message: str,
        *,
        kind: ReleaseFailure = "failed",
        retry_at: datetime | None = None,
        tried: bool = True,
    ) -> None:
        super().__init__(message)
        self.step = step
        self.kind = kind
        self.retry_at = retry_at
        self.tried = tried

    def refused_by(self, refusals: Sequence[Answer]) -> ReleaseError:
        """Return the error with the API server's refusals that it is about."""
        self.refusals = tuple(refusals)
        return self

    def dated(self, retry_at: datetime, *, tried: bool) -> ReleaseError:
        """Return the same error with another time of the retry."""
        again = ReleaseError(self.step, str(self), kind=self.kind, retry_at=retry_at, tried=tried)
        return again.refused_by(self.refusals)


class ChartError(HelmError):
    """A chart cannot be read, found or fetched; the message says which and why."""


class ChartRefusedError(ChartError):
    """A chart may not be fetched: its address, scheme or missing digest is refused by a `SourcePolicy`."""


class Terminal(WindlassError):
    """Trying again is in vain until the object changes: the loop waits for that, and says why.

    `reason` is the one word of the condition, such as `InvalidSchedule`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class NotCachedError(WindlassError):
    """A value of a Secret was read that the cache does not keep; the message says how to read it."""


class UndeclaredError(WindlassError):
    """A reconciler reads or applies a kind that it did not declare; the message has the line to add."""


class UnwatchableError(WindlassError):
    """A kind cannot be watched, so that nothing of it can be read; the message is what the server says."""


class KindMissingError(UnwatchableError):
    """The server does not serve a kind: its definition has to be installed first."""


class AlreadyOwnedError(WindlassError):
    """An object was to become a part of one object, and is a part of another."""


class NotLeadingError(WindlassError):
    """A write or an effect was refused, since this process may no longer be the one that leads."""


class SimulationError(WindlassError):
    """A simulation cannot go on: nothing can ever happen again, or something tried to leave it."""


class SimulationFailed(WindlassError, AssertionError):
    """A judge found a fault in a simulated operator; `outcome` has the seed, the finding and the trace."""

    def __init__(self, message: str, outcome: Any) -> None:
        super().__init__(message)
        self.outcome = outcome


class QueueClosed(WindlassError):
    """A worker asked a queue for something to do, and there will be nothing more: it can go home."""


class TimeLimitExceededError(WindlassError, TimeoutError):
    """A reconcile took longer than it may, and was cancelled."""


class NotSettledError(WindlassError, TimeoutError):
    """A cluster did not do in time what it was told; the message says what is missing."""


class FinalizersRemainError(WindlassError):
    """Objects would keep finalizers that nothing removes; the message lists them and says what to do."""


class CancelledWithinError(WindlassError):
    """Something ended as if it were cancelled, but nobody cancelled it: what it awaited was."""


class ConnectionFailedError(WindlassError):
    """No answer came: refused, unreachable, timed out, cut, or the TLS handshake failed.

    `sent` tells whether the request may have reached the server, in which case a write may have happened.
    `lasting` tells that trying again is in vain until somebody changes something.
    """

    def __init__(self, message: str, *, sent: bool = False, lasting: bool = False) -> None:
        super().__init__(message)
        self.sent = sent
        self.lasting = lasting


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an API server said when it refused: its Status object, and the request that it refused."""

    code: int
    reason: str = ""
    message: str = ""
    details: Mapping[str, Any] | None = None
    request: str = ""
    retry_after: float | None = None

    @property
    def causes(self) -> Sequence[Mapping[str, Any]]:
        """The single faults, each with `field`, `reason` and `message`."""
        return (self.details or {}).get("causes") or ()


class ApiError(WindlassError):
    """An API server answered, and refused. Its Status object is kept in `answer`."""

    answered: ClassVar[int] = 0

    def __init__(self, answer: Answer, hint: str = "") -> None:
        self.answer = answer
        self.hint = hint
        said = answer.message or answer.reason or "no message"
        parts = [f"{answer.request}: " if answer.request else "", f"{answer.code} ", said]
        super().__init__("".join(parts) + (f"\n{hint}" if hint else ""))

    @property
    def code(self) -> int:
        """The HTTP status of the answer."""
        return self.answer.code

    def __reduce__(self) -> tuple[type[ApiError], tuple[Answer, str]]:
        """So that it can be copied, and sent to another process."""
        return type(self), (self.answer, self.hint)


class BadRequest(ApiError):
    """400: the request itself is malformed."""

    answered = 400


class Unauthorized(ApiError):
    """401: the server does not know who asks."""

    answered = 401


class Forbidden(ApiError):
    """403: the server knows who asks, and says no. The message holds the rule that is missing."""

    answered = 403


class NotFound(ApiError):
    """404: no such object, or no such kind."""

    answered = 404


class MethodNotAllowed(ApiError):
    """405: this kind does not know this verb."""

    answered = 405


class NotAcceptable(ApiError):
    """406: the server cannot answer in the form that was asked for."""

    answered = 406


class Conflict(ApiError):
    """409: the object changed since it was read, a precondition failed, or another manager owns a field."""

    answered = 409


class AlreadyExists(Conflict):
    """409: an object of this name exists."""


class Gone(ApiError):
    """410: the resource version asked for is no longer kept; list again."""

    answered = 410


class TooLarge(ApiError):
    """413: the object is larger than the server takes."""

    answered = 413


class UnsupportedMediaType(ApiError):
    """415: the server does not take this form of body or patch."""

    answered = 415


class Invalid(ApiError):
    """422: the object breaks its schema or a rule; `answer.causes` lists each fault with its field."""

    answered = 422


class TooManyRequests(ApiError):
    """429: slow down; also an eviction that a disruption budget forbids for now."""

    answered = 429


class ServerError(ApiError):
    """5xx: the server failed."""

    answered = 500


class ServiceUnavailable(ServerError):
    """503: the server is starting, stopping or overloaded."""

    answered = 503


class ServerTimeout(ServerError):
    """504: the server gave up; a write may or may not have happened."""

    answered = 504


_BY_CODE: Mapping[int, type[ApiError]] = {
    kind.answered: kind
    for kind in (
        BadRequest, Unauthorized, Forbidden, NotFound, MethodNotAllowed, NotAcceptable, Conflict, Gone,
        TooLarge, UnsupportedMediaType, Invalid, TooManyRequests, ServerError, ServiceUnavailable,
        ServerTimeout,
    )
}  # fmt: skip


def api_error(answer: Answer, hint: str = "") -> ApiError:
    """The error that an answer means: by its code, and where one code means several things by its reason."""
    if answer.code == Conflict.answered and answer.reason == "AlreadyExists":
        return AlreadyExists(answer, hint)
    if answer.reason == "Expired":
        return Gone(answer, hint)
    fallback = ServerError if answer.code >= ServerError.answered else ApiError
    return _BY_CODE.get(answer.code, fallback)(answer, hint)
