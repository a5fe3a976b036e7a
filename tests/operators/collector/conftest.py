"""An operator for Collectors: with the `helm` program where a control plane is named, else without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tenants import Collecting

if TYPE_CHECKING:
    from windlass.testing import Starter


@pytest.fixture
def collecting(operator: Starter, request: pytest.FixtureRequest) -> Collecting:
    """Starts the operator."""
    named = request.config.getoption("--control-plane")
    return Collecting(operator, request.getfixturevalue("helm") if named else None)
