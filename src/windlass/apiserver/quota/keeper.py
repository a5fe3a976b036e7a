from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.quota.amount import Amounts, added, only, read, written
from windlass.apiserver.quota.meter import meter_named
from windlass.apiserver.quota.status import QUOTAS, write_status
from windlass.apiserver.quota.tally import Tally

if TYPE_CHECKING:
    from windlass.apiserver.quota.meter import Meter
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.world import World

Object = dict[str, Any]

_CONTROLLER: Final = "kube-controller-manager"
"""The field manager of what the controllers of a real cluster write."""


class Keeper:
    """Keeps the status of quotas up to date, as a controller of a real cluster does, but at once."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, _Count]] = {}

    def keep(self, operation: Operation) -> None:
        """Let the quotas of the namespace of a write limit what they say, and tell what is used of it.

        A definition of a custom kind takes objects of all namespaces with it when it goes.
        """
        namespaces = {operation.route.namespace}
        if operation.route.plural == "customresourcedefinitions":
            records = operation.world.store.collection(QUOTAS).page().records
            namespaces = {record.namespace for record in records}
        for namespace in namespaces:
            self._keep(operation, namespace)

    def _keep(self, operation: Operation, namespace: str) -> None:
        known, kept = self._counts.pop(namespace, {}), {}
        for record in operation.world.store.collection(QUOTAS).page(f"{namespace}/").records:
            quota = record.object()
            count = known.get(record.name)
            if count is None or count.spec != quota.get("spec", {}):
                count = _Count(record, quota)
            kept[record.name] = count
            count.tell(operation, record, quota)
        if kept:
            self._counts[namespace] = kept


class _Count:
    """What is used of one quota: of everything that it limits and that can be measured."""

    def __init__(self, record: Record, quota: Object) -> None:
        self.spec: Object = quota.get("spec", {})
        self._hard = read(self.spec.get("hard"))
        named: dict[Meter, set[str]] = {}
        for name in self._hard:
            meter = meter_named(name)
            if meter is not None:
                named.setdefault(meter, set()).add(name)
        self._tallies = [Tally(meter, names, record.namespace, quota) for meter, names in named.items()]

    def tell(self, operation: Operation, record: Record, quota: Object) -> None:
        """Write what is used into the status of the quota, where it says something else."""
        status = quota.get("status", {})
        used = read(status.get("used"))
        now_used = only(used | self._usage(operation.world), self._hard)
        if self._hard != read(status.get("hard")) or now_used != used:
            fresh = {"hard": written(self._hard), "used": written(now_used)}
            write_status(operation, record, fresh, _CONTROLLER)

    def _usage(self, world: World) -> Amounts:
        total: Amounts = {}
        for tally in self._tallies:
            total = added(total, tally.total(world))
        return total
