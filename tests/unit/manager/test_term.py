from __future__ import annotations

from datetime import timedelta

import pytest

from windlass.aio import ManualClock
from windlass.errors import NotLeadingError
from windlass.manager.term import Term

SECOND = timedelta(seconds=1)


def term_of(clock: ManualClock) -> Term:
    return Term("default/x", 10 * SECOND, clock, clock.elapsed())


async def test_a_term_ends_when_its_length_has_passed_since_the_renewal_was_asked_for() -> None:
    clock = ManualClock()
    asked = clock.elapsed()
    await clock.advance(3 * SECOND)  # the answer took its time
    term = Term("default/x", 10 * SECOND, clock, asked)
    assert term.left() == 7 * SECOND
    await clock.advance(7 * SECOND - timedelta(microseconds=1))
    term.check()
    await clock.advance(timedelta(microseconds=1))
    with pytest.raises(NotLeadingError, match=r"default/x was last renewed 10\.0 s ago"):
        term.check()
    assert term.left() == timedelta()
    assert not term.passes


async def test_a_renewal_prolongs_a_term() -> None:
    clock = ManualClock()
    term = term_of(clock)
    await clock.advance(9 * SECOND)
    term.renew(8.0)
    assert term.left() == 9 * SECOND
    term.check()


async def test_a_renewal_that_comes_too_late_does_not_bring_a_term_back() -> None:
    clock = ManualClock()
    term = term_of(clock)
    await clock.advance(10 * SECOND)
    term.renew(9.0)
    with pytest.raises(NotLeadingError):
        term.check()


async def test_a_closed_term_refuses_for_ever() -> None:
    clock = ManualClock()
    term = term_of(clock)
    term.close()
    term.renew(clock.elapsed())
    with pytest.raises(NotLeadingError, match="no longer holds the lease default/x"):
        term.check()
    assert term.left() == timedelta()


async def test_a_suspension_counts() -> None:
    clock = ManualClock()
    term = term_of(clock)
    clock.suspend(10 * SECOND)
    with pytest.raises(NotLeadingError):
        term.check()


@pytest.mark.parametrize("hours", [-10_000, 10_000])
async def test_a_jump_of_the_wall_clock_does_not_matter(hours: int) -> None:
    clock = ManualClock()
    term = term_of(clock)
    clock.jump(timedelta(hours=hours))
    term.check()
    assert term.left() == 10 * SECOND


async def test_a_doubt_lasts_as_long_as_what_was_sent_may_take() -> None:
    clock = ManualClock()
    term = term_of(clock)
    assert (term.doubtful, term.passes) == (False, True)
    await clock.advance(4 * SECOND)
    term.doubt()
    term.renew(4.0)
    assert (term.doubtful, term.passes) == (True, True)
    await clock.advance(6 * SECOND)
    assert (term.doubtful, term.passes) == (False, True)
