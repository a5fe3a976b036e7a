"""Objects as some messages show them: not as they are on the wire but as Go declares them.

Where the server complains about a whole structure it prints its internal type: every field, in the order of
its declaration, under its Go name, absent ones with their zero value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    Structure = Mapping[str, Any]

_INITIALISMS: Final = ("api", "uid", "ip", "iqn", "nfs", "csi", "fc", "rbd")

OBJECT_REFERENCE: Final[Structure] = dict.fromkeys(
    ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"), ""
)


class Pointer:
    """A structure that may be absent as a whole, which shows as null."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure


def as_declared(value: Mapping[str, Any], structure: Structure) -> dict[str, Any]:
    """A value as Go declares its type.

    `structure` has the names on the wire (`iscsi=ISCSI` where the Go name does not follow from it) with what
    absent fields show. A mapping is a structure within, a list of one is a list of structures.
    """
    shown = {}
    for name, absent in structure.items():
        wire, _, declared = name.partition("=")
        shown[declared or _go_name(wire)] = _shown(value.get(wire), absent)
    return shown


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """How two structures differ, line by line of their JSON."""
    import json  # only messages about forbidden changes show this
    from difflib import unified_diff

    before, after = (
        [f"{line}\n" for line in json.dumps(each, indent=1, ensure_ascii=False).split("\n")]
        for each in (old, new)
    )
    _, _, *lines = unified_diff(before, after)  # the names of two files come first
    return "".join(lines)


def _shown(value: Any, absent: Any) -> Any:
    if isinstance(absent, Pointer):
        return None if value is None else as_declared(value, absent.structure)
    if isinstance(absent, dict):
        return as_declared(value or {}, absent)
    if isinstance(absent, list):
        return None if value is None else [as_declared(each, absent[0]) for each in value]
    return absent if value is None else value


def _go_name(name: str) -> str:
    for word in _INITIALISMS:
        if name.startswith(word) and not name[len(word) :][:1].islower():
            return word.upper() + name[len(word) :]
    return name[:1].upper() + name[1:]
