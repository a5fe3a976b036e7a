"""`metadata.managedFields`: entries as they are stored and sent, and the owners that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.ownership.owner import APPLY, UPDATE, Manager, Managers, Owned
from windlass.schema.ownership.tree import ordered, read, union

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.schema.ownership.rules import Object

_FIELDS_TYPE: Final = "FieldsV1"
_MOST_UPDATERS: Final = 10
_ANCIENT: Final = "ancient-changes"


class Managed:
    """The owners of the fields of an object, and when each last changed something."""

    def __init__(self, entries: Iterable[Object] = ()) -> None:
        self.owners: Managers = {}
        self.times: dict[Manager, str | None] = {}
        self._entries: dict[Manager, Object] = {}
        for entry in entries:
            version = entry["apiVersion"]
            applied = entry["operation"] == APPLY
            manager = Manager(
                entry.get("manager", ""),
                entry["operation"],
                "" if applied else version,
                entry.get("subresource", ""),
            )
            self.owners[manager] = Owned(entry.get("fieldsV1") or {}, version, applied)
            self.times[manager] = entry.get("time")
            self._entries[manager] = entry

    @classmethod
    def of(cls, live: Object | None) -> Managed:
        """The owners of a stored object."""
        return cls() if live is None else cls(live["metadata"].get("managedFields") or ())

    @classmethod
    def sent(cls, entries: Any, live: Object | None) -> Managed:
        """The owners that a request asks for.

        An empty list, or one empty entry, asks for a fresh start. None at all, and any that make no sense,
        leave it at the owners of the stored object: most clients know nothing of managed fields.
        """
        if entries is None or (live is not None and entries == live["metadata"].get("managedFields")):
            return cls.of(live)
        if is_reset(entries):
            return cls()
        try:
            return cls([_checked(entry) for entry in entries])
        except (ValueError, TypeError, AttributeError):
            return cls.of(live)

    def entries(self) -> list[Object]:
        """The entries to store, in the order in which servers list them; unchanged ones are as they were."""
        listed = [self._entry(manager, owned) for manager, owned in self.owners.items()]
        if len(listed) > 1:
            listed.sort(key=_place)
        return listed

    def _entry(self, manager: Manager, owned: Owned) -> Object:
        known = self._entries.get(manager)
        time = self.times.get(manager)
        if (
            known is not None
            and known.get("fieldsV1") is owned.fields
            and known["apiVersion"] == owned.api_version
            and known.get("time") == time
        ):
            return known
        entry: Object = {
            "manager": manager.name,
            "operation": manager.operation,
            "apiVersion": owned.api_version,
            "time": time,
            "fieldsType": _FIELDS_TYPE,
            "fieldsV1": ordered(owned.fields),
        }
        if manager.subresource:
            entry["subresource"] = manager.subresource
        return entry if all(entry.values()) else {name: value for name, value in entry.items() if value}

    def cap(self) -> None:
        """Let the oldest updates merge, into one entry for each version, until ten such entries are left."""
        updaters = [manager for manager, owned in self.owners.items() if not owned.applied]
        excess = len(updaters) - _MOST_UPDATERS
        if excess <= 0:
            return
        updaters.sort(key=lambda manager: (self.times.get(manager) or "", manager.key))
        first: dict[str, Manager] = {}
        for manager in updaters:
            if excess == 0:
                return
            version = self.owners[manager].api_version
            if version in first:
                self._merge(manager, Manager.updater(_ANCIENT, version), first[version])
                excess -= 1
            else:
                first[version] = manager

    def _merge(self, manager: Manager, bucket: Manager, first: Manager) -> None:
        owned = self.owners[manager]
        if bucket not in self.owners:
            self.owners[bucket] = self.owners.pop(first)
        fields = union(owned.fields, self.owners[bucket].fields)
        self.owners[bucket] = Owned(fields, owned.api_version)
        del self.owners[manager]
        self.times[bucket] = self.times.get(manager)


def is_reset(entries: Any) -> bool:
    """Whether a list of managed fields asks for all of them to be forgotten."""
    if not isinstance(entries, list) or len(entries) > 1:
        return False
    return not entries or (
        isinstance(entries[0], dict) and all(value in (None, "") for value in entries[0].values())
    )


def _checked(entry: Object) -> Object:
    """An entry of a request, with its fields in our form.

    Raises:
        ValueError: it makes no sense.
    """
    if entry.get("operation") not in {APPLY, UPDATE} or not entry.get("apiVersion"):
        raise ValueError("an entry needs an operation and an apiVersion")
    if entry.get("fieldsType") != _FIELDS_TYPE:
        raise ValueError(f"fields of type {entry.get('fieldsType')} are unknown")
    return {**entry, "fieldsV1": read(entry.get("fieldsV1"))}


def _place(entry: Object) -> tuple[str, ...]:
    """Where an entry stands: applies first, then by time; times are texts of one form, and sort as texts."""
    names = ("operation", "time", "manager", "apiVersion", "subresource")
    return tuple(entry.get(name) or "" for name in names)
