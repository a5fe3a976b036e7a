"""An operator for Ptemplates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from templating import Templating

if TYPE_CHECKING:
    from windlass.testing import Starter


def pytest_itemcollected(item: pytest.Item) -> None:
    """What KMM does, it does to all nodes: on a cluster that tests share they come one after another."""
    item.add_marker(pytest.mark.xdist_group("nodes"))


@pytest.fixture
def templating(operator: Starter, request: pytest.FixtureRequest) -> Templating:
    """Starts the operator."""
    return Templating(operator, shared=bool(request.config.getoption("--control-plane")))
