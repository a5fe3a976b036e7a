"""Whose an object in PagerDuty is, where several resources could mean it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.operators.pagerduty.controllers.token import token_secret
from windlass.operators.pagerduty.desired import name_of
from windlass.operators.pagerduty.types import ADOPT

if TYPE_CHECKING:
    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.reconcile import Context, Index


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
