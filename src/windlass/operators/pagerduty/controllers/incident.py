from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.operators.pagerduty.api import AlreadyResolvedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.operators.pagerduty.types import PagerdutyService
    from windlass.reconcile import Context, Result

_PATIENCE: Final = timedelta(seconds=10)
_POLL: Final = timedelta(seconds=2)


async def resolve_incidents(subject: Subject[PagerdutyService], ctx: Context) -> Result[Any] | None:
    """Resolve what is open of a service that is to be deleted, where that is wanted, and wait for a while.

    Whatever a look finds open is asked to be resolved: also what was opened since, or was left out because
    somebody else resolved another one at the same moment.
    """
    status = subject.status
    if not _is_wanted(subject):
        return None
    found = await subject.api.incidents.open(status.service_id)
    if not found:
        return None
    if status.resolving is not None and ctx.now - status.resolving >= _PATIENCE:
        message = f"{_counted(found)} still open, and {status.service_id} is deleted all the same"
        ctx.event("IncidentsOpen", message, warning=True)
        return None
    await _resolve(subject, ctx, found)
    status.resolving = status.resolving or ctx.now
    return subject.unsynced(
        "ResolvingIncidents", f"{_counted(found)} being resolved before it is deleted", again=_POLL
    )


async def _resolve(subject: Subject[PagerdutyService], ctx: Context, found: Sequence[str]) -> None:
    try:
        await subject.api.incidents.resolve(found, subject.desk.options.requester)
    except AlreadyResolvedError:
        return  # what is left of them is found at the next look
    message = f"{_counted(found)} asked to be resolved, since {subject.status.service_id} is to be deleted"
    ctx.event("IncidentsResolved", message)


def _is_wanted(subject: Subject[PagerdutyService]) -> bool:
    said = subject.resource.spec.resolve_incidents_on_delete
    return subject.desk.options.resolve_incidents_on_delete if said is None else said


def _counted(found: Sequence[str]) -> str:
    return "1 incident is" if len(found) == 1 else f"{len(found)} incidents are"
