from __future__ import annotations

from sys import intern
from typing import Any, Final, Literal

import orjson

from windlass.errors import WindlassError

UNSETTLED: Final = object()
"""The canon of a new object whose last defaults the real server adds when it reads: any write stores it."""

ChangeType = Literal["ADDED", "MODIFIED", "DELETED"]


class Stale(WindlassError):
    """Somebody else wrote the object in between; read it again and decide anew."""


class Record:
    """One version of an object as it is stored; it never changes.

    `body` is the object's JSON without `kind` and `apiVersion`, of exact size. `version` is the apiVersion
    that it was stored in, as far as that was said. `canon` is the reader's own: by which schemas the body is
    known to need no change, or that it is `UNSETTLED`.
    """

    __slots__ = ("body", "canon", "key", "revision", "version")

    def __init__(self, key: str, revision: int, body: bytes, version: str = "") -> None:
        self.key = key
        self.revision = revision
        self.body = body
        self.version = version
        self.canon: object = None

    @classmethod
    def of(cls, key: str, revision: int, obj: dict[str, Any], version: str = "") -> Record:
        """The record of an object, whose resourceVersion is set here and kind and apiVersion are left out.

        An object that does not say its version has the given one.
        """
        obj["metadata"]["resourceVersion"] = str(revision)
        kind, api_version = obj.pop("kind", None), obj.pop("apiVersion", None)
        # orjson allocates generously and keeps it; a copy has the exact size, as 100k objects need.
        body = bytes(memoryview(orjson.dumps(obj)))
        if kind is not None:
            obj["kind"] = kind
        if api_version is not None:
            obj["apiVersion"] = api_version
        return cls(key, revision, body, version if api_version is None else intern(api_version))

    def object(self) -> dict[str, Any]:
        """The object, new and the caller's own to change."""
        decoded: dict[str, Any] = orjson.loads(self.body)
        return decoded

    def mentions(self, field: str) -> bool:
        """Whether the object may have a field of this name somewhere; `False` is certain, and cheap."""
        return b'"%b"' % field.encode() in self.body

    @property
    def namespace(self) -> str:
        """The namespace, empty for objects that live in none."""
        return self.key.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The name."""
        return self.key.rpartition("/")[2]


class Change:
    """One step of the history: what an object was before and is after.

    Of a deletion, `after` is the object's last state with the revision of the deletion. `encodings` are the
    readers' own: what they have made of the change, by a key that says in which form.
    """

    __slots__ = ("_decoded", "after", "before", "encodings", "revision", "type")

    def __init__(self, kind: ChangeType, after: Record, before: Record | None) -> None:
        self.type = kind
        self.after = after
        self.before = before
        self.revision = after.revision
        self.encodings: dict[Any, bytes] = {}
        self._decoded: tuple[dict[str, Any], dict[str, Any] | None] | None = None

    def objects(self) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """The object after and before, decoded once for all who look; not to be changed."""
        if self._decoded is None:
            self._decoded = (self.after.object(), self.before.object() if self.before else None)
        return self._decoded

    def forget(self) -> None:
        """Drop what was made of the change; whoever still wants it makes it again."""
        self.encodings.clear()
        self._decoded = None
