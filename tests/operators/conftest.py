"""The operators that come with Windlass, on a whole cluster: an embedded one, or the one that `--control-plane` names.

What needs the `helm` program is left out unless a control plane is named: `make test` needs nothing but Python.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from whole_cluster import client, control_plane  # noqa: F401 - fixtures
from windlass.errors import ToolError
from windlass.tools import find_helm


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs `helm` where nobody asked for it."""
    if config.getoption("--control-plane"):
        return
    here = Path(__file__).parent  # a hook of a folder is asked about the tests of all folders
    left_out = {
        item
        for item in items
        if "helm" in getattr(item, "fixturenames", ()) and item.path.is_relative_to(here)
    }
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def helm() -> Path:
    """The `helm` program."""
    try:
        return find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
