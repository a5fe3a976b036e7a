"""Tests that must share a worker do: xdist 3.8 notes their group where pytest 9.2 no longer looks.

The group becomes part of a test's id, which `--last-failed` looks for before xdist has added it, and after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from _pytest.nodeid import coerce_node_id

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Let each test's own id have the group that xdist added to it."""
    yield
    for item in items:
        noted: str | None = vars(item).get("_nodeid")
        if noted is not None:
            item._id = coerce_node_id(noted)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Have what failed remembered without its group, too."""
    plugin = session.config.pluginmanager.get_plugin("lfplugin")
    if plugin is not None:
        grouped = [str(name) for name in plugin.lastfailed if "@" in str(name)]
        plugin.lastfailed.update({coerce_node_id(name.rpartition("@")[0]): True for name in grouped})
