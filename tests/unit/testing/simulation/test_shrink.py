from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.testing.simulation.shrink import shrink

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = [f"d{number}" for number in range(24)]


@pytest.mark.parametrize("guilty", [set(), {"d0"}, {"d23"}, {"d3", "d17"}, {"d4", "d5", "d22"}])
def test_just_the_guilty_are_left(guilty: set[str]) -> None:
    assert shrink(NAMES, lambda names: guilty <= set(names), 1000) == [
        each for each in NAMES if each in guilty
    ]


def test_it_ends_after_so_many_attempts_with_something_that_still_fails() -> None:
    tried: list[Sequence[str]] = []

    def still_fails(names: Sequence[str]) -> bool:
        tried.append(names)
        return {"d3", "d17"} <= set(names)

    kept = shrink(NAMES, still_fails, 7)

    assert len(tried) == 7
    assert {"d3", "d17"} <= set(kept) < set(NAMES)
