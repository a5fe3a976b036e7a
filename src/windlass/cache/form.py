from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson

from windlass.api import Key, Resource, Snapshot, is_secret, write_json
from windlass.cache.redact import KeptValues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Selection
    from windlass.cache.redact import Redactor

R = TypeVar("R", bound=Resource)

_JSON: Final = "application/json"
_METADATA: Final = f"{_JSON};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,{_JSON}"
_METADATA_LIST: Final = f"{_JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,{_JSON}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What is transferred of each object, and what is kept of it.

    `values` decides of which Secrets the values are kept; None keeps everything.
    `managers` are those whose entries in managedFields are kept, `keep` the paths to keep besides the
    metadata, all when there are none. `transfer_all` has whole objects sent although the metadata alone is
    kept, for indexes that look at the rest.
    """

    values: KeptValues | None = None
    managers: frozenset[str] = frozenset()
    keep: tuple[tuple[str, ...], ...] = ()
    metadata_only: bool = False
    transfer_all: bool = False

    @classmethod
    def of(cls, kind: type[Resource], selection: Selection, redactor: Redactor) -> Form:
        """The form that a selection asks for.

        Raises:
            ValueError: a path to keep is not of the form `.spec.nodeName`.
        """
        withholds = is_secret(kind.__kind__) and not selection.values
        return cls(
            values=KeptValues(redactor) if withholds else None,
            keep=tuple(map(_steps, selection.keep)),
            metadata_only=selection.metadata_only,
        )

    @property
    def receives_more(self) -> bool:
        """Whether more of an object is received than is kept."""
        return self.transfer_all or bool(self.keep)

    def keeping(self, manager: str) -> Form:
        """The same with another manager's entry."""
        return replace(self, managers=self.managers | {manager})

    def reduced(self, *, transfer_all: bool) -> Form:
        """The metadata alone."""
        return replace(self, metadata_only=True, transfer_all=transfer_all)

    def withholds(self, key: Key, metadata: Json) -> bool:
        """Whether the values of an object are not kept."""
        return self.values is not None and not self.values.keeps(key, metadata)

    def redacted(self, obj: Json) -> Json:
        """Return an object without the values of a Secret."""
        return obj if self.values is None else self.values.redact(obj)

    def whole(self) -> Form:
        """The same with the values of each Secret."""
        return replace(self, values=None)

    def accept(self, *, listing: bool = False) -> str:
        """The Accept header; a server that knows no partial objects sends whole ones, which do too."""
        if not self.metadata_only or self.transfer_all:
            return _JSON
        return _METADATA_LIST if listing else _METADATA

    def pack(self, obj: Json) -> bytes:
        """The text that is kept of an object, whose kind, managedFields and fields too deep are taken out.

        Its name and namespace, by which it is found, are not in the text.
        """
        obj.pop("kind", None)
        obj.pop("apiVersion", None)
        metadata: Json = obj["metadata"]
        entries = metadata.pop("managedFields", None)
        if entries and self.managers:
            kept = [entry for entry in entries if entry.get("manager") in self.managers]
            if kept:
                metadata["managedFields"] = kept
        name, namespace = metadata.pop("name", None), metadata.pop("namespace", None)
        withheld = self.values is not None and self.withholds(Key(namespace or "", name or ""), metadata)
        if self.metadata_only:
            obj = {"metadata": metadata}
        elif self.keep:
            obj = _projected(obj, self.keep)
        if withheld:
            obj = self.redacted(obj)
        raw = write_json(obj)
        if name is not None:
            metadata["name"] = name
        if namespace is not None:
            metadata["namespace"] = namespace
        return raw

    def snapshot(self, kind: type[R], obj: Json) -> Snapshot[R]:
        """An object that was received as it would be kept."""
        metadata: Json = obj["metadata"]
        key = Key(metadata.get("namespace", ""), metadata["name"])
        return Snapshot(kind, self.pack(obj), key=key)

    def repack(self, raw: bytes) -> bytes:
        """What this form keeps of an object that is kept in another form already."""
        obj = orjson.loads(raw)
        if self.metadata_only:
            obj = {"metadata": obj["metadata"]}
        return orjson.dumps(obj)


def _steps(path: str) -> tuple[str, ...]:
    steps = tuple(path.removeprefix(".").split("."))
    if not path.startswith(".") or not all(steps) or "[" in path:
        raise ValueError(f"{path!r} cannot be kept: name a field such as .spec.nodeName")
    return steps


def _projected(obj: Json, keep: tuple[tuple[str, ...], ...]) -> Json:
    shown: Json = {"metadata": obj["metadata"]}
    for steps in keep:
        _copy(obj, shown, steps)
    return shown


def _copy(source: Json, target: Json, steps: Sequence[str]) -> None:
    """Put one field where it was; of what lies on the way to it nothing else is taken."""
    first, *rest = steps
    found: Any = source.get(first)
    if first in source and not rest:
        target[first] = found
    elif type(found) is dict and target.get(first) is not found:  # else a shorter path keeps all of it
        _copy(found, target.setdefault(first, {}), rest)
