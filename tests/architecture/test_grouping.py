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

ONCE = """
from pathlib import Path

import pytest

def once(name):
    path = Path(f"failed-{name}")
    path.touch(exist_ok=False) if not path.exists() else Path(f"passed-{name}").touch()
    assert Path(f"passed-{name}").exists()

def test_alone():
    once("alone")

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("name", ["a", "b c", "d@e"])
def test_grouped(name):
    once(name)

def test_right():
    assert not Path("failed-right").exists()
    Path("failed-right").touch()
"""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder by two workers, with the hooks of this one."""
    shutil.copy(FOLDER / "conftest.py", folder)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(FOLDER / "lib")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_tests_of_one_group_share_a_worker(tmp_path: Path) -> None:
    (tmp_path / "test_group.py").write_text(TESTS)

    ran = pytest_in(tmp_path, "-p", "no:cacheprovider")

    assert ran.returncode == 0, ran.stdout
    assert len({path.read_text() for path in tmp_path.glob("here-*")}) == 1


def test_all_that_failed_is_tried_again_and_nothing_else(tmp_path: Path) -> None:
    for number in range(2):  # in one file with what has no group, and in another
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}" / f"test_once_{number}.py").write_text(
            ONCE.replace("-{name}", f"-{{name}}-{number}").replace("-right", f"-right-{number}")
        )

    first = pytest_in(tmp_path)
    again = pytest_in(tmp_path, "--last-failed")

    assert "8 failed, 2 passed" in first.stdout
    assert "8 passed" in again.stdout
