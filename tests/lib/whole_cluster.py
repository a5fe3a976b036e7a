"""Fixtures of the suites that stand on a whole cluster: an embedded one, or the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from real import administrator
from windlass.cluster import ClusterOptions
from windlass.testing import fast_nodes
from windlass.testing.embedded import EmbeddedControlPlane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from windlass.client import Client
    from windlass.testing import Access


@pytest.fixture(scope="session")
def control_plane(request: pytest.FixtureRequest) -> Iterator[Access]:
    """The cluster of this run: controllers, a scheduler and nodes included."""
    if request.config.getoption("--control-plane") == "real":
        yield request.getfixturevalue("shared_control_plane")
        return
    served = EmbeddedControlPlane(ClusterOptions(controllers=True, nodes=fast_nodes()))
    yield served.access
    served.stop()


@pytest.fixture
async def client(control_plane: Access, namespace: str) -> AsyncIterator[Client]:
    """An administrator whose objects lie in the test's own namespace."""
    async with administrator(control_plane, namespace) as client:
        yield client
