"""`windlass helm`: what stops it from starting, and what it does once it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from windlass.cli import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("own_logging")


def test_the_file_of_watches_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    result = CliRunner().invoke(main, ["helm", "run"])

    assert result.exit_code == 1
    assert "Error: there is neither watches.yaml nor watch.yaml in " in result.output


def test_a_bad_entry_ends_it_with_one_line(tmp_path: Path) -> None:
    file = tmp_path / "watches.yaml"
    file.write_text("- {version: v1, kind: Shop, chart: gone}\n")

    result = CliRunner().invoke(main, ["helm", "run", f"--watches-file={file}"])

    assert result.exit_code == 1
    assert f"Error: {file}, entry 1: there is no chart at gone" in result.output
