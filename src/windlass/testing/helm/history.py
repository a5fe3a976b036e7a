"""The records of a release, written as Helm writes them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from windlass.api import ObjectMeta
from windlass.errors import NotFound
from windlass.helm import ReleaseRecord, Revision, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.aio import Clock
    from windlass.api import Json, Key
    from windlass.client import Client

_MANAGER: Final = "Helm"  # of records; the objects of a release have another, in lower case
_TYPE: Final = "helm.sh/release.v1"
_SYSTEM: Final = frozenset({"name", "owner", "status", "version", "createdAt", "modifiedAt"})


@dataclass(frozen=True)
class Entry:
    """One revision: Helm's JSON of it, and the labels of its record that are not Helm's own."""

    content: Json
    labels: Mapping[str, str]

    @property
    def number(self) -> int:
        """The number of the revision."""
        return int(self.content["version"])

    @property
    def state(self) -> str:
        """How it fared."""
        return str(self.content["info"]["status"])

    def told(self, state: str, description: str = "") -> Entry:
        """The same revision with another end."""
        info = {**self.content["info"], "status": state}
        info |= {"description": description} if description else {}
        return replace(self, content={**self.content, "info": info})

    def revision(self) -> Revision:
        """As callers of Helm see it."""
        return Revision.of(self.content, self._all_labels())

    @property
    def name(self) -> str:
        """The name of its record."""
        return f"sh.helm.release.v1.{self.content['name']}.v{self.number}"

    def record(self, moment: Mapping[str, str]) -> ReleaseRecord:
        """The Secret that holds it; `moment` is the label that tells the time."""
        labels = {**self._all_labels(), **moment}
        metadata = ObjectMeta(name=self.name, namespace=self.content["namespace"], labels=labels)
        return ReleaseRecord(metadata=metadata, type=_TYPE, data=packed(self.content))

    def _all_labels(self) -> dict[str, str]:
        own = {"name": self.content["name"], "owner": "helm"}
        return {**self.labels, **own, "status": self.state, "version": str(self.number)}


class History:
    """The records of one release on a server."""

    def __init__(self, client: Client, release: Key, clock: Clock) -> None:
        self._client = client.using(field_manager=_MANAGER)
        self._release = release
        self._clock = clock

    async def read(self) -> Sequence[Entry]:
        """Every revision that is kept, the oldest first."""
        labels = f"name={self._release.name},owner=helm"
        found = await self._client.list(ReleaseRecord, self._release.namespace, labels=labels)
        return sorted(
            (Entry(unpacked(record), _custom(record.metadata.labels)) for record in found),
            key=lambda entry: entry.number,
        )

    async def add(self, entry: Entry, kept: int) -> None:
        """Write a new revision; of the old ones, the oldest make room, but not the last that is deployed."""
        history = await self.read()
        deployed = max((each.number for each in history if each.state == "deployed"), default=0)
        surplus = len(history) - max(kept - 1, 0) if kept else 0
        old = [each for each in history if each.number != deployed]
        for each in old[: max(surplus, 0)]:
            await self.drop(each)
        await self._client.create(entry.record({"createdAt": self._seconds()}))

    async def tell(self, entry: Entry) -> None:
        """Write a revision anew, as a whole: what others put on its record is lost, except for labels."""
        await self._client.update(entry.record({"modifiedAt": self._seconds()}))

    async def drop(self, entry: Entry) -> None:
        """Remove a revision."""
        with suppress(NotFound):
            await self._client.delete(ReleaseRecord, entry.name, self._release.namespace)

    def _seconds(self) -> str:
        return str(int(self._clock.now().timestamp()))


def _custom(labels: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in labels.items() if name not in _SYSTEM}
