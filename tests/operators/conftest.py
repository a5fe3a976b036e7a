"""The operators that come with Windlass, on a whole cluster: an embedded one, or the one that `--control-plane` names.

Without a name, whatever needs nothing but Python and little time runs, the embedded cluster in the process of the test. The
real one is for what stands on a cluster; an embedded one in a process of its own for what the `helm` program or another
process talks to, since the rest was shown in-process.
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
    named: str | None = config.getoption("--control-plane")
    left_out = {item for item in items if item.path.is_relative_to(here) and not _belongs_here(item, named)}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def _belongs_here(item: pytest.Item, named: str | None) -> bool:
    """Whether a test has something to show on the cluster of this run."""
    fixtures = set(getattr(item, "fixturenames", ()))
    deployed = item.get_closest_marker("deployed") is not None
    if named is None:
        return not deployed and "helm" not in fixtures
    programs = deployed or bool(fixtures & {"helm", "collecting"})
    if named == "embedded":
        return programs
    return programs or ("simulate" not in fixtures and bool(fixtures & {"operator", "control_plane"}))


@pytest.fixture(scope="session")
def helm() -> Path:
    """The `helm` program."""
    try:
        return find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
