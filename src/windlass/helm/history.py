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
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.record import State

INPUT: Final = "windlass.dev/input"
"""The label of a record that tells from which blueprint its revision was made, and that it was by us."""

CAPABILITIES: Final = "windlass.dev/capabilities"
"""The label of a record with a digest of the cluster's capabilities that its revision was rendered for."""

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
        """The revision that is in effect: the last one that went well."""
        return next((each for each in reversed(self.records) if each.state == "deployed"), None)

    @property
    def failed(self) -> Sequence[ReleaseRecord]:
        """What was tried in vain after that; some of its objects may be there."""
        deployed = self.deployed
        return [each for each in self.records if deployed is None or each.number > deployed.number]

    @property
    def is_ours(self) -> bool:
        """Whether the last thing that was tried was tried by an operator, and not by a person's `helm`.

        Helm gives a rollback the labels of the revision that it returns to. One that follows a failure of
        ours is ours.
        """
        if self.latest is None:
            return False
        if self.latest.state == "pending-rollback" and len(self.records) > 1:
            before = self.records[-2]
            return before.state == "failed" and is_ours(before)
        return is_ours(self.latest)

    @property
    def correction(self) -> tuple[ReleaseRecord, State] | None:
        """The record that a crash, or a person, has left wrong, and how it should be; None if all make sense.

        Helm marks the revision before as superseded when a new one has gone well, and the new one as deployed
        last. So if none is in effect, it is the one that was under way; else the newest that went well.
        """
        latest = self.latest
        if latest is None or (self.deployed and not is_underway(latest)):
            return None
        good = [each for each in self.records if each.state == "superseded"]
        if is_underway(latest):
            return latest, "failed" if self.deployed or not good else "deployed"
        return (good[-1], "deployed") if good and latest.state in {"superseded", "failed"} else None

    def is_made_from(self, blueprint: Blueprint) -> bool:
        """Whether the release is in effect with this chart and these values, and nothing was tried since."""
        latest = self.latest
        if latest is None or latest.state != "deployed":
            return False
        return latest.metadata.labels.get(INPUT) == marked(blueprint.digest, latest.number)

    def is_rendered_for(self, blueprint: Blueprint) -> bool:
        """Whether the latest revision was rendered for these capabilities of the cluster."""
        latest = self.latest
        return latest is not None and (
            latest.metadata.labels.get(CAPABILITIES) == blueprint.capabilities_digest
        )


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
