"""Commands that take a `watches.yaml` in place of a module, as far as they need no `helm` and no cluster."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from windlass.api import read_yaml
from windlass.cli import main
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a chart and a file of watches, and no `helm` to find."""
    write(tmp_path / "charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    write(tmp_path / "charts/shop/values.yaml", "size: 1\n")
    entry = "- {group: demo.example.com, version: v1, kind: Shop, chart: charts/shop}\n"
    write(tmp_path / "watches.yaml", entry)
    write(tmp_path / "watch.yml", entry.replace("Shop,", "Mart,"))
    with working_in(tmp_path):
        yield tmp_path


def run(command: str) -> Result:
    return CliRunner().invoke(main, shlex.split(command))


@pytest.mark.parametrize(("file", "name"), [("watches.yaml", "shops"), ("./watch.yml", "marts")])
def test_install_prints_the_definitions_without_helm(file: str, name: str) -> None:
    result = run(f"install {file} --dry-run")

    (definition,) = read_yaml(result.output)
    assert definition["metadata"]["name"] == f"{name}.demo.example.com"


def test_samples_and_definitions_are_generated_without_helm(folder: Path) -> None:
    for command in ("crds", "samples"):
        assert run(f"generate {command} watches.yaml").exit_code == 0

    assert (folder / "config/crd/bases/demo.example.com_shops.yaml").is_file()
    (sample,) = read_yaml((folder / "config/samples/demo_v1_shop.yaml").read_text())
    assert sample["spec"] == {"size": 1}


def test_a_dockerfile_lies_beside_its_file_and_is_checked(folder: Path) -> None:
    assert run("generate dockerfile watches.yaml --base example.com/windlass:1").exit_code == 0
    assert run("generate dockerfile watches.yaml --base example.com/windlass:1 --check").exit_code == 0
    assert "COPY charts/shop ./charts/shop" in (folder / "Dockerfile").read_text()

    result = run("generate dockerfile watches.yaml --check")

    assert result.exit_code == 1
    assert "to mend it: windlass generate dockerfile watches.yaml" in result.output


@pytest.mark.parametrize("command", ["install", "generate crds", "undeploy"])
def test_a_file_that_is_not_there_is_named(command: str) -> None:
    result = run(f"{command} absent.yaml")

    assert result.exit_code == 1
    assert "cannot read absent.yaml" in result.output


def test_a_deployment_is_limited_by_a_flag_or_by_a_variable() -> None:
    result = run("deploy minimart --dry-run --watch-namespace a --env WATCH_NAMESPACE=b")

    assert result.exit_code == 2
    assert "give --watch-namespace or --env WATCH_NAMESPACE" in result.output
