from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from windlass.api import is_secret, masked_logger, masking_secrets, note_secret
from windlass.cache.version import metadata_of
from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.api import Json, Key, Resource, Snapshot

_log = masked_logger("windlass.cache")
_OWNED = b'"ownerReferences":['

Values = Callable[[Any], str | Iterable[str] | None]
"""What a function says of an object: the values by which it is found."""


class Entries:
    """Keys by value, in the order of their coming. Most values have one key, which needs no table."""

    def __init__(self) -> None:
        self._keys: dict[str, Key | dict[Key, None]] = {}

    def find(self, *values: str) -> list[Key]:
        """The keys that have all of these values; those that have the rarest are looked at."""
        first, *others = sorted(map(self._table, values), key=len)
        return [key for key in first if all(key in each for each in others)] if others else list(first)

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

    def _table(self, value: str) -> Mapping[Key, None]:
        found = self._keys.get(value)
        if found is None:
            return {}
        return found if isinstance(found, dict) else {found: None}


class Owners:
    """Which objects belong to which, by uid. Objects without an owner cost nothing."""

    def __init__(self) -> None:
        self.controlled = Entries()
        self.others = Entries()

    def move(self, key: Key, old: bytes | None, new: bytes | None, obj: Json | None = None) -> None:
        """An object was one text and is another, or this where that was just received."""
        for entries, uid in () if old is None else self._owners(_references(old)):
            entries.discard(uid, key)
        if new is not None:
            found = _references(new) if obj is None else obj["metadata"].get("ownerReferences")
            for entries, uid in self._owners(found):
                entries.add(uid, key)

    def _owners(self, references: Sequence[Json] | None) -> Iterator[tuple[Entries, str]]:
        for reference in references or ():
            yield self.controlled if reference.get("controller") else self.others, reference["uid"]


def _references(raw: bytes) -> Sequence[Json]:
    # A quotation mark inside a text is escaped, so this is found only where there is such a field.
    return metadata_of(raw).get("ownerReferences") or () if _OWNED in raw else ()


class Sight:
    """An object that indexes look at: as text, and decoded once the first of them asks for that."""

    def __init__(self, snapshot: Snapshot[Resource], obj: Json | None = None) -> None:
        self.snapshot = snapshot
        self._obj = obj

    @cached_property
    def resource(self) -> Resource:
        """The typed object.

        Raises:
            UndecodableError: it does not fit the type.
        """
        kind: type[Resource] = self.snapshot.kind
        # What was just received is parsed already.
        return self.snapshot.decode() if self._obj is None else kind.from_wire(self._obj)


def _texts(said: Iterable[Any]) -> tuple[str, ...]:
    """Each value once.

    Raises:
        TypeError: one is no text, by which alone it could be found.
    """
    values = tuple(dict.fromkeys(said))
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is no text: an index says str({value!r})")
    return values


class Index:
    """Keys by what a function says of the typed object, or of its snapshot where it is `undecoded`."""

    def __init__(self, name: str, of: Values, *, undecoded: bool = False) -> None:
        self.name = name
        self.of = of
        self._undecoded = undecoded
        self.on_release: list[Callable[[str], None]] = []
        """Called with each value that no object has any more."""
        self._entries = Entries()
        self._values: dict[Key, tuple[str, ...]] = {}

    def find(self, *values: str) -> list[Key]:
        """The keys of the objects of which the function says all of this."""
        return self._entries.find(*values)

    def set(self, key: Key, sight: Sight | None) -> None:
        """An object is now this, or is gone."""
        before = self._values.pop(key, ())
        for value in before:
            self._entries.discard(value, key)
        values = () if sight is None else self._said(key, sight)
        for value in values:
            self._entries.add(value, key)
        if values:
            self._values[key] = values
        for value in before if self.on_release else ():
            if not self._entries.find(value):
                for release in self.on_release:
                    release(value)

    def _said(self, key: Key, sight: Sight) -> tuple[str, ...]:
        kind = sight.snapshot.kind.__kind__.name
        try:
            said = self.of(sight.snapshot if self._undecoded else sight.resource)
            if said is None:
                return ()
            return (said,) if isinstance(said, str) else _texts(said)
        except UndecodableError as error:
            _log.warning("%s %s is not in the index %s: %s", kind, key, self.name, error)
        except Exception:  # noqa: BLE001 - somebody else's function: one object must not stop the others
            with masking_secrets(*key):
                if is_secret(sight.snapshot.kind.__kind__):
                    note_secret(sight.snapshot.data)
                _log.exception("the index %s failed for %s %s, which it will not find", self.name, kind, key)
        return ()
