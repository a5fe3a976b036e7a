"""Operators on each of the servers; and what the run says at its end: figures that tests recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.testing import Starter
from windlass.testing.embedded import EmbeddedControlPlane

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def port() -> Iterator[EmbeddedControlPlane]:
    """The embedded server on a port."""
    plane = EmbeddedControlPlane()
    yield plane
    plane.stop()


@pytest.fixture(params=["in process", "on a port", "real"])
def standing(request: pytest.FixtureRequest) -> Starter:
    """What starts an operator, on each of the servers."""
    if request.param == "in process":
        return Starter(request.getfixturevalue("api_server"))
    if request.param == "on a port":
        return Starter(request.getfixturevalue("port").access)
    return Starter(request.getfixturevalue("control_plane"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the tests recorded of themselves, also when pytest-xdist ran them elsewhere."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    lines = [
        f"{report.nodeid.rpartition('::')[2]}: " + ", ".join(f"{name} {value}" for name, value in recorded)
        for report in reports
        if (recorded := getattr(report, "user_properties", ())) and report.when == "call"
    ]
    if lines:
        terminalreporter.section("figures")
        for line in sorted(lines):
            terminalreporter.write_line(line)
