"""The files and charts in the repository are those that the operators' types and declarations make."""

from __future__ import annotations

from pathlib import Path

import pytest

from windlass.cli.delivery import load_delivery
from windlass.codegen import compare_files

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = sorted(path.parent.name for path in (ROOT / "src/windlass/operators").glob("*/__init__.py"))


@pytest.mark.parametrize("name", OPERATORS)
def test_files_and_chart_of_an_operator_are_fresh_or_make_manifests_makes_them_so(name: str) -> None:
    delivery = load_delivery(name)
    whole, project = delivery.whole, delivery.whole.project
    files = {**project.crds(), **project.rbac(), **project.samples(), **whole.files, **delivery.files()}

    stale = [
        *compare_files(ROOT / "config" / name, files),
        *compare_files(ROOT / "charts" / name, delivery.chart()),
    ]

    assert "".join(each.text for each in stale) == ""


@pytest.mark.parametrize("folder", ["config", "charts"])
def test_there_are_files_for_the_operators_that_ship_alone(folder: str) -> None:
    assert sorted(path.name for path in (ROOT / folder).iterdir()) == OPERATORS
