"""When a CronJob is due: the notation of its schedule, and the moments that it has missed."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from windlass.api import parse_duration
from windlass.reconcile import Schedule

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from windlass.kinds.batch.v1 import CronJob

_EVERY: Final = "@every "
_ZONES: Final = ("TZ=", "CRON_TZ=")
_SECOND: Final = timedelta(seconds=1)
_SKEW: Final = timedelta(milliseconds=100)
_MANY: Final = 100


class Moments(Protocol):
    """Moments that repeat."""

    def next(self, after: datetime) -> datetime:
        """The first one later than `after`."""


class Interval(NamedTuple):
    """Moments that lie equally far apart, counted from the last one."""

    length: timedelta

    def next(self, after: datetime) -> datetime:
        """The first one later than `after`."""
        return after.replace(microsecond=0) + self.length


class Due(NamedTuple):
    """The last moment that has passed and had no Job, if there is one, and whether very many have."""

    moment: datetime | None
    is_late: bool = False
    has_missed_many: bool = False


def zone_of(cron_job: CronJob) -> tzinfo:
    """The time zone of a CronJob.

    Raises:
        ValueError: it is not known here.
    """
    return _zone(cron_job.spec.time_zone or "")


def moments_of(cron_job: CronJob) -> Moments:
    """The schedule of a CronJob: five fields, a word such as `@daily`, or `@every 90m`.

    Raises:
        ValueError: it cannot be read, never happens, or its time zone is not known here.
    """
    zone, text = zone_of(cron_job), cron_job.spec.schedule.strip()
    if text.startswith(_ZONES):  # objects from before there was a field for it
        named, _, text = text.partition(" ")
        zone, text = _zone(named.partition("=")[2]), text.strip()
    if text.startswith(_EVERY):
        length = max(parse_duration(text.removeprefix(_EVERY)), _SECOND)
        return Interval(length // _SECOND * _SECOND)
    return Schedule(text, zone, literal=True)


def due(cron_job: CronJob, moments: Moments, now: datetime) -> Due:
    """The last moment that has passed and had no Job; those before it are not made up for."""
    start = _start(cron_job, now)
    deadline = cron_job.spec.starting_deadline_seconds
    if deadline is not None:
        start = max(start, now - timedelta(seconds=deadline))
    moment, missed = _last(moments, start, now)
    is_late = deadline is not None and moment is not None and moment + timedelta(seconds=deadline) < now
    return Due(moment, is_late, missed > _MANY)


def next_look(cron_job: CronJob, moments: Moments, now: datetime) -> timedelta:
    """How long it is until the next moment, and a little more, since clocks differ."""
    start = _start(cron_job, now)
    moment, missed = _last(moments, start, now)
    base = moment or (now if missed else start)
    return max(moments.next(base) - now, timedelta()) + _SKEW


def _zone(name: str) -> tzinfo:
    if not name:
        return UTC
    from zoneinfo import ZoneInfo  # most have none

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"unknown time zone {name}") from error


def _start(cron_job: CronJob, now: datetime) -> datetime:
    """Since when moments count."""
    return cron_job.status.last_schedule_time or cron_job.metadata.creation_timestamp or now


def _last(moments: Moments, start: datetime, now: datetime) -> tuple[datetime | None, int]:
    """The last moment after `start` that has passed, and about how many have.

    It does not go through all of them: there may be years. What lies between the first two tells about where
    the last one is.
    """
    first = moments.next(start)
    second = moments.next(first)
    if now < first:
        return None, 0
    if now < second:
        return first, 0
    between = second - first
    missed = (now - first) // between + 1
    moment, found = moments.next(first + (missed - 2) * between), None
    while moment <= now:
        moment, found = moments.next(moment), moment
    return found, missed
