"""An operator for Ptemplates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from templating import Templating

if TYPE_CHECKING:
    from windlass.testing import Starter


@pytest.fixture
def templating(operator: Starter, request: pytest.FixtureRequest) -> Templating:
    """Starts the operator."""
    return Templating(operator, shared=bool(request.config.getoption("--control-plane")))
