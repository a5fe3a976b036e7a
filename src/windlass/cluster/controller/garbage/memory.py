from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from windlass.cluster.controller.garbage.decision import Standing

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.cluster.controller.garbage.graph import Reference

K = TypeVar("K")
V = TypeVar("V")

_MOST: Final = 5000


class Absentees:
    """Owners that are known not to exist, the last few thousand: a uid never comes back.

    Each is known by the name under which it was looked for, and by the namespace, empty for all: an object of
    the same uid may have another name. Of those that let their dependents stay, the moment is known too.
    """

    def __init__(self) -> None:
        self._absent: dict[tuple[Reference, str], None] = {}
        self._released: dict[str, datetime] = {}

    def has(self, reference: Reference, namespace: str) -> bool:
        """Whether it is known that an owner that a dependent in this namespace names does not exist."""
        named = reference._replace(blocking=False)
        return (named, namespace) in self._absent or (named, "") in self._absent

    def add(self, reference: Reference, namespace: str) -> None:
        """There is no such owner for dependents in this namespace."""
        _remember(self._absent, (reference._replace(blocking=False), namespace), None)

    def release(self, uid: str, now: datetime) -> None:
        """An owner lets its dependents stay, also those of which no watch has told yet."""
        _remember(self._released, uid, now)

    def standing(self, uid: str, created: datetime | None) -> Standing:
        """How an absent owner stands to a dependent that was created then."""
        released = self._released.get(uid)
        is_released = released is not None and created is not None and created <= released
        return Standing.RELEASED if is_released else Standing.ABSENT


def _remember(known: dict[K, V], key: K, value: V) -> None:
    known[key] = value
    if len(known) > _MOST:
        del known[next(iter(known))]
