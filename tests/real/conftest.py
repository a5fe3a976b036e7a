"""What the run says at its end: figures that tests recorded, such as seeds and accepted differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


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
