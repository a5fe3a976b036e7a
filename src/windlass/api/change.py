"""An object as it was received, undecoded until somebody looks, and what happened to one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from windlass.api.authorship import managers_of
from windlass.api.masking import note_secret
from windlass.api.resource import Resource
from windlass.api.uncached import is_mark, is_secret, is_uncached, without_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from windlass.api.authorship import Written
    from windlass.api.key import Key
    from windlass.api.wire import Json

R = TypeVar("R", bound=Resource)


class Snapshot(Generic[R]):
    """One object at one moment, as the JSON text that it is kept as; it is decoded when it is looked at.

    The text need not say which kind it is of, since that is known, nor its name where `key` does; who knows
    the version too may say so. `restore` makes the text of what is `kept` of it. `data` is shared by all who
    look: read it, do not change it. `decode` makes an object of your own.
    """

    # The causes of a hundred thousand runs that wait are as many of these.
    __slots__ = ("_data", "_kept", "_key", "_restore", "_shared", "_version", "kind")

    def __init__(
        self,
        kind: type[R],
        kept: bytes,
        version: str = "",
        *,
        key: Key | None = None,
        restore: Callable[[bytes], bytes] | None = None,
    ) -> None:
        self.kind = kind
        self._kept = kept
        self._version = version
        self._key = key
        self._restore = restore
        self._data: Json | None = None
        self._shared: R | None = None

    @property
    def raw(self) -> bytes:
        """The JSON text."""
        return self._kept if self._restore is None else self._restore(self._kept)

    def is_same(self, other: Snapshot[R]) -> bool:
        """Whether another has the same text; of an object that did not change, that costs nothing to say."""
        return self._kept is other._kept or self.raw == other.raw

    @property
    def data(self) -> Json:
        """The object as plain dictionaries."""
        if self._data is None:
            known = self.kind.__kind__
            self._data = {"apiVersion": known.api_version, "kind": known.name, **self._loaded()}
        if is_secret(self.kind.__kind__):
            note_secret(self._data)
        return self._data

    @property
    def metadata(self) -> Json:
        """The metadata as a plain dictionary."""
        found: Json = self.data["metadata"]
        return found

    @property
    def resource_version(self) -> str:
        """The version, as the server wrote it."""
        return self._version or str(self.metadata.get("resourceVersion", ""))

    @property
    def shared(self) -> R:
        """The typed object, one for all who look: read it, do not change it.

        Raises:
            UndecodableError: it does not fit the type.
        """
        if self._shared is None:
            self._shared = self.decode()
        elif is_secret(self.kind.__kind__):
            note_secret(self._loaded())
        return self._shared

    @property
    def is_uncached(self) -> bool:
        """Whether this is a Secret of which the values are not kept; reading one raises `NotCachedError`."""
        return is_secret(self.kind.__kind__) and is_uncached(self.data)

    def decode(self) -> R:
        """The typed object, made anew each time.

        Raises:
            UndecodableError: it does not fit the type.
        """
        loaded = self._loaded()
        if not is_secret(self.kind.__kind__):
            return self.kind.from_wire(loaded)
        known, uncached = without_marks(self.kind.__kind__, loaded)
        secret = self.kind.from_wire(known)
        if uncached is not None and "data" in self.kind.model_fields:
            secret.data = uncached  # type: ignore[attr-defined]
        elif uncached is not None:
            secret.__pydantic_extra__ = {**(secret.__pydantic_extra__ or {}), "data": uncached}
        return secret

    def release(self) -> None:
        """Let go of what was decoded for all who look; whoever looks again has it decoded again."""
        self._data = self._shared = None

    def _loaded(self) -> Json:
        import orjson

        obj: Json = orjson.loads(self.raw)
        if self._key is not None:
            metadata = obj["metadata"]
            if self._key.namespace:
                metadata["namespace"] = self._key.namespace
            metadata["name"] = self._key.name
        return obj


class Change(Generic[R]):
    """What happened to an object: `old` is None when it is new, `new` is None when it is gone.

    `listed` tells that it was found by a list, so that steps between `old` and `new` may be missing; a change
    without it is exactly one step. `writers` are the field managers that made it, as far as the server
    tells. `resource_version` is that of the change itself, also of a deletion.
    """

    __slots__ = ("__dict__", "key", "kind", "listed", "new", "old", "written")

    def __init__(
        self,
        kind: type[R],
        key: Key,
        states: tuple[Snapshot[R] | None, Snapshot[R] | None],
        *,
        listed: bool = False,
        written: tuple[Written, ...] = (),
    ) -> None:
        self.kind = kind
        self.key = key
        self.old, self.new = states
        self.listed = listed
        self.written = written

    @property
    def event(self) -> str:
        """In one word: `added`, `modified` or `deleted`."""
        if self.old is None:
            return "added"
        return "modified" if self.new is not None else "deleted"

    @property
    def latest(self) -> Snapshot[R]:
        """The newest state that was seen: the last one of an object that is gone."""
        found = self.new or self.old
        if found is None:
            raise ValueError(f"a change of {self.kind.__name__} {self.key} without any state")
        return found

    @property
    def resource_version(self) -> str:
        """The version of the change itself, as the server wrote it."""
        return self.latest.resource_version

    @cached_property
    def writers(self) -> tuple[str, ...]:
        """The field managers that made the change; empty where the server does not record that."""
        if self.old is None or self.new is None or not self.written:
            return tuple(dict.fromkeys(each.manager for each in self.written))
        return managers_of(self.written, self.old.data, self.new.data)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The fields that differ, such as `.spec.replicas`; empty unless the object was modified."""
        if self.old is None or self.new is None:
            return ()
        return changed_paths(self.old.data, self.new.data)


_BOOKKEEPING = frozenset({".metadata.resourceVersion", ".metadata.managedFields", ".metadata.generation"})


def changed_paths(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The paths of the fields in which two objects differ, but for the server's own bookkeeping."""
    return tuple(_differing(old, new, ""))


def _differing(old: Any, new: Any, path: str) -> Iterator[str]:
    if type(old) is dict and type(new) is dict:
        for name in {**old, **new}:  # in their order, which that of a set would not be
            step = f"{path}.{name}" if "." not in name and "/" not in name else f"{path}[{name}]"
            if step in _BOOKKEEPING:
                continue
            if name in old and name in new:
                yield from _differing(old[name], new[name], step)
            else:
                yield step
    elif old != new and is_mark(old) == is_mark(new):  # else a value is kept now that was not, or reversed
        yield from _differing_items(old, new, path)


def _differing_items(old: Any, new: Any, path: str) -> Iterator[str]:
    """The items that differ of two lists of one length; otherwise the whole."""
    if type(old) is list and type(new) is list and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differing(before, after, f"{path}[{index}]")
    else:
        yield path
