"""The records of a release, as the cache shows them, and what they say about the next step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from windlass.api import Selection
from windlass.helm.record import OWNER, ReleaseRecord
from windlass.reconcile import Index, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windlass.api import Key

INPUT: Final = "windlass.dev/input"
"""The label of a record that tells from which blueprint its revision was made, and that it was by us."""

KIND: Final = "windlass.dev/kind"
"""The label of a record that tells for which kind of object it was made."""

BY_RELEASE: Final = Index(ReleaseRecord, of=lambda record: str(record.release))


def watch_records(to: Callable[[ReleaseRecord], Iterable[Key]]) -> Watch[ReleaseRecord]:
    """Watches the records of all releases, without their content: `reads = (watch_records(…),)`."""
    return Watch(ReleaseRecord, to=to, selection=Selection(labels=OWNER, metadata_only=True))


def marked(digest: str, number: int) -> str:
    """What the label says of a revision. The number is in it, since Helm hands labels on to later ones."""
    return f"{digest}.{number}"


@dataclass(frozen=True)
class History:
    """The records of one release, oldest first."""

    records: Sequence[ReleaseRecord]

    @classmethod
    def of(cls, records: Iterable[ReleaseRecord]) -> History:
        """The history that these records tell; a Secret without a number only has the labels of one."""
        numbered = (record for record in records if record.number)
        return cls(sorted(numbered, key=lambda record: record.number))

    @property
    def latest(self) -> ReleaseRecord | None:
        """The last thing that was tried."""
        return self.records[-1] if self.records else None

    @property
    def deployed(self) -> ReleaseRecord | None:
        """The revision that is in effect: the last one that went well.

        Helm notes that it is superseded before it notes that its successor is deployed. Where a crash came
        in between, the superseded one counts; to begin anew would remove everything that there is.
        """
        if self.latest is None or self.latest.state.startswith("uninstall"):
            return None
        return self._last("deployed") or self._last("superseded")

    @property
    def failed(self) -> Sequence[ReleaseRecord]:
        """What was tried in vain after that; some of its objects may be there."""
        deployed = self.deployed
        return [each for each in self.records if deployed is None or each.number > deployed.number]

    @property
    def is_deployed(self) -> bool:
        """Whether Helm, too, knows which revision is in effect."""
        return self.deployed is not None and self.deployed.state == "deployed"

    @property
    def is_in_effect(self) -> bool:
        """Whether the last revision is in effect, and nothing was tried since."""
        return self.is_deployed and self.latest is self.deployed

    def _last(self, state: str) -> ReleaseRecord | None:
        return next((each for each in reversed(self.records) if each.state == state), None)

    def is_made_from(self, digest: str) -> bool:
        """Whether the release is in effect as this blueprint has it, and nothing was tried since."""
        latest = self.latest
        if latest is None or not self.is_in_effect:
            return False
        return latest.metadata.labels.get(INPUT) == marked(digest, latest.number)


def is_underway(record: ReleaseRecord) -> bool:
    """Whether somebody is at it, or was when they were stopped."""
    return record.state.startswith("pending-")


def is_ours(record: ReleaseRecord) -> bool:
    """Whether it was made by an operator, and not by a person's `helm`."""
    _, _, number = record.metadata.labels.get(INPUT, "").rpartition(".")
    return number == str(record.number)


def written(record: ReleaseRecord) -> datetime:
    """When the record was last written, as Helm notes it."""
    labels = record.metadata.labels
    text = labels.get("modifiedAt") or labels.get("createdAt") or "0"
    return datetime.fromtimestamp(int(text) if text.isdecimal() else 0, UTC)
