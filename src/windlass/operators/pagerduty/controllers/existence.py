"""Subroutines that see to it that an object exists in PagerDuty, once, and that it is ours."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.operators.pagerduty.api import (
    NameTakenError,
    PagerDutyError,
    ServerFailedError,
    UnreachableError,
)
from windlass.operators.pagerduty.controllers.claim import SOON, behind, may_adopt, rival
from windlass.operators.pagerduty.desired import name_of
from windlass.operators.pagerduty.types import Pending

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.api import Json
    from windlass.operators.pagerduty.controllers.subject import Subject, Subroutine
    from windlass.reconcile import Context, Index, Result

SETTLING: Final = timedelta(minutes=1)
"""How long a request may be on its way, and what it made may be invisible, by clocks that differ a little."""


def find(index: Index[Any], *include: str) -> Subroutine:
    """The subroutine that finds what is ours: by its id, or by its name where that is allowed."""

    async def find_ours(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
        status = subject.status
        if status.upstream_id:
            subject.live = await subject.api.get(subject.adapter.collection, status.upstream_id, include)
            if subject.live is not None:
                return None
            if is_recent(status.created, ctx.now):
                message = f"{status.upstream_id} was created a moment ago, and is not visible yet"
                return subject.unsynced("Settling", message, again=SOON)
            ctx.event("Vanished", f"{status.upstream_id} is gone from PagerDuty", warning=True)
            status.upstream_id, status.url, status.created, status.managed = "", "", None, []
        return await _find_by_name(subject, ctx, index)

    return find_ours


async def _find_by_name(subject: Subject[Any], ctx: Context, index: Index[Any]) -> Result[Any] | None:
    """What has our name, or the one that we were about to give; and whether it is ours."""
    status = subject.status
    name = status.pending.name if status.pending else name_of(subject.resource)
    other = await rival(subject, ctx, index, name)
    if other is not None:
        status.pending = None
        return await behind(subject, ctx) or _conflict(subject, ctx, f"{name!r} belongs to {other}")
    found = await subject.api.find(subject.adapter.collection, name)
    if found is None:
        return _wait_for_pending(subject, ctx.now)
    if status.pending is None and not may_adopt(subject):
        taken = f"PagerDuty has another {name!r}, {found['id']}"
        return await behind(subject, ctx) or _conflict(subject, ctx, taken)
    status.pending = None
    _take(subject, found)
    ctx.event(
        "Adopted", f"{subject.adapter.collection.one} {found['id']} was found in PagerDuty, and is ours"
    )
    return None


def _wait_for_pending(subject: Subject[Any], now: datetime) -> Result[Any] | None:
    """Nothing is there; if it was asked for, it may yet come."""
    pending: Pending | None = subject.status.pending
    subject.status.pending = awaited(pending, now)
    if pending is None or subject.status.pending is None:
        return None
    message = f"{pending.name!r} was asked for, and PagerDuty did not say whether it is made"
    return subject.unsynced("Confirming", message, again=SOON)


async def create(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
    """Create what does not exist, and say so beforehand, so that whoever comes after a crash looks for it."""
    if subject.live is not None:
        return None
    status, name = subject.status, name_of(subject.resource)
    status.pending = Pending(name=name, at=ctx.now)
    await ctx.checkpoint(status)
    sent = subject.adapter.creation(subject.wanted)
    try:
        made = await subject.api.create(subject.adapter.collection, sent)
    except NameTakenError:
        if subject.resource.status.pending is not None:  # by us, in a request that nobody answered
            return subject.unsynced("Confirming", f"{name!r} is made, and not visible yet", again=SOON)
        status.pending = None
        return _conflict(subject, ctx, f"PagerDuty has another {name!r}")
    except PagerDutyError as error:
        if not is_doubtful(error):
            status.pending = None
        raise
    status.pending, status.created = None, ctx.now
    status.managed = sorted(subject.wanted)
    _take(subject, made | {field: value for field, value in sent.items() if field != "status"})
    ctx.event("Created", f"{subject.adapter.collection.one} {made['id']} was created in PagerDuty")
    return None


def is_doubtful(error: PagerDutyError) -> bool:
    """Whether what was asked for may have been done all the same."""
    return isinstance(error, ServerFailedError) or (isinstance(error, UnreachableError) and error.sent)


def awaited(pending: Pending | None, now: datetime) -> Pending | None:
    """The intent for as long as what it announced may yet come, counted from the first look for it."""
    if pending is None:
        return None
    looking = pending.looking or now
    return pending.model_copy(update={"looking": looking}) if is_recent(looking, now) else None


def is_recent(moment: datetime | None, now: datetime) -> bool:
    """Whether something happened so lately that its outcome may not be visible yet."""
    return moment is not None and now - moment < SETTLING


def _take(subject: Subject[Any], live: Json) -> None:
    subject.live = live
    subject.status.upstream_id = live["id"]


def _conflict(subject: Subject[Any], ctx: Context, what: str) -> Result[Any]:
    message = f"{what}; use another name, or let it be adopted by an annotation"
    ctx.event("NameConflict", message, warning=True)
    return subject.unsynced("NameConflict", message, again=subject.desk.later())
