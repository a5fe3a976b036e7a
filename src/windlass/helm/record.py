"""The records that Helm keeps of releases: one Secret for each revision, in the release's namespace."""

from __future__ import annotations

import gzip
import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson

from windlass.api import Key, Resource
from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Json

State = Literal[
    "unknown",
    "deployed",
    "uninstalled",
    "superseded",
    "failed",
    "uninstalling",
    "pending-install",
    "pending-upgrade",
    "pending-rollback",
]

_LARGEST: Final = 32 * 2**20  # unpacked: three times that of prometheus-operator-crds, in a Secret of 1 MiB
_MOST_MARKS: Final = 1_000_000  # of JSON: up to 100 bytes of memory for each

OWNER: Final = "owner=helm"

__foreign__: Final = True  # an operator that names the kind below does not define it


class ReleaseRecord(Resource, group="", version="v1", kind="Secret", plural="secrets"):
    """The Secret that holds a revision. Without its content, its labels say which and how it fared."""

    type: str = ""
    data: dict[str, str] = {}

    @property
    def release(self) -> Key:
        """The release that it is about."""
        return Key(self.metadata.namespace, self.metadata.labels.get("name", ""))

    @property
    def number(self) -> int:
        """The number of the revision; zero for what only looks like a record."""
        text = self.metadata.labels.get("version", "")
        return int(text) if text.isdecimal() else 0

    @property
    def state(self) -> str:
        """How it fared."""
        return self.metadata.labels.get("status", "unknown")


@dataclass(frozen=True, kw_only=True)
class Revision:
    """One revision of a release: what was deployed, and what became of it. Hooks are not in the manifest."""

    release: Key
    number: int
    state: str
    chart: str
    chart_version: str = ""
    app_version: str = ""
    manifest: str = field(repr=False)
    hooks: Sequence[Json] = field(default=(), repr=False)
    notes: str = field(default="", repr=False)
    description: str = ""
    deployed: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, release: Json, labels: Mapping[str, str]) -> Revision:
        """The revision that Helm's own JSON describes."""
        info, chart = release.get("info") or {}, (release.get("chart") or {}).get("metadata") or {}
        return cls(
            release=Key(_text(release.get("namespace")), _text(release["name"])),
            number=int(release.get("version") or 0),
            state=_text(info.get("status", "unknown")),
            chart=_text(chart.get("name")),
            chart_version=_text(chart.get("version")),
            app_version=_text(chart.get("appVersion")),
            manifest=_text(release.get("manifest")),
            hooks=tuple(map(dict, release.get("hooks") or ())),
            notes=_text(info.get("notes")),
            description=_text(info.get("description")),
            deployed=_text(info.get("last_deployed")),
            labels=dict(labels),
        )


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    raise TypeError(f"{str(value)[:80]} is no text")


def read_record(record: ReleaseRecord) -> Revision:
    """The revision in a record.

    Raises:
        UndecodableError: the record is damaged.
    """
    try:
        revision = Revision.of(unpacked(record), record.metadata.labels)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _damaged(record, f"a field is missing or of another type: {error}") from error
    if revision.release != record.release:
        raise _damaged(record, f"it is about release {revision.release}")
    return revision


def with_state(record: ReleaseRecord, state: State, description: str) -> dict[str, Any]:
    """The merge patch that lets a record tell another end of its revision."""
    content = unpacked(record)
    info = {**(content.get("info") or {}), "status": state, "description": description}
    data = packed({**content, "info": info})
    return {"metadata": {"labels": {"status": state}}, "data": data}


def packed(release: Json) -> dict[str, str]:
    """The data of the record that holds a release, in Helm's own JSON."""
    return {"release": b64encode(b64encode(gzip.compress(orjson.dumps(release), mtime=0))).decode()}


def unpacked(record: ReleaseRecord) -> Json:
    """The release that a record holds, in Helm's own JSON.

    Raises:
        UndecodableError: the record is damaged, or larger than 32 MiB.
    """
    try:
        text = _decompressed(b64decode(b64decode(record.data["release"])))
        content = orjson.loads(text)
    except (KeyError, ValueError, zlib.error) as error:
        raise _damaged(record, error) from error
    if not isinstance(content, dict):
        raise _damaged(record, "its content is not an object")
    return content


def _decompressed(content: bytes) -> bytes:
    unpacking = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)  # of gzip
    text = unpacking.decompress(content, _LARGEST + 1)
    if len(text) > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST >> 20} MiB")
    if not unpacking.eof:
        raise ValueError("its end is missing")
    if sum(map(text.count, (b",", b"[", b"{"))) > _MOST_MARKS:
        raise ValueError(f"it has more than {_MOST_MARKS} values")
    return text


def _damaged(record: ReleaseRecord, why: object) -> UndecodableError:
    where = f"{record.metadata.namespace}/{record.metadata.name}"
    return UndecodableError(f"Secret {where} is no record of a Helm release: {why}")
