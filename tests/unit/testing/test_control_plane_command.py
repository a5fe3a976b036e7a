from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from windlass.cli.control_plane import control_plane

if TYPE_CHECKING:
    from pathlib import Path


def test_a_kubeconfig_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    precious = tmp_path / "config"
    precious.write_text("my clusters")

    result = CliRunner().invoke(control_plane, ["--kubeconfig", str(precious)])

    assert result.exit_code != 0
    assert "exists; choose another name" in result.output
    assert precious.read_text() == "my clusters"


def test_a_kubeconfig_that_cannot_be_written_is_said_before_anything_starts(tmp_path: Path) -> None:
    result = CliRunner().invoke(control_plane, ["--kubeconfig", str(tmp_path / "no" / "config")])

    assert result.exit_code != 0
    assert "cannot write" in result.output
    assert "Starting" not in result.output
