"""The page of limits is the list, and the list names tests that exist."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from limits import limits

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_lists_every_limit() -> None:
    script = ROOT / "scripts" / "list_limits.py"
    checked = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stderr


def test_every_limit_is_shown_by_tests_that_exist() -> None:
    shown = [test for limit in limits() for test in limit.tests]

    assert all(limit.tests for limit in limits())
    assert len(shown) == len(set(shown))
    for test in shown:
        file, _, name = test.partition("::")
        folder = ROOT / "tests" if file.startswith("whole/") else ROOT / "tests" / "contract"
        assert f"def {name.partition('[')[0]}(" in (folder / file).read_text(encoding="utf-8")
