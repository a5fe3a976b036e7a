from __future__ import annotations

import pytest

from windlass.schema.cel.cost import MOST, Range


def test_sums_and_products_stop_at_the_largest_number() -> None:
    large = Range(2, MOST - 1)

    assert large.plus(Range(1, 5)) == Range(3, MOST)
    assert large.times(Range(3, 2)) == Range(6, MOST)
    assert large.times(Range(3, 1)) == Range(6, MOST - 1)


@pytest.mark.parametrize(
    ("size", "factor", "cost"),
    [(0, 0.1, 0), (1, 0.1, 1), (10, 0.1, 1), (11, 0.1, 2), (MOST, 0.1, 1844674407370955264), (MOST, 2, MOST)],
)
def test_a_cost_is_rounded_up(size: int, factor: float, cost: int) -> None:
    assert Range.exactly(size).scaled(factor) == Range.exactly(cost)


def test_ranges_are_joined_to_one_that_has_room_for_both() -> None:
    assert Range(1, 3).joined(Range(2, 5)) == Range(1, 5)
