"""What the objects of a namespace use, counted anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import Quantity
from windlass.apiserver.quota.amount import ZERO, Amounts, added, only, read, written
from windlass.apiserver.quota.meter import meter_named
from windlass.apiserver.quota.scope import scopes_of
from windlass.apiserver.quota.status import QUOTAS, write_status

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.quota.meter import Meter
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.world import World

Object = dict[str, Any]

_CREATED: Final = 201
_CONTROLLER: Final = "kube-controller-manager"
"""The field manager of what the controllers of a real cluster write."""


def keep_count(operation: Operation, reply: Reply | None) -> None:
    """Let the quotas of a namespace tell what is used, after a write was answered or, with no reply, failed.

    What was created is in their status already; a new quota has none yet, and what failed may be in it too.
    """
    route = operation.route
    created = reply is not None and reply.status == _CREATED and not route.subresource
    if not created or route.plural == "resourcequotas":
        _recount(operation)


def _recount(operation: Operation) -> None:
    namespace = operation.route.namespace
    for record in operation.world.store.collection(QUOTAS).page(f"{namespace}/").records:
        quota = record.object()
        status = quota.get("status", {})
        hard, used = read(quota.get("spec", {}).get("hard")), read(status.get("used"))
        now_used = only(used | _usage(quota, hard, namespace, operation.world), hard)
        if hard != read(status.get("hard")) or now_used != used:
            fresh = {"hard": written(hard), "used": written(now_used)}
            write_status(operation, record, fresh, _CONTROLLER)


def _usage(quota: Object, hard: Amounts, namespace: str, world: World) -> Amounts:
    """What is used of everything that a quota limits and that can be measured."""
    meters: dict[Meter, list[str]] = {}
    for name in hard:
        meter = meter_named(name)
        if meter is not None:
            meters.setdefault(meter, []).append(name)
    found: Amounts = {}
    for meter, names in meters.items():
        found |= only(_measured(meter, quota, namespace, world), names)
        found = {**dict.fromkeys(names, ZERO), **found}
    return found


def _measured(meter: Meter, quota: Object, namespace: str, world: World) -> Amounts:
    scopes, now = scopes_of(quota), world.clock.now()
    records = world.store.collection(meter.collection).page(f"{namespace}/").records
    if meter.alike:
        return {} if scopes else dict.fromkeys(meter.names, Quantity(len(records)))
    total: Amounts = {}
    for record in records:
        obj = record.object()
        if all(meter.matches(scope, obj) for scope in scopes):
            total = added(total, meter.usage(obj, now))
    return total
