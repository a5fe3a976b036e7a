from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.operators.pagerduty.api import NotFoundError
from windlass.operators.pagerduty.desired import relationship
from windlass.operators.pagerduty.seen import supporting
from windlass.operators.pagerduty.types import Dependency

if TYPE_CHECKING:
    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.operators.pagerduty.types import BusinessService
    from windlass.reconcile import Context, Result

Pairs = set[tuple[str, str]]


async def associate(subject: Subject[BusinessService], ctx: Context) -> Result[Any] | None:
    """Let the business service rest on what it names, and on nothing else, one change after the other."""
    recorded = {(each.type, each.id) for each in subject.status.supporting_services}
    named = subject.resource.spec.supporting_services is not None
    if not named and not recorded:
        return None
    wanted = subject.supporting
    seen = supporting(await subject.api.dependencies(subject.status.upstream_id), subject.status.upstream_id)
    surplus = _surplus(subject, seen, recorded)
    made = [pair for pair in sorted(wanted - seen) if await _relate(subject, pair, associated=True)]
    for pair in sorted(surplus):
        await _relate(subject, pair, associated=False)
    if made or surplus:
        ctx.event("DependenciesChanged", f"{len(made)} were added and {len(surplus)} removed")
    held = sorted(wanted & (seen | set(made)))
    subject.status.supporting_services = [Dependency(type=type_, id=id_) for type_, id_ in held]
    if not subject.unresolved:
        return None
    missing = f"not in PagerDuty: {', '.join(subject.unresolved)}"
    return subject.unresolved_because("ServiceMissing", missing, again=subject.desk.later())


def _surplus(subject: Subject[BusinessService], seen: Pairs, recorded: Pairs) -> Pairs:
    """What is to be let go: all that is not named, or without a list only what was named once.

    What was recorded counts as there, since PagerDuty's list lags. While something that is named cannot be
    resolved, nothing is let go: it may be what is meant.
    """
    if subject.resource.spec.supporting_services is None:
        return recorded
    return set() if subject.unresolved else (seen | recorded) - subject.supporting


async def _relate(subject: Subject[BusinessService], pair: tuple[str, str], *, associated: bool) -> bool:
    """Make or undo one dependency; tells whether it is so. A peer that has vanished is no fault of ours."""
    type_, id_ = pair
    about = relationship(subject.status.upstream_id, id_, type_)
    try:
        await subject.api.relate(about, associated=associated)
    except NotFoundError:
        if associated:
            subject.unresolved.append(f"{type_} {id_}")
        return not associated
    return True
