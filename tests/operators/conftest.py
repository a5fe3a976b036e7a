"""The operators that come with Windlass, on a whole cluster: an embedded one, or the one that `--control-plane` names.

What needs the `helm` program is left out unless a control plane is named: `make test` needs nothing but Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from real import administrator
from windlass.cluster import ClusterOptions
from windlass.errors import ToolError
from windlass.testing import fast_nodes
from windlass.testing.embedded import EmbeddedControlPlane
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs `helm` where nobody asked for it."""
    if config.getoption("--control-plane"):
        return
    left_out = [item for item in items if "helm" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def helm() -> Path:
    """The `helm` program."""
    try:
        return find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


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
