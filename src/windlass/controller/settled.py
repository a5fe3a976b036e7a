from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from windlass.controller.fields import is_applied, lacks_values, managed, ownable, owned_values

if TYPE_CHECKING:
    from windlass.api import Json, Key, Resource, Snapshot
    from windlass.cache import Informer


class _Answer(NamedTuple):
    uid: str
    desired: bytes
    owned: bytes


class Settled:
    """Knows whether applying an object would change anything, so that a pass that changes nothing is free.

    What the server keeps as it was sent is recognised by looking. What it writes in another form (`1000m` as
    `1`, the `stringData` of a Secret) is remembered by the answer to the first apply: as long as the same is
    wanted and the fields that we own still have the values of that answer, nothing is to be done.

    That is the operator's own field manager; `by` is the same for another, in whose name it applies.
    """

    def __init__(self, manager: str) -> None:
        self._manager = manager
        self._answers: dict[tuple[type[Resource], Key], _Answer] = {}
        self._others: dict[str, Settled] = {}

    def by(self, manager: str) -> Settled:
        """What is settled of the applies of another field manager; without a name, of our own."""
        if manager in ("", self._manager):
            return self
        return self._others.setdefault(manager, Settled(manager))

    def holds(self, informer: Informer[Any], key: Key, desired: Json, live: Snapshot[Any]) -> bool:
        """Whether applying the desired object to the live one would change nothing."""
        fields = managed(live.metadata, self._manager)
        if fields is None:
            return False
        if is_applied(fields, ownable(informer.as_kept(desired, live.data)), live.data):
            return True
        answer = self._answers.get((informer.kind, key))
        return answer is not None and answer == _answer(informer, desired, live, fields)

    def remember(self, informer: Informer[Any], key: Key, desired: Json, live: Snapshot[Any]) -> None:
        """What an apply of the desired object was answered with."""
        fields = managed(live.metadata, self._manager)
        if fields is None or is_applied(fields, ownable(informer.as_kept(desired, live.data)), live.data):
            self._answers.pop((informer.kind, key), None)
        else:
            self._answers[informer.kind, key] = _answer(informer, desired, live, fields)

    def is_ours(self, live: Snapshot[Any]) -> bool:
        """Whether we applied an object, whoever else has written to it."""
        return managed(live.metadata, self._manager) is not None

    def forget(self, kind: type[Resource], key: Key) -> None:
        """The object is gone."""
        self._answers.pop((kind, key), None)
        for other in self._others.values():
            other.forget(kind, key)


def _answer(informer: Informer[Any], desired: Json, live: Snapshot[Any], fields: Json) -> _Answer:
    """Return what stands for an answer: the values that we own.

    If the server keeps one of them in another field, everything but the status stands for them; if the object
    is not kept whole, its version does.
    """
    owned: Any = live.resource_version
    if informer.is_whole:
        owned = owned_values(fields, live.data)
        if lacks_values(owned):
            owned = ownable(live.data)
    return _Answer(str(live.metadata.get("uid", "")), _digest(desired), _digest([fields, owned]))


def _digest(value: Any) -> bytes:
    return blake2b(orjson.dumps(value, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()
