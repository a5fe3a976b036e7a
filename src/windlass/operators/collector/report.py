"""What a Collector says of itself: status and conditions, from what was found and done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.api import Condition, Key, set_condition
from windlass.errors import (
    ChartError,
    ChartRefusedError,
    Forbidden,
    HelmError,
    ReleaseError,
    Terminal,
    UndecodableError,
)
from windlass.helm import is_kept, is_object, said
from windlass.operators.collector.types import ObjectStatus, ReleaseStatus
from windlass.reconcile import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Json
    from windlass.errors import ReleaseFailure
    from windlass.helm import Repair, Revision, Settlement, Shared
    from windlass.operators.collector.types import CollectorStatus
    from windlass.reconcile import Context

_LONGEST: Final = 1024
_AT_LEAST: Final = timedelta(seconds=1)
_MOST: Final = 5
_FORBIDDEN: Final = 403
_ROLLED_BACK: Final = "; rolled back to revision"


_BY_KIND: Final[Mapping[ReleaseFailure, str]] = {
    "render": "RenderFailed",
    "conflict": "Conflict",
    "busy": "ReleaseBusy",
    "queued": "Queued",
}


_BY_CLASS: Final = (
    (UndecodableError, "Undecodable"),
    (ChartRefusedError, "ChartSourceNotAllowed"),
    (ChartError, "ChartFetchFailed"),
)


class Told(NamedTuple):
    """What the conditions Progressing and Degraded say."""

    reason: str
    message: str
    progressing: bool = False
    degraded: bool = False

    def write(self, status: CollectorStatus, now: datetime) -> None:
        """Put the conditions into a status."""
        for type_, holds in (("Progressing", self.progressing), ("Degraded", self.degraded)):
            _set(status, type_, "True" if holds else "False", (self.reason, self.message), now)


def reason_of(error: Exception) -> str:
    """Return the reason of the conditions that report a failure."""
    if isinstance(error, Terminal):
        return error.reason
    by_class = [reason for class_, reason in _BY_CLASS if isinstance(error, class_)]
    if by_class:
        return by_class[0]
    if isinstance(error, ReleaseError) and error.kind in _BY_KIND:
        return _BY_KIND[error.kind]
    if is_forbidden(error):
        return "Forbidden"
    return "RolledBack" if _ROLLED_BACK in str(error) else "ApplyFailed"


def is_forbidden(error: Exception) -> bool:
    """Whether the API server refused something for want of rights."""
    if isinstance(error, HelmError):
        return any(each.code == _FORBIDDEN for each in error.refusals)
    return isinstance(error, Forbidden)


def failed(
    status: CollectorStatus, error: Exception, now: datetime, latest: timedelta | None = None
) -> Result[CollectorStatus]:
    """Report a failure; it is retried when its release says so, otherwise with exponential backoff.

    The next pass follows after `latest` at the latest.
    """
    reason, message = reason_of(error), message_of(error)
    waits = isinstance(error, ReleaseError) and error.kind == "queued"
    Told(reason, message, progressing=waits, degraded=not waits).write(status, now)
    if not isinstance(error, ReleaseError):
        return Result.failed(error, status, reason=reason)
    again = max(error.retry_at - now, _AT_LEAST) if error.retry_at else None
    if again is not None and latest is not None:
        again = min(again, latest)
    if not error.tried:
        return Result.waiting(reason, message, status, again=again)
    return Result.failed(error, status, reason=reason, again=again)


def record_event(error: Exception, ctx: Context) -> None:
    """Record a warning about a failure; of one that was reported before, nothing."""
    if not isinstance(error, ReleaseError) or error.tried:
        ctx.event(reason_of(error), message_of(error), warning=True)


def message_of(error: Exception) -> str:
    """Return what a condition says of an error: of an answer of the API server, its message alone."""
    return said(error)


def waiting(status: CollectorStatus, reason: str, message: str, now: datetime) -> Result[CollectorStatus]:
    """Something else has to happen first, of which a watch will tell."""
    Told(reason, message, progressing=reason != "Conflict", degraded=reason == "Conflict").write(status, now)
    if status.release is None or not status.release.revision:
        set_available(status, "False", reason, message, now)
    return Result.waiting(reason, message, status)


def deployed(status: CollectorStatus, revision: Revision, digest: str, account: str) -> None:
    """Note what is deployed, and as which ServiceAccount."""
    status.release = ReleaseStatus(
        name=revision.release.name,
        namespace=revision.release.namespace,
        revision=revision.number,
        chart_version=revision.chart_version,
        app_version=revision.app_version,
        digest=digest,
        last_deployed=revision.deployed,
        service_account=account,
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
    told: list[Json] = [
        {
            "apiVersion": each.api_version,
            "kind": each.kind,
            "metadata": {"name": each.name, "namespace": each.namespace},
        }
        for each in status.resources
        if not each.kept
    ]
    return list(filter(is_object, told))  # a status may be forged


class Pace(NamedTuple):
    """The time, how long objects may take to become ready (None: they need not), and when to look again."""

    now: datetime
    wait: timedelta | None
    again: timedelta


@dataclass
class Pass:
    """What one pass over a Collector has found: the revision in effect, its objects, and what failed."""

    status: CollectorStatus
    settled: Settlement | None = None
    repair: Repair | None = None
    failure: Exception | None = None

    @property
    def error(self) -> Exception | None:
        """What is to be reported."""
        return self.failure or (self.repair.error if self.repair else None)


def concluded(found: Pass, pace: Pace) -> Result[CollectorStatus]:
    """Report the revision in effect, its objects as they are now, and what failed."""
    status, settled = found.status, found.settled
    unready = ""
    if found.repair is not None:
        status.resources = resources_of(found.repair.live)
        unready = found.repair.unready if pace.wait else "; ".join(found.repair.missing[:_MOST])
    if settled is None:
        error = found.error
        reason, message = (reason_of(error), message_of(error)) if error else ("NotDeployed", "")
        set_available(status, "False", reason, message, pace.now)
    elif found.repair is not None and unready:
        set_available(status, "False", "NotReady", unready, pace.now)
    elif found.repair is not None:
        set_available(status, "True", *success_of(settled.revision), pace.now)
    if found.error is not None:
        return failed(status, found.error, pace.now, pace.again)
    if settled is not None and unready and pace.wait:
        return rolling_out(status, unready, when(settled.revision) + pace.wait, pace)
    return available(status, settled, pace)


def available(status: CollectorStatus, settled: Settlement | None, pace: Pace) -> Result[CollectorStatus]:
    """Report that everything is deployed and ready."""
    if settled is None:
        raise ValueError("a pass without a failure has a revision")
    reason, message = success_of(settled.revision)
    Told(reason, message).write(status, pace.now)
    return Result.ready(status, reason=reason, message=message, again=pace.again)


def success_of(revision: Revision) -> tuple[str, str]:
    """Return reason and message for a revision that is in effect."""
    reason = "InstallSucceeded" if revision.number == 1 else "UpgradeSucceeded"
    chart = f"{revision.chart} {revision.chart_version}"
    return reason, f"revision {revision.number} of {revision.release} is one of chart {chart}"


def set_available(status: CollectorStatus, holds: str, reason: str, message: str, now: datetime) -> None:
    """Report whether the deployed objects are ready, whatever became of a newer revision."""
    _set(status, "Available", holds, (reason, message), now)


def set_shared(status: CollectorStatus, shared: Sequence[Shared], now: datetime) -> None:
    """Report objects that another release has too; the condition is absent if there are none."""
    if shared:
        message = "; ".join(map(str, shared[:_MOST]))
        _set(status, "ObjectConflict", "True", ("ObjectShared", message), now)
    else:
        status.conditions = [each for each in status.conditions if each.type != "ObjectConflict"]


def _set(status: CollectorStatus, type_: str, holds: Any, said: tuple[str, str], now: datetime) -> None:
    reason, message = said
    condition = Condition(type=type_, status=holds, reason=reason, message=message[:_LONGEST])
    set_condition(status.conditions, condition, now)


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
