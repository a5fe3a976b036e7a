"""The operators are written as anybody could write them: with public names, and without each other."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = ROOT / "src" / "windlass" / "operators"


def operators() -> list[str]:
    return sorted(path.parent.name for path in OPERATORS.glob("*/__init__.py"))


def imported(source: str) -> Iterator[tuple[str, str]]:
    """Each import of a module as (module, name), the name empty where the module itself is imported."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from ((f"{'.' * node.level}{node.module or ''}", each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)


def is_public(module: str, name: str, operator: str) -> bool:
    """Whether an operator may import this: its own, somebody else's than Windlass's, or a package's public name."""
    own = f"windlass.operators.{operator}"
    root, *below = module.split(".")
    if f"{module}.".startswith(f"{own}.") or root not in ("", "windlass"):
        return True
    if not root or not name or name.startswith("_") or below[:1] == ["operators"]:
        return False
    package = import_module(module)
    return (hasattr(package, "__path__") or len(below) == 1) and name in getattr(package, "__all__", [name])


@pytest.mark.parametrize("operator", operators())
def test_an_operator_uses_public_names_only(operator: str) -> None:
    used = {
        found
        for path in (OPERATORS / operator).rglob("*.py")
        for found in imported(path.read_text(encoding="utf-8"))
    }

    assert [found for found in sorted(used) if not is_public(*found, operator)] == []


@pytest.mark.parametrize(
    "line",
    [
        "from windlass.api.resource import Resource",
        "from windlass.api import _lazy",
        "from windlass import _version",
        "from windlass.operators.other import Other",
        "from windlass.operators import other",
        "import windlass.api",
        "from . import types",
    ],
)
def test_what_is_not_public_is_noticed(line: str) -> None:
    (found,) = imported(line)

    assert not is_public(*found, "mine")


def test_naming_the_operators_loads_none_of_them() -> None:
    program = (
        "import sys, windlass.operators; "
        "print(*sorted(name for name in sys.modules if name.startswith('windlass')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert set(done.stdout.split()) <= {
        "windlass",
        "windlass._collector",
        "windlass._lazy",
        "windlass._version",
        "windlass.operators",
    }


def test_the_wheel_has_every_file_of_the_operators(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    known = subprocess.run(
        ["git", "ls-files", "."], cwd=OPERATORS, capture_output=True, text=True, check=True
    ).stdout.splitlines()

    with zipfile.ZipFile(wheel) as archive:
        packed = archive.namelist()

    assert [name for name in known if f"windlass/operators/{name}" not in packed] == []
    assert "windlass/operators/minimart/charts/minimart/templates/_helpers.tpl" in packed
