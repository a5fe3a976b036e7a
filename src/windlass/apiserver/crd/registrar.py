from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.crd.approval import approval_condition
from windlass.apiserver.crd.condition import (
    EMPTIED,
    EMPTYING,
    INSTALLING,
    NEVER_SERVED,
    NOT_ACCEPTED,
    OVERLAPPING,
    establishment,
    is_true,
    set_condition,
)
from windlass.apiserver.crd.definition import CLEANUP
from windlass.apiserver.crd.lifecycle import Lifecycle
from windlass.apiserver.crd.naming import judge
from windlass.schema.ownership import Writer, updated

if TYPE_CHECKING:
    from windlass.apiserver.crd.offer import Offer
    from windlass.apiserver.resource import Catalog, Resource
    from windlass.apiserver.store import Collection, Record
    from windlass.apiserver.world import World

Object = dict[str, Any]

_SERVER: Final = "kube-apiserver"
"""The field manager of what the real server writes by itself."""


@dataclass(slots=True)
class _Entry:
    """A definition, as far as it matters to others: where its objects are, its names, and what is served.

    `overlapping`: a built-in kind has the objects.
    """

    group: str
    objects: Collection
    offer: Offer
    names: Object
    overlapping: bool
    terminating: bool = False


class Registrar(Lifecycle):
    """Makes definitions true: judges their names, serves their kinds, and clears up after those that go.

    It works at once, in the same step as the write that gives it reason to.
    """

    def __init__(self, world: World, catalog: Catalog, definitions: Resource) -> None:
        self._world = world
        self._catalog = catalog
        self._definitions = definitions
        self._entries: dict[str, _Entry] = {}

    def resume(self) -> None:
        """Take up the definitions that a server finds when it starts. They keep the names that they have."""
        records = self._definitions.collection.page().records
        for record in records:
            crd = record.object()
            self._enter(record.key, crd).names = crd["status"].get("acceptedNames") or {}
        for record in records:
            self.changed(record.key)

    def changed(self, name: str) -> None:
        """A definition was created, changed, marked for deletion, or is gone."""
        record = self._definitions.collection.get(name)
        if record is None:
            self._forget(name)
            return
        crd = record.object()
        entry = self._entries.get(name) or self._enter(name, crd)
        before = crd["status"].get("acceptedNames")
        record = self._judge(record, crd, entry)
        record = self._establish(record, crd)
        entry.terminating = is_true(crd, "Terminating")
        if is_true(crd, "Established"):
            entry.offer.renew(crd)
        else:
            entry.offer.withdraw()
        if before != entry.names:
            self._reconsider(name)
        if "deletionTimestamp" in crd["metadata"] and CLEANUP in crd["metadata"].get("finalizers", ()):
            self._clean_up(record, crd, entry)

    @override
    def is_terminating(self, name: str) -> bool:
        entry = self._entries.get(name)
        return entry is not None and entry.terminating

    @override
    def emptied(self, name: str) -> None:
        if self.is_terminating(name) and not len(self._entries[name].objects):
            self.changed(name)

    def _enter(self, name: str, crd: Object) -> _Entry:
        from windlass.apiserver.crd.offer import Offer  # a server without definitions starts without it

        spec = crd["spec"]
        objects = self._world.store.collection(f"{spec['group']}/{spec['names']['plural']}")
        offer = Offer(self._catalog, objects, self)
        overlapping = any(each.collection is objects for each in self._catalog.resources())
        entry = self._entries[name] = _Entry(spec["group"], objects, offer, {}, overlapping)
        return entry

    def _judge(self, record: Record, crd: Object, entry: _Entry) -> Record:
        """Say which names a definition gets, and whether it was approved of."""
        entry.names = crd["status"].get("acceptedNames") or {}
        # Who has all names that it asks for is not judged, even if its conditions say otherwise.
        changed = entry.names != crd["spec"]["names"] and self._name(crd, entry)
        approval = approval_condition(crd)
        changed = (approval is not None and set_condition(crd, approval, self._world.now())) or changed
        return self._write(record, crd) if changed else record

    def _name(self, crd: Object, entry: _Entry) -> bool:
        """Give a definition those of its names that are free; whether that changes what it says."""
        now, status = self._world.now(), crd["status"]
        accepted = [each.names for each in self._entries.values() if each.group == entry.group]
        entry.names, condition = judge(crd, accepted)
        changed = entry.names != status.get("acceptedNames")
        status["acceptedNames"] = entry.names
        changed = set_condition(crd, condition, now) or changed
        if changed and not is_true(crd, "Established"):
            set_condition(crd, INSTALLING if condition.status == "True" else NOT_ACCEPTED, now)
        return changed

    def _establish(self, record: Record, crd: Object) -> Record:
        """Say that a kind is served, once it has its names."""
        if not is_true(crd, "NamesAccepted") or is_true(crd, "Established"):
            return record
        changed = set_condition(crd, establishment(crd), self._world.now())
        return self._write(record, crd) if changed else record

    def _clean_up(self, record: Record, crd: Object, entry: _Entry) -> None:
        """Delete every object of a kind whose definition is to go, and the definition with the last one."""
        now = self._world.now()
        if set_condition(crd, EMPTYING, now):
            record = self._write(record, crd)
        outcome = EMPTIED if is_true(crd, "Established") else NEVER_SERVED
        if entry.overlapping:
            outcome = OVERLAPPING
        elif outcome is EMPTIED:
            for each in entry.objects.page().records:
                _remove(entry.objects, each, now)
            if len(entry.objects):
                return
        left = [each for each in crd["metadata"]["finalizers"] if each != CLEANUP]
        if left:
            crd["metadata"]["finalizers"] = left
            set_condition(crd, outcome, now)
            self._write(record, crd)
            entry.terminating = False
            return
        self._definitions.collection.delete(record.key, record)
        self._forget(record.name)

    def _write(self, record: Record, crd: Object) -> Record:
        """Store a definition whose status has changed, in the name of the server."""
        writer = Writer(_SERVER, self._world.now(), self._definitions.kind.api_version, "status")
        updated(record.object(), crd, writer, self._definitions.rules("status"))
        return self._definitions.collection.put(record.key, crd, record)

    def _forget(self, name: str) -> None:
        entry = self._entries.pop(name, None)
        if entry is not None:
            entry.offer.withdraw()
            if not entry.overlapping:
                plural = name.removesuffix(f".{entry.group}")
                self._world.store.remove(f"{entry.group}/{plural}")
            self._reconsider(name)

    def _reconsider(self, name: str) -> None:
        """Names may be free again: those who waited for them are judged anew."""
        group = name.partition(".")[2]
        for other, entry in list(self._entries.items()):
            if other != name and entry.group == group and other in self._entries:
                self.changed(other)


def _remove(objects: Collection, record: Record, now: str) -> None:
    """Delete an object, or mark it if something holds it."""
    obj = record.object()
    meta = obj["metadata"]
    if not meta.get("finalizers"):
        objects.delete(record.key, record)
    elif "deletionTimestamp" not in meta:
        meta["deletionTimestamp"] = now
        meta["deletionGracePeriodSeconds"] = 0
        meta["generation"] = meta.get("generation", 0) + 1
        objects.put(record.key, obj, record)
