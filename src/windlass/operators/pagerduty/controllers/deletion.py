"""Subroutines that take an object out of PagerDuty when its resource is deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import KindMissingError
from windlass.operators.pagerduty.api import InUseError
from windlass.operators.pagerduty.controllers.claim import SOON, behind, rival
from windlass.operators.pagerduty.controllers.existence import awaited
from windlass.operators.pagerduty.types import DELETION_POLICY, PagerdutyService
from windlass.reconcile import Result

if TYPE_CHECKING:
    from windlass.operators.pagerduty.controllers.subject import Subject, Subroutine
    from windlass.operators.pagerduty.types import EscalationPolicy
    from windlass.reconcile import Context, Index

_IN_USE: Final = timedelta(seconds=30)
_LISTED: Final = 5


async def let_go(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
    """End at once where there is nothing in PagerDuty, or it is to stay there."""
    status = subject.status
    if not status.upstream_id and status.pending is None:
        return await behind(subject, ctx) or Result.ready()
    if (subject.resource.metadata.annotations or {}).get(DELETION_POLICY, "").lower() == "orphan":
        ctx.event("Orphaned", f"{status.upstream_id or status.pending.name} stays in PagerDuty, as asked")
        return Result.ready()
    return None


def wait_for_services(index: Index[PagerdutyService]) -> Subroutine:
    """The subroutine that keeps a policy for as long as resources refer to it.

    Where their kind is not installed, none do; PagerDuty still refuses to delete what it needs itself.
    """

    async def wait_for_users(subject: Subject[EscalationPolicy], ctx: Context) -> Result[Any] | None:
        key = f"{subject.resource.metadata.namespace}/{subject.resource.metadata.name}"
        try:
            found = await ctx.list(PagerdutyService, index=index, value=key)
        except KindMissingError:
            return None
        return _in_use(subject, ctx, sorted(map(str, found))) if found else None

    return wait_for_users


def locate(index: Index[Any]) -> Subroutine:
    """The subroutine that finds what an unanswered request of ours has made; what may yet be is awaited."""

    async def locate_ours(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
        status = subject.status
        if status.upstream_id:
            return None
        status.upstream_id = await _pending_id(subject, ctx, index)
        if status.upstream_id:
            status.pending = None
            return None
        status.pending = awaited(status.pending, ctx.now)
        if status.pending is None:
            return Result.ready()
        message = f"{status.pending.name!r} was asked for, and may yet be made"
        return subject.unsynced("Confirming", message, again=SOON)

    return locate_ours


async def erase(subject: Subject[Any], ctx: Context) -> Result[Any]:
    """Delete the object; one that others need stays until they are gone."""
    id_, collection = subject.status.upstream_id, subject.adapter.collection
    try:
        await subject.api.delete(collection, id_)
    except InUseError as error:
        return _in_use(subject, ctx, await _users(subject, id_) or [str(error)])
    ctx.event("Deleted", f"{collection.one} {id_} was deleted from PagerDuty")
    return Result.ready()


async def _pending_id(subject: Subject[Any], ctx: Context, index: Index[Any]) -> str:
    """The id of what an unanswered request of ours has made, if it has."""
    name = subject.status.pending.name
    if await rival(subject, ctx, index, name) is not None:
        return ""
    found = await subject.api.find(subject.adapter.collection, name)
    return found["id"] if found else ""


async def _users(subject: Subject[Any], id_: str) -> list[str]:
    """Who needs the object, as PagerDuty knows it."""
    live = await subject.api.get(subject.adapter.collection, id_) or {}
    return [
        f"service {each.get('summary') or each['id']} in PagerDuty" for each in live.get("services") or ()
    ]


def _in_use(subject: Subject[Any], ctx: Context, users: list[str]) -> Result[Any]:
    more = f" and {len(users) - _LISTED} more" if len(users) > _LISTED else ""
    message = f"it is in use by {', '.join(users[:_LISTED])}{more}"
    ctx.event("InUse", message, warning=True)
    return subject.unsynced("InUse", message, again=subject.desk.later(_IN_USE))
