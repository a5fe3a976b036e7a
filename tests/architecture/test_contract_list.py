"""The page that lists the contract suite is the suite."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "list_contract.py"


def test_the_page_lists_every_behaviour() -> None:
    checked = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stderr


def test_there_are_at_least_150_behaviours_and_no_two_of_one_feature_claim_the_same() -> None:
    script = runpy.run_path(str(SCRIPT))
    files = [script["behaviours"](path) for path in script["SUITE"].glob("test_*.py")]
    claims = [(title, claim) for title, listed in files for claim in listed]

    assert len(claims) >= 150
    assert sorted(claims) == sorted(set(claims))
