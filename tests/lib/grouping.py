"""Tests that must share a worker do: xdist 3.8 notes their group where pytest 9.2 no longer looks."""

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
