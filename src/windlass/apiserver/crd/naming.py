"""Which of the names that a definition asks for it gets: no two kinds of a group share one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Object = dict[str, Any]

_NOTHING: Object = {"plural": "", "kind": ""}


def judge(crd: Object, others: Iterable[Object]) -> tuple[Object, Object]:
    """The names that a definition gets, and the condition that says whether these are all.

    `others` are the other definitions of its group; they keep the names that they have.
    """
    wanted, had = crd["spec"]["names"], crd.get("status", {}).get("acceptedNames") or _NOTHING
    resources, kinds = _taken(others)
    accepted: Object = dict(had)
    faults: list[tuple[str, str]] = []
    for field, taken, reason in (
        ("plural", resources, "PluralConflict"),
        ("singular", resources, "SingularConflict"),
        ("shortNames", resources, "ShortNamesConflict"),
        ("kind", kinds, "KindConflict"),
        ("listKind", kinds, "ListKindConflict"),
    ):
        value = wanted.get(field)
        clashes = [name for name in _several(value) if name in taken]
        if clashes:
            faults.append((reason, ", ".join(f'"{name}" is already in use' for name in clashes)))
        elif value:
            accepted[field] = value
        elif field not in _NOTHING:
            accepted.pop(field, None)
    if "categories" in wanted:
        accepted["categories"] = wanted["categories"]
    else:
        accepted.pop("categories", None)
    return accepted, _condition(faults)


def _taken(others: Iterable[Object]) -> tuple[set[str], set[str]]:
    resources: set[str] = set()
    kinds: set[str] = set()
    for other in others:
        names = other.get("status", {}).get("acceptedNames") or _NOTHING
        resources.update([names.get("plural"), names.get("singular"), *names.get("shortNames", ())])
        kinds.update([names.get("kind"), names.get("listKind")])
    return resources - {"", None}, kinds - {"", None}


def _several(value: str | list[str] | None) -> list[str]:
    if isinstance(value, list):
        return value
    return [value] if value else []


def _condition(faults: list[tuple[str, str]]) -> Object:
    if not faults:
        return {
            "type": "NamesAccepted",
            "status": "True",
            "reason": "NoConflicts",
            "message": "no conflicts found",
        }
    reason, message = faults[-1]
    return {"type": "NamesAccepted", "status": "False", "reason": reason, "message": message}
