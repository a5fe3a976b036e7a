"""What is wrong with texts that are no expressions, by us and by Kubernetes."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cel_syntax import REFUSED, first
from oracle import SOURCE, ask, build

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go")


def test_what_is_recorded_is_what_kubernetes_says(tmp_path: Path) -> None:
    answers = ask(build(tmp_path, SOURCE / "cel"), [{"expression": text} for text, _ in REFUSED])

    assert [first(answer["error"]) for answer in answers] == [problem for _, problem in REFUSED]
