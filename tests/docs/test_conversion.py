"""What the guide to conversion shows works."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import readme

if TYPE_CHECKING:
    from pathlib import Path

GUIDE = "docs/guides/conversion.md"
SETTINGS = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\npythonpath = .\n"


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The files of the page."""
    readme.write_files(tmp_path, GUIDE, "shop.py", "test_shop.py", "test_fault.py")
    readme.write_files(tmp_path, GUIDE, "booking.py", "test_booking.py", "careful.py", "test_careful.py")
    (tmp_path / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("module", "file", "said"),
    [
        ("shop.py", "crd/bases/demo.example.com_shops.yaml", "path: /convert"),
        ("shop.py", "webhook/manifests.yaml", "path: /convert/v1beta1"),
        ("booking.py", "webhook/manifests.yaml", "path: /validate-demo-example-com-v1-booking"),
    ],
)
def test_the_examples_of_conversion_become_files(examples: Path, module: str, file: str, said: str) -> None:
    command = [sys.executable, "-m", "windlass", "generate", "all", module]

    subprocess.run(command, cwd=examples, capture_output=True, timeout=50, check=True)

    assert said in (examples / "config" / file).read_text(encoding="utf-8")


def test_the_examples_of_conversion_pass_and_the_fault_is_shown(examples: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]

    done = subprocess.run(command, cwd=examples, capture_output=True, text=True, timeout=55, check=False)

    assert "1 failed, 4 passed" in done.stdout, done.stdout
    (shown,) = readme.blocks("text", GUIDE)
    said = re.sub(r"^E +(AssertionError: )?", "", done.stdout, flags=re.MULTILINE)
    assert [line for line in map(str.strip, shown.splitlines()) if line not in said] == []
