"""`windlass helm`: what stops it from starting, and what it does once it runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from windlass.cli import main
from windlass.cli.delivery import default_name
from windlass.helm import HelmWatch

pytestmark = pytest.mark.usefixtures("own_logging")

KUBECONFIG = """
apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: a, user: {}}]
contexts: [{name: a, context: {cluster: a, user: a}}]
current-context: a
"""


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


@pytest.mark.parametrize("command", ["run", "rules"])
def test_without_helm_it_ends_with_the_command_that_installs_it(tmp_path: Path, command: str) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    (tmp_path / "kubeconfig").write_text(KUBECONFIG)
    file = tmp_path / "watches.yaml"
    file.write_text(f"- {{version: v1, kind: Shop, chart: {tmp_path}}}\n")
    nowhere = {"PATH": "", "WINDLASS_CACHE": str(tmp_path), "KUBEBUILDER_ASSETS": None}
    nowhere["KUBECONFIG"] = str(tmp_path / "kubeconfig")

    result = CliRunner().invoke(main, ["helm", command, f"--watches-file={file}"], env=nowhere)

    assert result.exit_code == 1
    assert "windlass tools install helm" in result.output


def test_entries_that_are_appended_do_not_change_the_name_of_the_operator() -> None:
    one, two = (HelmWatch(group="", version="v1", kind=kind, chart=Path()) for kind in ("Shop", "Booth"))

    assert default_name([one]) == default_name([one, two]) == "shop-operator"


def test_a_name_that_is_none_of_a_namespace_is_refused_before_charts_are_rendered(tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    file = tmp_path / "watches.yaml"
    file.write_text(f"- {{version: v1, kind: Shop, chart: {tmp_path}}}\n")
    command = ["helm", "rules", f"--watches-file={file}", f"--helm={file}", "--watch-namespace=A_b"]

    result = CliRunner().invoke(main, command)

    assert result.exit_code == 1
    assert "Error: --watch-namespace: 'A_b' is no name of a namespace" in result.output
