"""More seeds than a unit test has time for. The control plane is not touched: what needs minutes runs here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from planted import Shops

if TYPE_CHECKING:
    from windlass.testing import Simulate


@pytest.mark.timeout(600)
def test_two_hundred_seeds_find_nothing_wrong_with_a_right_operator(simulate: Simulate) -> None:
    assert simulate(Shops, seeds=200).seeds == 200
