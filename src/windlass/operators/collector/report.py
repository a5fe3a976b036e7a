"""What a Collector says of itself: status and conditions, from what was found and done."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Condition, Key, set_condition
from windlass.errors import ChartError, HelmError, ReleaseError, Terminal
from windlass.helm import is_kept, summary
from windlass.operators.collector.types import ObjectStatus, ReleaseStatus
from windlass.reconcile import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.helm import Revision, Settlement
    from windlass.operators.collector.types import CollectorStatus

_LONGEST: Final = 1024
_AT_LEAST: Final = timedelta(seconds=1)
_RENDERING: Final = re.compile(r"template:|execution error at|parse error|specifications of the schema")
_ROLLED_BACK: Final = "; rolled back to revision"


class Told(NamedTuple):
    """What the two conditions beside Available say, in one word and one sentence."""

    reason: str
    message: str
    progressing: bool = False
    degraded: bool = False

    def write(self, status: CollectorStatus, now: datetime) -> None:
        """Put the conditions into a status."""
        for type_, holds in (("Progressing", self.progressing), ("Degraded", self.degraded)):
            condition = Condition(
                type=type_,
                status="True" if holds else "False",
                reason=self.reason,
                message=self.message[:_LONGEST],
            )
            set_condition(status.conditions, condition, now)


def reason_of(error: Exception) -> str:
    """The reason of a condition that tells of a failure."""
    if isinstance(error, Terminal):
        return error.reason
    if isinstance(error, ChartError):
        return "ChartFetchFailed"
    if isinstance(error, HelmError) and _RENDERING.search(str(error)):
        return "RenderFailed"
    return "RolledBack" if _ROLLED_BACK in str(error) else "ApplyFailed"


def failed(status: CollectorStatus, error: Exception, now: datetime) -> Result[CollectorStatus]:
    """A step failed: told, and tried again, ever later, or when that is due."""
    reason = reason_of(error)
    Told(reason, str(error), degraded=True).write(status, now)
    if isinstance(error, ReleaseError) and error.retry_at is not None:
        again = max(error.retry_at - now, _AT_LEAST)
        return Result.waiting(reason, str(error), status, again=again)
    return Result.failed(error, status, reason=reason)


def waiting(status: CollectorStatus, reason: str, message: str, now: datetime) -> Result[CollectorStatus]:
    """Something else has to happen first, of which a watch will tell."""
    Told(reason, message, progressing=reason != "Conflict", degraded=reason == "Conflict").write(status, now)
    return Result.waiting(reason, message, status)


def deployed(status: CollectorStatus, settled: Settlement, digest: str) -> None:
    """Note what is deployed."""
    revision = settled.revision
    status.release = ReleaseStatus(
        name=revision.release.name,
        namespace=revision.release.namespace,
        revision=revision.number,
        chart_version=revision.chart_version,
        app_version=revision.app_version,
        digest=digest,
        last_deployed=revision.deployed,
    )


def resources_of(live: Sequence[Json]) -> list[ObjectStatus]:
    """The objects of a release, in the order of its manifest."""
    return [
        ObjectStatus(
            api_version=each["apiVersion"],
            kind=each["kind"],
            name=each["metadata"]["name"],
            namespace=each["metadata"].get("namespace", ""),
            kept=is_kept(each),
        )
        for each in live
    ]


def objects_of(status: CollectorStatus) -> list[Json]:
    """The objects of a release as its status tells them: as much as it takes to delete them."""
    return [
        {
            "apiVersion": each.api_version,
            "kind": each.kind,
            "metadata": {"name": each.name, "namespace": each.namespace},
        }
        for each in status.resources
        if not each.kept
    ]


class Pace(NamedTuple):
    """The time, how long objects may take to become ready (None: they need not), and when to look again."""

    now: datetime
    wait: timedelta | None
    again: timedelta


def concluded(
    status: CollectorStatus, settled: Settlement, live: Sequence[Json], pace: Pace
) -> Result[CollectorStatus]:
    """What there is to say of a release that is deployed, by its objects as they are now."""
    status.resources = resources_of(live)
    unready = summary(live) if pace.wait else ""
    if unready and pace.wait:
        return rolling_out(status, unready, when(settled.revision) + pace.wait, pace)
    return available(status, settled.revision, pace.now, pace.again)


def available(
    status: CollectorStatus, revision: Revision, now: datetime, again: timedelta
) -> Result[CollectorStatus]:
    """Everything is deployed and ready."""
    reason = "InstallSucceeded" if revision.number == 1 else "UpgradeSucceeded"
    chart = f"{revision.chart} {revision.chart_version}"
    message = f"revision {revision.number} of {revision.release} is one of chart {chart}"
    Told(reason, message).write(status, now)
    return Result.ready(status, reason=reason, message=message, again=again)


def rolling_out(
    status: CollectorStatus, unready: str, until: datetime, pace: Pace
) -> Result[CollectorStatus]:
    """Something is not ready yet; from `until` on, that is a failure. A newer chart may still mend it."""
    late = pace.now >= until
    reason = "NotReady" if late else "RollingOut"
    Told(reason, unready, progressing=not late, degraded=late).write(status, pace.now)
    due = pace.again if late else min(pace.again, max(until - pace.now, _AT_LEAST))
    return Result.waiting(reason, unready, status, again=due)


def when(revision: Revision) -> datetime:
    """When a revision was deployed, as Helm noted it; long ago if that cannot be read."""
    try:
        moment = datetime.fromisoformat(revision.deployed)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def held(status: CollectorStatus) -> Key | None:
    """The release that a Collector has, or is about to have."""
    return Key(status.release.namespace, status.release.name) if status.release else None
