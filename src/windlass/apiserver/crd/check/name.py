"""The names of a kind, as they are asked for and as they are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_1035_label
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_MIXED: Final = "may have mixed case, but should otherwise match: "


def label_problem(name: str) -> str:
    """What keeps a text from being a label, or nothing."""
    return ",".join(dns_1035_label(name))


def name_faults(names: Object, path: Path) -> Iterator[Fault]:
    """The names that a definition must ask for."""
    for name in ("plural", "singular", "kind", "listKind"):
        if not names.get(name):
            yield Fault.required(path.child(name))


def names_faults(names: Object, path: Path) -> Iterator[Fault]:
    """What is wrong with the names that there are."""
    for name in ("plural", "singular"):
        if names.get(name) and (problem := label_problem(names[name])):
            yield Fault.invalid(path.child(name), names[name], problem)
    for name in ("kind", "listKind"):
        if names.get(name) and (problem := label_problem(names[name].lower())):
            yield Fault.invalid(path.child(name), names[name], _MIXED + problem)
    yield from _labels_faults(names, "shortNames", path)
    if names.get("kind") and names["kind"] == names.get("listKind"):
        yield Fault.invalid(path.child("listKind"), names["kind"], "kind and listKind may not be the same")
    yield from _labels_faults(names, "categories", path)


def _labels_faults(names: Object, field: str, path: Path) -> Iterator[Fault]:
    for index, name in enumerate(names.get(field) or ()):
        if problem := label_problem(name):
            yield Fault.invalid(path.child(field).index(index), name, problem)
