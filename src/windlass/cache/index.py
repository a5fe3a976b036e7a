from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from windlass.cache.version import metadata_of

if TYPE_CHECKING:
    from windlass.api import Key, Resource

_log = logging.getLogger("windlass.cache")
_OWNED = b'"ownerReferences":['

Values = Callable[[Any], str | Iterable[str] | None]
"""What a function says of an object: the values by which it is found."""


class Entries:
    """Keys by value, in the order of their coming. Most values have one key, which needs no table."""

    def __init__(self) -> None:
        self._keys: dict[str, Key | dict[Key, None]] = {}

    def find(self, value: str) -> list[Key]:
        """The keys that have this value."""
        found = self._keys.get(value)
        if found is None:
            return []
        return list(found) if isinstance(found, dict) else [found]

    def add(self, value: str, key: Key) -> None:
        """A key has a value."""
        found = self._keys.get(value)
        if found is None:
            self._keys[value] = key
        elif isinstance(found, dict):
            found[key] = None
        elif found != key:
            self._keys[value] = {found: None, key: None}

    def discard(self, value: str, key: Key) -> None:
        """A key no longer has a value."""
        found = self._keys.get(value)
        if isinstance(found, dict):
            found.pop(key, None)
            if not found:
                del self._keys[value]
        elif found == key:
            del self._keys[value]


class Owners:
    """Which objects belong to which, by uid. Objects without an owner cost nothing."""

    def __init__(self) -> None:
        self.controlled = Entries()
        self.others = Entries()

    def move(self, key: Key, old: bytes | None, new: bytes | None) -> None:
        """An object was one text and is another."""
        # A quotation mark inside a text is escaped, so this is found only where there is such a field.
        if old is not None and _OWNED in old:
            for entries, uid in self._owners(old):
                entries.discard(uid, key)
        if new is not None and _OWNED in new:
            for entries, uid in self._owners(new):
                entries.add(uid, key)

    def _owners(self, raw: bytes) -> list[tuple[Entries, str]]:
        return [
            (self.controlled if reference.get("controller") else self.others, reference["uid"])
            for reference in metadata_of(raw).get("ownerReferences") or ()
        ]


class Index:
    """Keys by what a function says of the typed object."""

    def __init__(self, name: str, of: Values) -> None:
        self.name = name
        self.of = of
        self._entries = Entries()
        self._values: dict[Key, tuple[str, ...]] = {}

    def find(self, value: str) -> list[Key]:
        """The keys of the objects of which the function says this."""
        return self._entries.find(value)

    def set(self, key: Key, resource: Resource | None) -> None:
        """An object is now this, or is gone."""
        for value in self._values.pop(key, ()):
            self._entries.discard(value, key)
        values = () if resource is None else self._said(key, resource)
        for value in values:
            self._entries.add(value, key)
        if values:
            self._values[key] = values

    def _said(self, key: Key, resource: Resource) -> tuple[str, ...]:
        try:
            said = self.of(resource)
            if said is None:
                return ()
            return (said,) if isinstance(said, str) else tuple(dict.fromkeys(said))
        except Exception:  # noqa: BLE001 - somebody else's function: one object must not stop the others
            _log.exception(
                "the index %s failed for %s %s, which it will not find", self.name, resource.kind, key
            )
            return ()
