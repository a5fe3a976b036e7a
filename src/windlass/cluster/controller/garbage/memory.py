from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from windlass.cluster.controller.garbage.decision import Standing

if TYPE_CHECKING:
    from collections.abc import Hashable

    from windlass.cluster.controller.garbage.graph import Reference

T = TypeVar("T", bound="Hashable")

_MOST: Final = 5000


class Absentees:
    """Owners that are known not to exist, the last few thousand: a uid never comes back.

    Each is known by the name under which it was looked for, and by the namespace, empty for all: an object of
    the same uid may have another name.
    """

    def __init__(self) -> None:
        self._absent: dict[tuple[Reference, str], None] = {}
        self._released: dict[str, None] = {}

    def standing(self, reference: Reference, namespace: str) -> Standing | None:
        """How an owner stands that a dependent in this namespace names, if that is known."""
        named = reference._replace(blocking=False)
        is_known = (named, namespace) in self._absent or (named, "") in self._absent
        return self._standing(reference.uid) if is_known else None

    def add(self, reference: Reference, namespace: str) -> Standing:
        """There is no such owner for dependents in this namespace; returns how it stands."""
        _remember(self._absent, (reference._replace(blocking=False), namespace))
        return self._standing(reference.uid)

    def release(self, uid: str) -> None:
        """An owner lets its dependents stay, also those of which nobody has told us yet."""
        _remember(self._released, uid)

    def _standing(self, uid: str) -> Standing:
        return Standing.RELEASED if uid in self._released else Standing.ABSENT


def _remember(known: dict[T, None], entry: T) -> None:
    known[entry] = None
    if len(known) > _MOST:
        del known[next(iter(known))]
