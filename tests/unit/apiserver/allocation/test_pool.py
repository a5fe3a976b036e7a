from __future__ import annotations

from random import Random

import pytest

from windlass.apiserver.allocation.pool import NotFree, pick, reserved_of


def test_numbers_that_are_reserved_are_chosen_last() -> None:
    taken: set[int] = set()

    order = [_take(taken) for _ in range(10)]

    assert sorted(order[:6]) == [4, 5, 6, 7, 8, 9]
    assert sorted(order[6:]) == [0, 1, 2, 3]


def test_a_full_range_has_nothing_to_give() -> None:
    with pytest.raises(NotFree, match="range is full"):
        pick(3, 1, lambda _number: True, Random(1))


@pytest.mark.parametrize(
    ("size", "step", "most", "reserved"),
    [(16, 16, 256, 0), (17, 16, 256, 16), (1024, 16, 256, 64), (65536, 16, 256, 256), (2768, 32, 128, 86)],
)
def test_a_part_of_a_range_is_reserved_within_bounds(size: int, step: int, most: int, reserved: int) -> None:
    assert reserved_of(size, step, most) == reserved


def _take(taken: set[int]) -> int:
    number = pick(10, 4, taken.__contains__, Random(len(taken)))
    taken.add(number)
    return number
