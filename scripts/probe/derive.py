"""From sights to the table: what a field always gets, wherever its structure stands or in one place of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from windlass.apiserver.builtin import library

from .exception import BEYOND, REWRITTEN, RULES
from .observe import MISSING, excepted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

    def table(self) -> Table:
        """The defaults that depend on nothing but the place."""
        found: Table = defaultdict(dict)
        for (definition, field), places in self._got.items():
            values = [each for seen in places.values() for each in seen]
            if excepted(definition, field) or all(_is_nothing(definition, field, each) for each in values):
                continue
            if all(each == values[0] for each in values):
                found[definition][field] = values[0]
                continue
            for (holder, name), seen in places.items():
                if not _is_nothing(definition, field, seen[0]):
                    found[holder][f"{name}.{field}"] = seen[0]
        return found

    def problems(self) -> Iterator[str]:
        """Defaults that depend on others and are not named as such, and names that nothing depends on."""
        varying = {
            _name(*key) for key, places in self._got.items() if any(len(seen) > 1 for seen in places.values())
        }
        changed = {_name(*key) for key in self.changed}
        appeared = {
            _name(*key)
            for key, places in self._got.items()
            if any(each != MISSING for seen in places.values() for each in seen)
        }
        known = RULES.keys() | BEYOND.keys()
        for name in sorted(varying - known):
            yield f"{name} depends on something else: write a rule and name it"
        for name in sorted(changed - known - REWRITTEN.keys()):
            yield f"{name} does not come back as it was sent: write a rule and name it"
        for name in sorted((known - appeared - changed) | (REWRITTEN.keys() - changed)):
            yield f"{name} is named as an exception, but nothing shows it"


def _name(definition: str, field: str) -> str:
    return f"{definition.rpartition('.')[2]}.{field}"


def _is_nothing(definition: str, field: str, value: Any) -> bool:
    """Whether a field is absent, or has the zero value of its type and is always written."""
    if value == MISSING:
        return True
    schema = library().shape(definition).properties[field].schema
    if not schema.get("x-keep-zero"):
        return False
    return value is None or (not schema["x-go"].startswith("*") and value in ("", "0", 0, False, {}))
