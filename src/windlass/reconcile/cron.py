from __future__ import annotations

from datetime import UTC, timedelta, tzinfo
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.reconcile.cause import Cause
from windlass.reconcile.schedule import Schedule
from windlass.reconcile.timer import Timer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from windlass.api import Key
    from windlass.reconcile.source import Sink

_LONGEST = timedelta(minutes=10)


class Cron(Timer):
    """Wakes all objects at the moments of a schedule in cron's notation.

    It is written in five fields (minute, hour, day of the month, month, day of the week) or as `@hourly`,
    `@daily`, `@weekly`, `@monthly`, `@yearly`, and read in a time zone such as `Europe/Berlin`. Summer time
    is handled as cron does. Moments that pass while the controller does not run are not made up for. With
    `keys` it wakes these alone, as for a `KeyReconciler`, which has no objects.

        sources = (Cron("30 2 * * mon-fri", "Europe/Berlin"),)

    Raises:
        ValueError: it is no schedule, never happens, or the zone is not known.
    """

    def __init__(self, schedule: str, zone: str | tzinfo = UTC, *, keys: Iterable[Key] = ()) -> None:
        super().__init__(keys)
        self._schedule = Schedule(schedule, zone_of(zone))

    @override
    async def run(self, sink: Sink) -> None:
        cause = Cause(f"cron {self._schedule.text}")
        while True:
            await _until(self._schedule.next(sink.clock.now()), sink)
            self.ring(sink, cause)


async def _until(moment: datetime, sink: Sink) -> None:
    """Wait for a moment by the clock on the wall, which may be set while we wait; hence not in one go."""
    while (left := moment - sink.clock.now()) > timedelta():
        await sink.clock.sleep(min(left, _LONGEST))


def zone_of(zone: str | tzinfo) -> tzinfo:
    """The time zone of this name."""
    if isinstance(zone, tzinfo):
        return zone
    from zoneinfo import ZoneInfo  # not needed by those who have no schedule

    try:
        return ZoneInfo(zone)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(
            f"no time zone {zone!r} is known here; where there is none at all, install the package tzdata"
        ) from error
