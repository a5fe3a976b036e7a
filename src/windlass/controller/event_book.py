"""What is to be told about objects: which reports are new, which repeat, and which are too many."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class EventOptions:
    """How many events are sent at most, and how long a recorder bothers; the burst is client-go's.

    `burst`, `refill`: so many new events about an object at once, and then one more each time this passes.
    `update_every`: how often a report that repeats is brought up to date. `lasts`: a report that comes again
    after a longer pause is a new event. `waiting`, `remembered`: how many events may wait to be sent, and how
    many objects and reports are remembered. `attempts`, `pause`: how often one is tried when the server does
    not answer, and how long to wait in between. `flush`: how long the end may take.
    """

    burst: int = 25
    refill: timedelta = timedelta(minutes=5)
    update_every: timedelta = timedelta(minutes=1)
    lasts: timedelta = timedelta(minutes=30)
    waiting: int = 1000
    remembered: int = 4096
    attempts: int = 5
    pause: timedelta = timedelta(seconds=10)
    flush: timedelta = timedelta(seconds=5)

    def __post_init__(self) -> None:
        if min(self.burst, self.waiting, self.remembered, self.attempts) < 1:
            raise ValueError("EventOptions: burst, waiting, remembered and attempts are at least 1")
        if min(self.refill, self.update_every, self.lasts, self.pause, self.flush) <= timedelta():
            raise ValueError("EventOptions: every length of time has to be longer than nothing")


class Subject(NamedTuple):
    """The object that an event is about."""

    api_version: str
    kind: str
    namespace: str
    name: str
    uid: str


class Report(NamedTuple):
    """What is said about an object, and by whom; saying it again makes a series."""

    about: Subject
    type: str
    reason: str
    note: str
    reporter: str


class Series:
    """A report and its repetitions, which are one event in the cluster.

    `known` is the count that the server has, 0 before it has the event at all; `name` is the event's.
    """

    __slots__ = (
        "attempts",
        "count",
        "first",
        "is_waiting",
        "known",
        "last",
        "name",
        "report",
        "seen",
        "sent",
    )

    def __init__(self, report: Report, now: datetime, moment: float) -> None:
        self.report = report
        self.first = self.last = now
        self.seen = moment
        self.sent = moment
        self.count = 1
        self.known = 0
        self.attempts = 0
        self.is_waiting = False
        self.name = ""


class EventBook:
    """Decides what to send and when; all of it is bounded, and what does not fit is counted in `dropped`."""

    def __init__(self, options: EventOptions) -> None:
        self._options = options
        self._series: OrderedDict[Report, Series] = OrderedDict()
        self._paid_until: OrderedDict[Subject, float] = OrderedDict()
        self._due: list[tuple[float, int, Series]] = []
        self._order = count()
        self.dropped = 0

    @property
    def next_due(self) -> float | None:
        """When the next one is to be sent."""
        return self._due[0][0] if self._due else None

    def note(self, report: Report, now: datetime, moment: float) -> None:
        """Somebody says something: once more, or for the first time in a while."""
        series = self._series.get(report)
        if series is not None and moment - series.seen <= self._options.lasts.total_seconds():
            series.count += 1
            series.last, series.seen = now, moment
            self._series.move_to_end(report)
            self._put(series, max(series.sent + self._options.update_every.total_seconds(), moment))
        elif len(self._due) >= self._options.waiting or not self._may_say_more(report.about, moment):
            self.dropped += 1
        else:
            self._series[report] = Series(report, now, moment)
            _bound(self._series, self._options.remembered)
            self._put(self._series[report], moment)

    def take(self, moment: float) -> Series | None:
        """The next one that is due, if any; `sent`, `failed` or `put_back` has to follow."""
        if not self._due or self._due[0][0] > moment:
            return None
        series = heapq.heappop(self._due)[2]
        series.is_waiting = False
        return series

    def sent(self, series: Series, known: int, moment: float) -> None:
        """The server knows a series up to this count; it may have gone on meanwhile."""
        series.known, series.sent, series.attempts = known, moment, 0
        if series.count > known:
            self._put(series, moment + self._options.update_every.total_seconds())

    def failed(self, series: Series, moment: float) -> None:
        """No answer came: it is tried again a little later, but not for ever."""
        series.attempts += 1
        if series.attempts < self._options.attempts:
            self._put(series, moment + self._options.pause.total_seconds())
        else:
            self.refused(series)

    def refused(self, series: Series) -> None:
        """There is no point in sending it again."""
        self.dropped += 1
        if self._series.get(series.report) is series:
            del self._series[series.report]

    def put_back(self, series: Series, moment: float) -> None:
        """It was not sent after all."""
        self._put(series, moment)

    def _put(self, series: Series, due: float) -> None:
        if not series.is_waiting:
            series.is_waiting = True
            heapq.heappush(self._due, (due, next(self._order), series))

    def _may_say_more(self, about: Subject, moment: float) -> bool:
        """A token bucket for each object, kept as the moment up to which its tokens are spent."""
        step = self._options.refill.total_seconds()
        full = moment - step * self._options.burst
        paid = max(self._paid_until.get(about, full), full)
        if paid + step > moment:
            return False
        self._paid_until[about] = paid + step
        self._paid_until.move_to_end(about)
        _bound(self._paid_until, self._options.remembered)
        return True


def _bound(remembered: OrderedDict[Report, Series] | OrderedDict[Subject, float], limit: int) -> None:
    if len(remembered) > limit:
        remembered.popitem(last=False)
