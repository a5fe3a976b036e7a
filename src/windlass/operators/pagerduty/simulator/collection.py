from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json


@dataclass(eq=False)
class Record:
    """An object of the account: what was set, and since when it exists by the clock that never jumps."""

    id: str
    fields: Json
    since: float
    created_at: str

    @property
    def name(self) -> str:
        """Its name, by which people know it."""
        return str(self.fields["name"])

    @property
    def targets(self) -> set[str]:
        """Whom an escalation policy tells."""
        return {target["id"] for rule in self.fields["escalation_rules"] for target in rule["targets"]}


@dataclass(eq=False)
class Collection:
    """The objects of one kind, by id.

    `kind` is the type that an object has on the wire, `path` where it is found. Names are unique whatever
    their case, but for kinds whose names are free.
    """

    kind: str
    path: str
    unique: bool = True
    _records: dict[str, Record] = field(default_factory=dict, repr=False)
    _names: dict[str, str] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def __contains__(self, id_: str) -> bool:
        return id_ in self._records

    def get(self, id_: str) -> Record:
        """The object of this id.

        Raises:
            Refusal: there is none.
        """
        found = self._records.get(id_)
        if found is None:
            raise Refusal.not_found()
        return found

    def find(self, name: str) -> Record | None:
        """The object of this name, whatever its case."""
        id_ = self._names.get(name.casefold())
        return None if id_ is None else self._records[id_]

    def add(self, record: Record) -> None:
        """Take it in.

        Raises:
            Refusal: its name is taken.
        """
        self.claim(record.name)
        self._records[record.id] = record
        self._names[record.name.casefold()] = record.id

    def update(self, record: Record, changes: Json) -> None:
        """Set fields of it, its name perhaps.

        Raises:
            Refusal: its new name is taken.
        """
        name = str(changes.get("name", record.name))
        self.claim(name, record.id)
        self._names.pop(record.name.casefold(), None)
        record.fields.update(changes)
        self._names[name.casefold()] = record.id

    def remove(self, id_: str) -> Record:
        """Let it go.

        Raises:
            Refusal: there is none.
        """
        record = self.get(id_)
        del self._records[id_]
        if self._names.get(record.name.casefold()) == id_:
            del self._names[record.name.casefold()]
        return record

    def claim(self, name: str, owner: str | None = None) -> None:
        """Make sure that an object may have this name.

        Raises:
            Refusal: another one has it.
        """
        holder = self._names.get(name.casefold())
        if self.unique and holder not in (None, owner):
            raise Refusal.invalid("Name has already been taken")
