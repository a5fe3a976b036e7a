"""Which changes are worth a reconcile; every one lets additions and deletions through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.api import Change, Json
    from windlass.reconcile.declare import Predicate


def generation_changed(change: Change[Any]) -> bool:
    """What is wanted changed, not only what is reported; also when a deletion begins."""
    return _differs(change, "generation", "deletionTimestamp")


def labels_changed(change: Change[Any]) -> bool:
    """A label was set, changed or removed."""
    return _differs(change, "labels")


def annotations_changed(change: Change[Any]) -> bool:
    """An annotation was set, changed or removed."""
    return _differs(change, "annotations")


def any_of(*predicates: Predicate) -> Predicate:
    """At least one of these lets the change through."""
    return lambda change: any(predicate(change) for predicate in predicates)


def all_of(*predicates: Predicate) -> Predicate:
    """Every one of these lets the change through."""
    return lambda change: all(predicate(change) for predicate in predicates)


def _differs(change: Change[Any], *fields: str) -> bool:
    if change.old is None or change.new is None:
        return True
    old: Json = change.old.metadata
    new: Json = change.new.metadata
    return any((old.get(field) or None) != (new.get(field) or None) for field in fields)
