"""Whose an object in PagerDuty is, where several resources could mean it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import NotFound
from windlass.operators.pagerduty.controllers.token import token_secret
from windlass.operators.pagerduty.desired import name_of
from windlass.operators.pagerduty.types import ADOPT
from windlass.reconcile import Result

if TYPE_CHECKING:
    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.reconcile import Context, Index

SOON: Final = timedelta(seconds=5)


def by_name(resource: Any) -> str:
    """The name in PagerDuty, as an index keeps it: PagerDuty does not tell capitals from small letters."""
    return name_of(resource).casefold()


def may_adopt(subject: Subject[Any]) -> bool:
    """Whether the object says that what has its name in PagerDuty may become its own."""
    said: str = (subject.resource.metadata.annotations or {}).get(ADOPT, "")
    return said.lower() == "true"


async def rival(subject: Subject[Any], ctx: Context, index: Index[Any], name: str) -> Any | None:
    """Another resource that has this name in PagerDuty already, or asked for it before we did."""
    found = await ctx.list(type(subject.resource), index=index, value=name.casefold())
    others = [each for each in found if each.metadata.uid != subject.resource.metadata.uid]
    return next((each for each in others if _precedes(each, subject)), None)


async def behind(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
    """The end of the chain if the cache does not show yet what is ours: then nothing may be concluded.

    It happens to a process that begins to lead while its watch lags behind what the last one has written.
    """
    known = subject.resource
    try:
        live = await ctx.live.get(type(known), ctx.key.name, ctx.key.namespace)
    except NotFound:
        return None
    if (live.status.upstream_id, live.status.pending) == (known.status.upstream_id, known.status.pending):
        return None
    return Result.waiting("CacheBehind", "the cache lags behind what was written last", again=SOON)


def _precedes(other: Any, subject: Subject[Any]) -> bool:
    options, ours = subject.desk.options, subject.resource
    if token_secret(other, options) != token_secret(ours, options):
        return False  # it may be another account; if it is not, PagerDuty refuses the name
    if other.status.upstream_id:
        return True
    return other.status.pending is not None and _age(other) < _age(ours)


def _age(resource: Any) -> tuple[str, str, str]:
    metadata = resource.metadata
    return str(metadata.creation_timestamp or ""), metadata.namespace, metadata.name
