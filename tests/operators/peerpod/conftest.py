"""An operator for peer pods, and nodes for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from peer_pods import Peering

if TYPE_CHECKING:
    from windlass.testing import Starter


@pytest.fixture
def peering(operator: Starter) -> Peering:
    """Starts the operator."""
    return Peering(operator)
