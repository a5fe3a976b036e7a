from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from caching import Setup
from windlass.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def setup() -> AsyncIterator[Setup]:
    """A cluster of its own for each test, and a cache of it."""
    async with Cluster() as cluster:
        yield Setup(cluster)
