"""The operators that come with Windlass, on a whole cluster: an embedded one, or the one that `--control-plane` names.

What needs the `helm` program, or runs programs on a cluster, is left out unless a control plane is named: `make test` needs
nothing but Python, and little time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from whole_cluster import client, control_plane  # noqa: F401 - fixtures
from windlass.errors import ToolError
from windlass.tools import find_helm


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not belong to this run."""
    here = Path(__file__).parent  # a hook of a folder is asked about the tests of all folders
    named = bool(config.getoption("--control-plane"))
    left_out = {
        item for item in items if item.path.is_relative_to(here) and _belongs_elsewhere(item, named=named)
    }
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def _belongs_elsewhere(item: pytest.Item, *, named: bool) -> bool:
    """Simulations are the same on every control plane; `helm` and programs that run need one that is named."""
    fixtures = getattr(item, "fixturenames", ())
    if named:
        return "simulate" in fixtures
    return "helm" in fixtures or item.get_closest_marker("deployed") is not None


@pytest.fixture(scope="session")
def helm() -> Path:
    """The `helm` program."""
    try:
        return find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
