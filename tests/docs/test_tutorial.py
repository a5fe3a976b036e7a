"""The tutorial's files do what its pages say, after each step; its commands are typed by tests/real."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import readme
import tutorial

if TYPE_CHECKING:
    from pathlib import Path

PASSING = {"test": 2, "time": 3, "outside": 4, "webhook": 6}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=55, check=False)


@pytest.mark.parametrize(("step", "count"), PASSING.items())
def test_after_each_step_all_tests_so_far_pass(step: str, count: int, tmp_path: Path) -> None:
    tutorial.write(tmp_path, step)

    done = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout
    assert f"{count} passed" in done.stdout


def test_a_finalize_that_trusts_the_status_is_found_by_simulation_alone(tmp_path: Path) -> None:
    tutorial.write(tmp_path, "simulation")
    controller = tmp_path / "preview" / "controller.py"
    text = controller.read_text(encoding="utf-8")
    (trusting,) = readme.blocks("python", "docs/tutorial/simulation.md")
    text = re.sub(r"    async def finalize\(.*?Result.ready\(\)\n", lambda _: trusting, text, flags=re.DOTALL)
    controller.write_text(text, encoding="utf-8")

    command = ("pytest", "-q", "-p", "no:cacheprovider", "--simulation-seeds", "100")
    done = run(tmp_path, *command, "test_outside.py", "test_simulation.py")

    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert re.search(r"no orphan: .* SimulatedHosts still has shop-43.default.preview.test", done.stdout)


def test_a_page_shows_every_file_that_its_step_brings() -> None:
    for step in tutorial.steps():
        page = (readme.ROOT / tutorial.PAGES / f"{step}.md").read_text(encoding="utf-8")
        shown = set(re.findall(r"\{literalinclude\} (steps/\S+)", page))
        brought = {path for path in tutorial.files_of(step).rglob("*") if path.is_file()}
        named = {str(path.relative_to(readme.ROOT / tutorial.PAGES)) for path in brought}
        assert {each for each in named if "__pycache__" not in each} == shown, step
