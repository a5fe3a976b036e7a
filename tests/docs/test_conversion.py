"""What the guide to conversion shows works."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import readme

if TYPE_CHECKING:
    from pathlib import Path

GUIDE = "docs/guides/conversion.md"
SETTINGS = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\npythonpath = .\n"


def test_the_examples_of_conversion_pass_and_the_fault_is_shown(tmp_path: Path) -> None:
    for block in readme.blocks("python", GUIDE):
        named = re.match(r"# (\w+\.py)\n", block)
        assert named, block
        (tmp_path / named[1]).write_text(block, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=55, check=False)

    assert "1 failed, 3 passed" in done.stdout, done.stdout
    (shown,) = readme.blocks("text", GUIDE)
    said = re.sub(r"^E +(AssertionError: )?", "", done.stdout, flags=re.MULTILINE)
    assert [line for line in map(str.strip, shown.splitlines()) if line not in said] == []
