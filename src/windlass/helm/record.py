"""The records that Helm keeps of releases: one Secret for each revision, in the release's namespace."""

from __future__ import annotations

import gzip
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
            release=Key(release.get("namespace", ""), release["name"]),
            number=int(release.get("version") or 0),
            state=info.get("status", "unknown"),
            chart=chart.get("name", ""),
            chart_version=chart.get("version", ""),
            app_version=chart.get("appVersion", ""),
            manifest=release.get("manifest", ""),
            hooks=tuple(release.get("hooks") or ()),
            notes=info.get("notes", ""),
            description=info.get("description", ""),
            deployed=info.get("last_deployed", ""),
            labels=dict(labels),
        )


def read_record(record: ReleaseRecord) -> Revision:
    """The revision in a record.

    Raises:
        UndecodableError: the record is damaged.
    """
    return Revision.of(unpacked(record), record.metadata.labels)


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
        UndecodableError: the record is damaged.
    """
    try:
        content: Json = orjson.loads(gzip.decompress(b64decode(b64decode(record.data["release"]))))
    except (KeyError, ValueError, OSError, EOFError) as error:
        where = f"{record.metadata.namespace}/{record.metadata.name}"
        raise UndecodableError(f"Secret {where} is no record of a Helm release: {error}") from error
    return content
