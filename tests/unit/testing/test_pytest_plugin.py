from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

TEST = """
def test_one(control_plane): ...
def test_two(namespace): ...
"""

SUMMARY = """
import threading

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"threads at the end: {threading.active_count()}")
"""


def run_pytest(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(TEST)
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, env=env | variables, capture_output=True, text=True, timeout=50, check=False
    )


def test_without_the_option_a_test_is_skipped_with_the_flag_as_the_reason(tmp_path: Path) -> None:
    done = run_pytest(tmp_path)

    assert done.returncode == 0
    assert "2 skipped" in done.stdout
    assert "needs a control plane: run pytest with --control-plane real" in done.stdout


def test_a_choice_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "--control-plane", "imaginary")

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "invalid choice: 'imaginary'" in done.stderr


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "xdist"])
def test_missing_programs_are_answered_with_the_command_that_installs_them(
    workers: list[str], tmp_path: Path
) -> None:
    done = run_pytest(
        tmp_path,
        "--control-plane",
        "real",
        *workers,
        KUBEBUILDER_ASSETS="",
        PATH="",
        WINDLASS_CACHE=str(tmp_path),
    )

    assert done.returncode != 0
    assert "windlass tools install control-plane" in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_an_embedded_control_plane_has_ended_when_the_run_is_summed_up(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(SUMMARY)

    done = run_pytest(tmp_path, "--control-plane", "embedded")

    assert "threads at the end: 1" in done.stdout
    assert "2 passed" in done.stdout


def test_loading_the_plugin_loads_nothing_heavy() -> None:
    heavy = [
        "aiohttp",
        "asyncio",
        "cryptography",
        "pydantic",
        "ssl",
        "http.client",
        "subprocess",
        "windlass.tools",
        "yaml",
    ]
    script = f"""
import sys, pytest
before = set(sys.modules)
import windlass.testing.pytest_plugin
print(*sorted((set(sys.modules) - before) & set({heavy!r})))
"""
    # What pytest itself has loaded does not count.
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout

    assert printed.split() == []


SIMULATION = """
from windlass.testing import Scenario

class Idle(Scenario):
    def operator(self, manager, world): ...
    async def play(self, world):
        print("played", self.number)

count = iter(range(100))

def scenario():
    idle = Idle()
    idle.number = next(count)
    return idle

def test_it(simulate):
    print("seeds", simulate(scenario, seeds=3).seeds)
"""


@pytest.mark.parametrize(
    ("arguments", "count"), [([], 3), (["--simulation-seeds", "5"], 5), (["--simulation-seed", "17"], 1)]
)
def test_the_command_line_says_which_seeds_are_simulated(
    arguments: list[str], count: int, tmp_path: Path
) -> None:
    (tmp_path / "test_simulation.py").write_text(SIMULATION)

    done = run_pytest(tmp_path, "-s", "test_simulation.py", *arguments)

    assert done.returncode == 0, done.stdout
    assert done.stdout.count("played") == count
    assert f"seeds {count}\n" in done.stdout
