"""The hard limits of size, and what must not be in any file. `make check` runs these."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "windlass"
MAX_MODULE, MAX_FUNCTION, MAX_PARAMETERS, MAX_METHODS = 500, 50, 5, 12

Function = ast.FunctionDef | ast.AsyncFunctionDef


def written_modules() -> list[Path]:
    """Every module that a person wrote."""
    return [path for path in sorted(SOURCE.rglob("*.py")) if not _is_generated(path)]


def _is_generated(path: Path) -> bool:
    return "# Generated" in path.read_text(encoding="utf-8")[:400]


def _functions(path: Path) -> list[Function]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [name for name in names if name not in ("self", "cls")]


def _lines(function: Function) -> int:
    """The lines of a function without its docstring, which may be as long as it needs to be."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def too_long(path: Path) -> list[str]:
    """What in a module breaks the limits of length."""
    count = len(path.read_text(encoding="utf-8").splitlines())
    found = [f"{path.name}: {count} lines"] if count > MAX_MODULE else []
    found += [
        f"{path.name}: {each.name} has {_lines(each)} lines"
        for each in _functions(path)
        if _lines(each) > MAX_FUNCTION
    ]
    return found


def too_many_parameters(path: Path) -> list[str]:
    """Functions with more parameters than the limit that do not say why (noqa: PLR0913 and a reason)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        f"{path.name}: {each.name} has {len(_parameters(each))} parameters"
        for each in _functions(path)
        if len(_parameters(each)) > MAX_PARAMETERS
        and not re.search(r"noqa: .*PLR0913.* - \w+", lines[each.lineno - 1])
        and "cli" not in path.parts
    ]


def too_many_methods(path: Path) -> list[str]:
    """Classes with more public methods than the limit."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        f"{path.name}: {node.name} has {count} public methods"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and (count := sum(isinstance(each, Function) and not each.name.startswith("_") for each in node.body))
        > MAX_METHODS
    ]


@pytest.mark.parametrize("find", [too_long, too_many_parameters, too_many_methods])
def test_the_size_budgets_hold(find: Callable[[Path], list[str]]) -> None:
    assert [fault for path in written_modules() for fault in find(path)] == []


def test_the_budgets_can_fail(tmp_path: Path) -> None:
    module = tmp_path / "big.py"
    body = "\n".join("    x = 1" for _ in range(MAX_FUNCTION + 1))
    methods = "\n".join(f"    def m{index}(self): pass" for index in range(MAX_METHODS + 1))
    module.write_text(f"def long(a, b, c, d, e, f):\n{body}\n\nclass Wide:\n{methods}\n" + "\n" * MAX_MODULE)

    assert len(too_long(module)) == 2
    assert len(too_many_parameters(module)) == 1
    assert len(too_many_methods(module)) == 1


def packages() -> list[Path]:
    """Every package that a person wrote."""
    return [path.parent for path in written_modules() if path.name == "__init__.py"]


@pytest.mark.parametrize("package", packages(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_package_says_what_it_is_and_what_it_exports(package: Path) -> None:
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))

    assert ast.get_docstring(tree)
    assert not [node for node in tree.body if isinstance(node, (ast.ClassDef, Function))]
    assigned = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert "__all__" in assigned or not imports


def reaches_into_a_package(path: Path) -> list[str]:
    """Imports of another package's modules in place of the package, or of a package within it."""
    own = path.relative_to(SOURCE).parts[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return [
        f"{path.relative_to(SOURCE)} imports {module}"
        for module in modules
        if module.startswith("windlass.")
        and module.count(".") > 1
        and module.split(".")[1] not in (own, "kinds")
        and not SOURCE.joinpath(*module.split(".")[1:]).is_dir()
    ]


def test_outsiders_import_the_package_and_not_its_modules() -> None:
    assert [fault for path in written_modules() for fault in reaches_into_a_package(path)] == []


def tracked_files() -> list[Path]:
    """What git knows, or would know."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).is_file()]


def test_no_file_names_a_package_registry_or_a_path_of_one_machine() -> None:
    registries = "|".join(
        ["py" + "pi", "python" + "hosted", "go" + "lang", "crate" + "s", "npm" + "js", "mave" + "n"]
    )
    leaked = re.compile(
        rf"https?://[a-z0-9.-]*({registries})|/ro" + r"ot/|/wo" + r"rk/|--find-l" + r"inks|--ind" + r"ex-url"
    )
    text = {path: path.read_text(encoding="utf-8", errors="ignore") for path in tracked_files()}

    assert leaked.search("see https://proxy.go" + "lang.org") is not None
    assert [str(path.relative_to(ROOT)) for path, content in text.items() if leaked.search(content)] == []
