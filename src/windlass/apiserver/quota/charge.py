"""What a write uses, taken from the quotas of its namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.apiserver.quota.amount import Amounts, added, excess, only, read, shown, written
from windlass.apiserver.quota.meter import meter_of
from windlass.apiserver.quota.scope import scopes_of
from windlass.apiserver.quota.status import QUOTAS, write_status
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.quota.meter import Meter
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_SERVER: Final = "kube-apiserver"
"""The field manager of what the real server writes by itself."""


class _Limit(NamedTuple):
    """A quota as the admission of one write sees it."""

    record: Record
    quota: Object
    hard: Amounts
    used: Amounts

    @classmethod
    def of(cls, record: Record) -> _Limit:
        quota = record.object()
        status = quota.get("status", {})
        return cls(record, quota, read(status.get("hard")), read(status.get("used")))

    def names(self, meter: Meter) -> list[str]:
        return sorted(name for name in self.hard if meter.measures(name))

    def applies(self, meter: Meter, obj: Object) -> bool:
        return all(meter.matches(scope, obj) for scope in scopes_of(self.quota))


def charge(operation: Operation, obj: Object, old: Object | None, *, dry_run: bool) -> None:
    """Add to the quotas of a namespace what a new object uses, or a changed one uses more than before.

    All or none: a trial, and a write that one of the quotas does not allow, leaves all of them as they were.

    Raises:
        Refusal: 403, it would be too much, or nobody knows how much it would be.
    """
    route = operation.route
    meter = meter_of(operation.resource.kind.group, operation.resource.kind.plural)
    if meter is None or not route.namespace or not meter.handles(route.subresource, obj, old):
        return
    records = operation.world.store.collection(QUOTAS).page(f"{route.namespace}/").records
    limits = [limit for limit in map(_Limit.of, records) if _concerns(operation, limit, meter, obj)]
    if not limits:
        return
    charged = [(limit, _charged(operation, limit, meter, (obj, old))) for limit in limits]
    if dry_run:
        return
    for limit, used in charged:
        if used != limit.used:
            status = {**limit.quota["status"], "used": written(used)}
            write_status(operation, limit.record, status, _SERVER)


def _concerns(operation: Operation, limit: _Limit, meter: Meter, obj: Object) -> bool:
    """Whether a quota limits what an object uses.

    Raises:
        Refusal: it does, but the object does not say how much it uses, or the quota how much is used.
    """
    names = limit.names(meter)
    if not names or not limit.applies(meter, obj):
        return False
    unsaid = meter.unsaid(names, obj)
    if unsaid:
        raise _forbidden(operation, obj, f"failed quota: {limit.record.name}: {unsaid}")
    if not limit.used.keys() >= set(names):
        why = f"status unknown for quota: {limit.record.name}, resources: {','.join(names)}"
        raise _forbidden(operation, obj, why)
    return True


def _charged(
    operation: Operation, limit: _Limit, meter: Meter, objects: tuple[Object, Object | None]
) -> Amounts:
    """What is used of a quota with the object as it is now, instead of as it was.

    Raises:
        Refusal: it is more than the quota allows. What a status tells has happened already.
    """
    obj, old = objects
    now = operation.world.clock.now()
    counted = meter.usage(old, now) if old is not None and limit.applies(meter, old) else {}
    more = only(excess(meter.usage(obj, now), counted), limit.hard)
    used = added(limit.used, more)
    exceeded = {name for name in more if used[name] > limit.hard[name]}
    if exceeded and operation.route.subresource != "status":
        parts = (
            f"exceeded quota: {limit.record.name}",
            f"requested: {shown(only(more, exceeded))}",
            f"used: {shown(only(limit.used, exceeded))}",
            f"limited: {shown(only(limit.hard, exceeded))}",
        )
        raise _forbidden(operation, obj, ", ".join(parts))
    return used


def _forbidden(operation: Operation, obj: Object, why: str) -> Refusal:
    kind = operation.resource.kind
    return Refusal.forbidden(kind.group, kind.plural, obj["metadata"]["name"], why)
