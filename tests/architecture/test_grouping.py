"""Tests of one group run in one worker, one after another."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
TESTS = """
import os
from pathlib import Path

import pytest

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("number", range(12))
def test_here(number):
    Path(f"here-{number}").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_tests_of_one_group_share_a_worker(tmp_path: Path) -> None:
    (tmp_path / "test_group.py").write_text(TESTS)
    shutil.copy(FOLDER / "conftest.py", tmp_path)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}

    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(FOLDER / "lib")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout
    assert len({path.read_text() for path in tmp_path.glob("here-*")}) == 1
