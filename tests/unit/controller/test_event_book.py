from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from windlass.controller.event_book import EventBook, EventOptions, Report, Series, Subject

START = datetime(2026, 1, 1, tzinfo=UTC)
MINUTE = 60.0


def about(name: str) -> Subject:
    return Subject("v1", "ConfigMap", "default", name, "uid")


def report(note: str = "hello", name: str = "a") -> Report:
    return Report(about(name), "Normal", "Said", note, "tester")


class Bookkeeper:
    """A book, and the time."""

    def __init__(self, options: EventOptions | None = None) -> None:
        self.book = EventBook(options or EventOptions())
        self.moment = 1000.0

    def say(self, said: Report, times: int = 1) -> None:
        for _ in range(times):
            self.book.note(said, START + timedelta(seconds=self.moment), self.moment)

    def sent(self) -> list[tuple[str, int]]:
        """Send all that is due: what it says, and how often it was said."""
        found = []
        while (series := self.book.take(self.moment)) is not None:
            found.append((series.report.note, series.count))
            self.book.sent(series, series.count, self.moment)
        return found

    def take(self) -> Series:
        series = self.book.take(self.moment)
        assert series is not None
        return series


def test_what_is_new_is_due_at_once_and_what_repeats_after_a_minute() -> None:
    keeper = Bookkeeper()
    keeper.say(report())
    assert keeper.sent() == [("hello", 1)]

    keeper.say(report(), times=5)
    assert keeper.sent() == []
    assert keeper.book.next_due == 1000 + MINUTE

    keeper.moment += MINUTE
    assert keeper.sent() == [("hello", 6)]
    assert keeper.book.next_due is None


def test_a_report_that_goes_on_is_sent_once_in_each_minute() -> None:
    keeper = Bookkeeper()
    sent = []
    for _ in range(300):
        keeper.say(report())
        sent += keeper.sent()
        keeper.moment += 1

    assert [count for _, count in sent] == [1, 61, 121, 181, 241]


def test_what_repeats_while_it_is_being_sent_is_sent_again_later() -> None:
    keeper = Bookkeeper()
    keeper.say(report())
    series = keeper.take()
    keeper.say(report())
    keeper.book.sent(series, 1, keeper.moment)

    keeper.moment += MINUTE
    assert keeper.sent() == [("hello", 2)]


def test_what_differs_in_object_type_reason_or_note_is_another_event() -> None:
    keeper = Bookkeeper()
    said = report()
    others = [
        report(name="b"),
        said._replace(type="Warning"),
        said._replace(reason="Other"),
        said._replace(note="bye"),
    ]
    for each in (said, *others):
        keeper.say(each)

    assert [count for _, count in keeper.sent()] == [1] * 5


def test_what_is_said_again_after_a_long_pause_is_a_new_event() -> None:
    keeper = Bookkeeper()
    keeper.say(report())
    keeper.sent()
    keeper.moment += 31 * MINUTE
    keeper.say(report())

    assert keeper.sent() == [("hello", 1)]


def test_of_many_different_events_about_one_object_25_pass_and_then_one_in_five_minutes() -> None:
    keeper = Bookkeeper()
    for number in range(40):
        keeper.say(report(str(number)))
    assert len(keeper.sent()) == 25
    assert keeper.book.dropped == 15

    for number in range(40, 60):
        keeper.moment += MINUTE
        keeper.say(report(str(number)))
    assert len(keeper.sent()) == 4
    keeper.say(report("other", name="b"))
    assert len(keeper.sent()) == 1


def test_repetitions_do_not_use_up_what_an_object_may_say() -> None:
    keeper = Bookkeeper()
    keeper.say(report(), times=1000)
    keeper.say(report("new"))

    assert keeper.sent() == [("hello", 1000), ("new", 1)]
    assert keeper.book.dropped == 0


def test_no_more_events_wait_than_allowed() -> None:
    keeper = Bookkeeper(EventOptions(waiting=10))
    for number in range(15):
        keeper.say(report(name=str(number)))

    assert keeper.book.dropped == 5
    assert len(keeper.sent()) == 10


def test_memory_of_objects_and_reports_is_bounded() -> None:
    keeper = Bookkeeper(EventOptions(remembered=10))
    for number in range(50):
        keeper.say(report(name=str(number)))
        keeper.sent()

    assert (len(keeper.book._series), len(keeper.book._paid_until)) == (10, 10)


def test_what_was_not_said_for_longest_is_forgotten_first() -> None:
    keeper = Bookkeeper(EventOptions(remembered=2))
    for name in ("a", "b", "a", "c", "a"):
        keeper.say(report(name=name))

    assert keeper.sent() == [("hello", 3), ("hello", 1), ("hello", 1)]


def test_what_fails_is_tried_again_after_a_pause_and_then_given_up() -> None:
    keeper = Bookkeeper(EventOptions(attempts=3))
    keeper.say(report())
    for _ in range(2):
        keeper.book.failed(keeper.take(), keeper.moment)
        assert keeper.book.next_due == keeper.moment + 10
        keeper.moment += 10
    keeper.book.failed(keeper.take(), keeper.moment)

    assert (keeper.book.next_due, keeper.book.dropped) == (None, 1)
    keeper.say(report())
    assert keeper.sent() == [("hello", 1)]


def test_what_was_put_back_is_due_at_once() -> None:
    keeper = Bookkeeper()
    keeper.say(report())
    keeper.book.put_back(keeper.take(), keeper.moment)

    assert keeper.sent() == [("hello", 1)]


@pytest.mark.parametrize(
    "wrong", [{"burst": 0}, {"waiting": 0}, {"refill": timedelta()}, {"flush": timedelta()}], ids=str
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="EventOptions"):
        EventOptions(**wrong)
