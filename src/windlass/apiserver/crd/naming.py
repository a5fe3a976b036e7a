"""Which of the names that a definition asks for it gets: no two kinds of a group share one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.crd.condition import Condition
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

Object = dict[str, Any]

_NOTHING: Final[Object] = {"plural": "", "kind": ""}
_OF_RESOURCES: Final = ("plural", "singular", "shortNames")
_FIELDS: Final = {
    "plural": "PluralConflict",
    "singular": "SingularConflict",
    "shortNames": "ShortNamesConflict",
    "kind": "KindConflict",
    "listKind": "ListKindConflict",
}
"""Each name with the reason that is given when somebody else has it; of several, the last counts."""
_ORDER: Final = ("plural", "singular", "shortNames", "kind", "listKind", "categories")


def judge(crd: Object, accepted: Iterable[Object]) -> tuple[Object, Condition]:
    """The names that a definition gets, and the condition that says whether these are all.

    `accepted` are the names that the definitions of its group have, its own among them; they keep these.
    """
    wanted, had = crd["spec"]["names"], crd.get("status", {}).get("acceptedNames") or _NOTHING
    resources, kinds = _taken(accepted)
    names: Object = dict(had)
    condition = Condition("NamesAccepted", "True", "NoConflicts", "no conflicts found")
    for field, reason in _FIELDS.items():
        clashes = _clashes(wanted, had, field, resources if field in _OF_RESOURCES else kinds)
        if clashes:
            said = [f"{quoted(name)} is already in use" for name in dict.fromkeys(clashes)]
            message = said[0] if len(said) == 1 else f"[{', '.join(said)}]"
            condition = Condition("NamesAccepted", "False", reason, message)
        else:
            _take(names, wanted, field)
    _take(names, wanted, "categories")
    return {field: names[field] for field in _ORDER if field in names}, condition


def _taken(accepted: Iterable[Object]) -> tuple[set[str], set[str]]:
    resources: set[str] = set()
    kinds: set[str] = set()
    for names in accepted:
        resources.update([names.get("plural", ""), names.get("singular", ""), *names.get("shortNames", ())])
        kinds.update([names.get("kind", ""), names.get("listKind", "")])
    return resources - {""}, kinds - {""}


def _clashes(wanted: Object, had: Object, field: str, taken: set[str]) -> list[str]:
    """The names of a field that are taken, but not by the definition itself in the same place."""
    return [name for name in _several(wanted, field) if name in taken and name not in _several(had, field)]


def _several(names: Object, field: str) -> list[str]:
    value = names.get(field) or []
    return value if isinstance(value, list) else [value]


def _take(names: Object, wanted: Object, field: str) -> None:
    if wanted.get(field) or field in _NOTHING:
        names[field] = wanted.get(field, "")
    else:
        names.pop(field, None)
