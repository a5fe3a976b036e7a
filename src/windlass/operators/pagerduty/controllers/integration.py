from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.api import ObjectMeta
from windlass.kinds.core.v1 import Secret
from windlass.operators.pagerduty.api import Collection, PagerDutyError
from windlass.operators.pagerduty.controllers.claim import SOON
from windlass.operators.pagerduty.controllers.existence import awaited, is_doubtful
from windlass.operators.pagerduty.desired import integration_fields
from windlass.operators.pagerduty.types import IntegrationStatus, Pending

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.operators.pagerduty.types import Integration, PagerdutyService
    from windlass.reconcile import Context, Result


async def integrate(subject: Subject[PagerdutyService], ctx: Context) -> Result[Any] | None:
    """Give the service its ways in, and put their keys into Secrets that belong to the object."""
    secrets: dict[str, dict[str, bytes]] = {}
    names = {each.name for each in subject.resource.spec.integrations}
    subject.status.integrations = [each for each in subject.status.integrations if each.name in names]
    for wanted in subject.resource.spec.integrations:
        if not await _may_write(wanted.secret_name, subject, ctx):
            message = f"Secret {wanted.secret_name} exists, and is not ours; name another"
            return subject.unsynced("SecretConflict", message, again=subject.desk.later())
        found = await _existing(wanted, subject) or await _created(wanted, subject, ctx)
        if found is None or not found.get("integration_key"):
            message = f"the integration {wanted.name!r} is not visible yet, or has no key"
            return subject.unsynced("Confirming", message, again=SOON)
        _record(subject, IntegrationStatus(name=wanted.name, id=found["id"]))
        secrets.setdefault(wanted.secret_name, {})[wanted.secret_key] = found["integration_key"].encode()
    for name, data in secrets.items():
        await ctx.apply(Secret(metadata=ObjectMeta(name=name), type="Opaque", data=data))
    await ctx.prune()
    return None


async def _may_write(name: str, subject: Subject[PagerdutyService], ctx: Context) -> bool:
    """Whether a Secret is ours, or not there yet: one that somebody else made is not taken over."""
    found = await ctx.get(Secret, name)
    owners = (found.metadata.owner_references or ()) if found else ()
    return found is None or any(each.uid == subject.resource.metadata.uid for each in owners)


async def _existing(wanted: Integration, subject: Subject[PagerdutyService]) -> Json | None:
    """The integration of this name: a service shows at times no more than a reference, which has no key."""
    service = subject.live or {}
    for each in service.get("integrations") or ():
        if (each.get("name") or each.get("summary")) == wanted.name:
            whole = Collection(f"/services/{service['id']}/integrations", "integration", "integrations")
            return each if each.get("integration_key") else await subject.api.get(whole, each["id"]) or each
    return None


async def _created(wanted: Integration, subject: Subject[PagerdutyService], ctx: Context) -> Json | None:
    """A new integration, unless one was asked for a moment ago and may yet come: names need not be unique."""
    before = next((each.pending for each in subject.status.integrations if each.name == wanted.name), None)
    pending = awaited(before, ctx.now)
    if pending is not None:
        _record(subject, IntegrationStatus(name=wanted.name, pending=pending))
        return None
    id_ = subject.status.upstream_id
    _record(subject, IntegrationStatus(name=wanted.name, pending=Pending(name=wanted.name, at=ctx.now)))
    await ctx.checkpoint(subject.status)
    try:
        made = await subject.api.integrate(id_, integration_fields(wanted, id_))
    except PagerDutyError as error:
        if not is_doubtful(error):
            _record(subject, IntegrationStatus(name=wanted.name))
        raise
    ctx.event("IntegrationCreated", f"the service has the integration {wanted.name!r} now")
    return made


def _record(subject: Subject[PagerdutyService], new: IntegrationStatus) -> None:
    others = [each for each in subject.status.integrations if each.name != new.name]
    subject.status.integrations = sorted([*others, new], key=lambda each: each.name)
