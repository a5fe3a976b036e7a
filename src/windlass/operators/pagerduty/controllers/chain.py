"""Runs subroutines in their order, and says what the refusals of PagerDuty mean for an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.errors import Terminal
from windlass.operators.pagerduty.api import (
    AbilityMissingError,
    ForbiddenError,
    InvalidInputError,
    LimitedError,
    NotFoundError,
    PagerDutyError,
    UnauthorizedError,
)
from windlass.operators.pagerduty.controllers.subject import RESOLVED, SYNCED
from windlass.reconcile import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.operators.pagerduty.controllers.subject import Subject, Subroutine
    from windlass.reconcile import Context


async def run_chain(chain: Sequence[Subroutine], subject: Subject[Any], ctx: Context) -> Result[Any]:
    """The first thing that a subroutine has to say; what PagerDuty refuses ends the chain too."""
    try:
        for subroutine in chain:
            result = await subroutine(subject, ctx)
            if result is not None:
                return result
    except PagerDutyError as error:
        result = await _meaning(error, subject)
        if not isinstance(error, LimitedError):
            ctx.event(_reason(error), str(error), warning=True)
        return result
    raise RuntimeError("the last subroutine of a chain has to say how it ended")


async def _meaning(error: PagerDutyError, subject: Subject[Any]) -> Result[Any]:
    """What to do about a refusal: wait for a change, for people, for a while, or try again ever later."""
    reason, message = _reason(error), str(error)
    if isinstance(error, InvalidInputError):
        subject.says(SYNCED, "False", reason, message)
        return Result.failed(Terminal(reason, message), subject.status)
    if isinstance(error, LimitedError):
        return subject.unsynced(reason, message, again=subject.desk.later(error.wait))
    if isinstance(error, AbilityMissingError):
        message = f"{message}{await _missing(subject)}"
    if isinstance(error, UnauthorizedError | ForbiddenError | AbilityMissingError):
        return subject.unsynced(reason, message, again=subject.desk.later())
    if isinstance(error, NotFoundError):  # what an object refers to by an id is looked up by PagerDuty alone
        subject.says(RESOLVED, "False", reason, message)
    subject.says(SYNCED, "False", reason, message)
    return Result.failed(error, subject.status)


async def _missing(subject: Subject[Any]) -> str:
    """Which abilities the account lacks, of those that the object needs."""
    needed = subject.adapter.needs(subject.wanted)
    try:
        lacking = needed - await subject.api.abilities()
    except PagerDutyError:
        lacking = needed  # it was not to be found out; these are the ones in question
    named = ", ".join(sorted(lacking or needed))
    return f"; the account lacks the ability {named}" if named else ""


def _reason(error: PagerDutyError) -> str:
    """The one word of the condition: `InvalidInput`, `Unauthorized`."""
    return {"LimitedError": "RateLimited"}.get(
        type(error).__name__, type(error).__name__.removesuffix("Error")
    )
