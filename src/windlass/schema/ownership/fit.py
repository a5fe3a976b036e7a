"""Whether an object fits its schema, in the words of an API server that was asked to apply it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.golang import go_syntax, printed, type_name
from windlass.schema.ownership.atom import Unfit
from windlass.schema.ownership.element import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.ownership.atom import Atom, ListForm, MapForm

_PYTHON: Final[dict[str, type | tuple[type, ...]]] = {
    "string": str,
    "boolean": bool,
    "numeric": (int, float),
}


def misfits(value: Any, atom: Atom, *, doubles: bool = False) -> list[tuple[str, str]]:
    """Each place where a value does not fit: its path, and what is wrong.

    `doubles`: items of a list may be there more than once. Like the server, it stops in a map at the first
    field that is not declared, and in a list at the first item that cannot be told from others.
    """
    form = atom.form(value)
    if value is None:
        return []
    if form is dict:
        if not isinstance(value, dict) or atom.mapping is None:
            return [("", f"expected map, got &{{{printed(value)}}}")]
        return _misfits_of_map(value, atom.mapping, doubles=doubles)
    if form is list:
        if not isinstance(value, list) or atom.listing is None:
            return [("", f"expected list, got &{{{printed(value)}}}")]
        return _misfits_of_list(value, atom.listing, doubles=doubles)
    return _misfits_of_scalar(value, atom.scalar)


def fits(value: Any, atom: Atom) -> bool:
    """Whether there is no misfit but items that are there more than once, without finding out where."""
    if value is None:
        return True
    if isinstance(value, dict):
        return atom.mapping is not None and _map_fits(value, atom.mapping)
    if isinstance(value, list):
        return atom.listing is not None and _list_fits(value, atom.listing)
    known = _PYTHON.get(atom.scalar)
    if known is None:
        return bool(atom.scalar)
    return isinstance(value, known) and (known is bool or not isinstance(value, bool))


def _map_fits(value: dict[str, Any], form: MapForm) -> bool:
    fields = form.fields
    try:
        for name, held in value.items():
            if not fits(held, fields[name][1]):
                return False
    except Unfit:
        return False
    return True


def _list_fits(value: list[Any], form: ListForm) -> bool:
    if not form.atomic and not all(map(form.tells, value)):
        return False
    return all(fits(item, form.item) for item in value)


def holds_objects(value: Any, place: Sequence[str]) -> bool:
    """Whether all that is at a place, if anything, is an object; `*` stands for any item of a list."""
    for depth, step in enumerate(place):
        if step == "*":
            return all(holds_objects(item, place[depth + 1 :]) for item in value)
        value = value.get(step)
        if value is None:
            return True
    return isinstance(value, dict)


def strays(value: Any, atom: Atom) -> list[tuple[str, str]]:
    """Each item that cannot be told from others of its list: the path of the list, and what is wrong."""
    if isinstance(value, dict) and (mapping := atom.mapping) is not None and not mapping.atomic:
        return [
            (f".{name}{path}", fault)
            for name, held in value.items()
            for path, fault in strays(held, mapping.fields[name][1])
        ]
    if isinstance(value, list) and (listing := atom.listing) is not None and not listing.atomic:
        return _strays_of_list(value, listing)
    return []


def _strays_of_list(value: list[Any], form: ListForm) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = []
    below: list[tuple[str, str]] = []
    for position, item in enumerate(value):
        try:
            step = form.step(item)
        except Unfit as unfit:
            faults.append(("", f"element {position}: {unfit}"))
        else:
            below += [(shown(step) + path, fault) for path, fault in strays(item, form.item)]
    return faults + below


def told(faults: list[tuple[str, str]]) -> str:
    """The faults as one message."""
    lines = [f"{path}: {fault}" if path else fault for path, fault in faults]
    return lines[0] if len(lines) == 1 else "\n  ".join(["errors:", *lines])


def _misfits_of_map(value: dict[str, Any], form: MapForm, *, doubles: bool) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = []
    for name, held in value.items():
        try:
            _, atom, _ = form.fields[name]
        except Unfit as unfit:
            return [*faults, (f".{name}", str(unfit))]
        if found := misfits(held, atom, doubles=doubles):
            faults += [(f".{name}{path}", fault) for path, fault in found]
    return faults


def _misfits_of_list(value: list[Any], form: ListForm, *, doubles: bool) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = []
    seen: set[str] = set()
    for position, item in enumerate(value):
        step = f"i:{position}"
        if not form.atomic:
            try:
                step = form.step(item)
            except Unfit as unfit:
                return [*faults, ("", f"element {position}: {unfit}")]
            if step in seen and not doubles:
                faults.append(("", f"duplicate entries for key {shown(step)}"))
            seen.add(step)
        if found := misfits(item, form.item, doubles=doubles):
            faults += [(shown(step) + path, fault) for path, fault in found]
    return faults


def _misfits_of_scalar(value: Any, scalar: str) -> list[tuple[str, str]]:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    match scalar:
        case "numeric" if not number:
            fault = f"expected numeric (int or float), got {type_name(value)}"
        case "string" if not isinstance(value, str):
            fault = f"expected string, got &value.valueUnstructured{{Value:{go_syntax(value)}}}"
        case "boolean" if not isinstance(value, bool):
            fault = f"expected boolean, got &{{{printed(value)}}}"
        case "untyped" if isinstance(value, (dict, list)):
            fault = f"expected any scalar, got &{{{printed(value)}}}"
        case _:
            return []
    return [("", fault)]
