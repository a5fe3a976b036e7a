"""From sights to the table: what a field always gets, wherever its structure stands or in one place of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from .observe import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .observe import Sight

Table = dict[str, dict[str, Any]]


class Findings:
    """What was seen of each field: by place, the different values that it got where it was absent."""

    def __init__(self, seen: Iterable[Sight]) -> None:
        self._got: dict[tuple[str, str], dict[tuple[str, str], list[Any]]] = defaultdict(dict)
        self.changed: set[tuple[str, str]] = set()
        for each in seen:
            if each.changed:
                self.changed.add((each.definition, each.field))
                continue
            values = self._got[each.definition, each.field].setdefault(each.place, [])
            if each.got not in values:
                values.append(each.got)

    def table(self, excepted: set[tuple[str, str]]) -> Table:
        """The defaults that depend on nothing but the place."""
        found: Table = defaultdict(dict)
        for (definition, field), places in self._got.items():
            if (definition, field) in excepted:
                continue
            values = [each for seen in places.values() for each in seen]
            if all(each == values[0] for each in values):
                if values[0] != MISSING:
                    found[definition][field] = values[0]
                continue
            for (holder, name), seen in places.items():
                if seen[0] != MISSING:
                    found[holder][f"{name}.{field}" if name else field] = seen[0]
        return found

    def dependent(self) -> set[tuple[str, str]]:
        """The fields whose value depends on others: in one place, once this and once that."""
        return {
            key for key, places in self._got.items() if any(len(seen) > 1 for seen in places.values())
        } | self.changed
