"""Each known defect of the operators that ours replace has a test that is named for it: `test_C07_…`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {
    "collector": {"C": 16},
    "pagerduty": {"P": 18},
    "peerpod": {"D": 12, "W": 11},
    "ptemplate": {"T": 14},
}
UNNUMBERED = {"minimart"}


def named(texts: list[str], letter: str) -> set[int]:
    """The numbers that tests are named for."""
    return {int(found) for text in texts for found in re.findall(rf"def test_{letter}(\d+)_", text)}


@pytest.mark.parametrize("operator", sorted(KNOWN))
def test_each_defect_has_a_test(operator: str) -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tests/operators" / operator).rglob("test_*.py")]

    for letter, count in KNOWN[operator].items():
        assert named(texts, letter) == set(range(1, count + 1))


def test_a_missing_number_is_noticed() -> None:
    assert named(["def test_C01_a(): ...", "async def test_C03_b(): ..."], "C") == {1, 3}


def test_each_operator_says_whose_defects_it_avoids() -> None:
    operators = {path.parent.name for path in (ROOT / "src/windlass/operators").glob("*/__init__.py")}

    assert operators == {*KNOWN, *UNNUMBERED}
