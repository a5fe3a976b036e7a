"""One step of Helm: run beside what may make it obsolete, announced, and its failure told apart."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from windlass.controller import error_message
from windlass.errors import ApiError, ReleaseError, RenderError, Terminal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from windlass.errors import Answer, HelmError, ReleaseFailure, ReleaseStep
    from windlass.reconcile import Context

    Progress = Callable[[str], Awaitable[None]]

T = TypeVar("T")

_EVENTS: Final[Mapping[ReleaseStep, str]] = {
    "install": "InstallFailed",
    "upgrade": "UpgradeFailed",
    "uninstall": "UninstallFailed",
    "reconcile": "ReconcileFailed",
}
_SLOW: Final = timedelta(seconds=2)
_PASSING: Final = frozenset({401, 404, 408, 409, 429})
"""Answers of the API server that may be others when the request is repeated; so are most of 5xx."""

_WRONG_TYPE: Final = "failed to create typed patch object"
"""How the API server answers, with 500, to an apply whose fields have types that the schema does not have."""


def announce(ctx: Context, reason: str, message: str, *, warning: bool = False) -> None:
    """Say what was done with a release: one line in the log, and one event, which is counted."""
    ctx.event(reason, message, warning=warning)
    (ctx.log.warning if warning else ctx.log.info)("%s", message)


def record_failure(ctx: Context, error: Exception, message: str) -> None:
    """Record a warning about a failed step; the loop logs the error. One that was reported before is not."""
    if not isinstance(error, ReleaseError):
        ctx.event(error.reason if isinstance(error, Terminal) else "ReconcileFailed", message, warning=True)
    elif error.tried:
        reason = _EVENTS[error.step] if error.kind != "render" else "RenderFailed"
        ctx.event(reason, message, warning=True)


def said(error: Exception) -> str:
    """Return what a condition says of an error: of an answer of the API server, its message alone."""
    if isinstance(error, ApiError) and error.answer.message:
        return error.answer.message
    return error_message(error)


def shortened(text: str, longest: int) -> str:
    """Return a text, or its beginning where it is too long."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


async def unless(
    step: Awaitable[T],
    obsolete: Awaitable[object],
    progress: Progress | None,
    message: Callable[[], str],
    *,
    patience: timedelta = _SLOW,
) -> T | None:
    """Await a step, and report its progress when it takes long; None if it was cancelled as obsolete.

    A step is cancelled only after its `patience`: one that takes less is quicker to finish than to clean up.
    """
    running, giving_up = asyncio.ensure_future(step), asyncio.ensure_future(obsolete)
    slow = patience.total_seconds()
    said = ""
    try:
        await asyncio.wait({running}, timeout=slow)
        while not running.done():
            if giving_up.done():
                return None
            if progress and message() != said:
                said = message()
                await progress(said)
            await asyncio.wait(
                {running, giving_up},
                timeout=slow if progress else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
        return running.result()
    finally:
        for task in (running, giving_up):
            task.cancel()
        await asyncio.gather(running, giving_up, return_exceptions=True)


def failure_of(step: ReleaseStep, error: HelmError, addition: str = "") -> ReleaseError:
    """Return what a failed step is reported as."""
    if isinstance(error, ReleaseError):
        return error
    return ReleaseError(step, f"{error}{addition}", kind=kind_of(error)).refused_by(error.refusals)


def kind_of(error: HelmError) -> ReleaseFailure:
    """Tell refusals, which last until something changes, from what may pass by itself."""
    if isinstance(error, RenderError):
        return "render"
    return "refused" if any(map(is_lasting, error.refusals)) else "failed"


def is_lasting(answer: Answer) -> bool:
    """Whether the API server would refuse the same request again."""
    if answer.code >= 500:  # noqa: PLR2004 - the server's own failures
        return _WRONG_TYPE in answer.message
    return answer.code not in _PASSING
