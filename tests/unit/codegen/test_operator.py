"""Modules by name or by file, and the operators that they have."""

from __future__ import annotations

import re
import sys
import types
from typing import TYPE_CHECKING

import pytest

from windlass.codegen import load_module, load_operator
from windlass.codegen.operator import operator_name
from windlass.errors import ConfigError
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> Iterator[None]:
    """Each test works in an empty folder, and leaves no modules behind."""
    with working_in(tmp_path):
        yield


def test_a_dotted_name_is_found_below_the_present_folder(tmp_path: Path) -> None:
    write(tmp_path / "shop_a/__init__.py", "")
    write(tmp_path / "shop_a/kinds.py", "NAME = __name__")

    assert load_module("shop_a.kinds").NAME == "shop_a.kinds"


def test_a_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    write(tmp_path / "far/away.py", "NUMBER = 7")

    assert load_module("far/away.py").NUMBER == 7


def test_a_file_finds_its_neighbours_as_a_script_does(tmp_path: Path) -> None:
    write(tmp_path / "lone/neighbour_b.py", "NUMBER = 7")
    write(tmp_path / "lone/app.py", "from neighbour_b import NUMBER")

    assert load_module("lone/app.py").NUMBER == 7


def test_a_file_in_a_package_is_part_of_it(tmp_path: Path) -> None:
    write(tmp_path / "src/shop_c/__init__.py", "")
    write(tmp_path / "src/shop_c/operators/__init__.py", "from . import types")
    write(tmp_path / "src/shop_c/names.py", "NUMBER = 7")
    write(tmp_path / "src/shop_c/operators/types.py", "from ..names import NUMBER")

    loaded = load_module("src/shop_c/operators/types.py")

    assert (loaded.__name__, loaded.NUMBER) == ("shop_c.operators.types", 7)
    assert load_module("src/shop_c/operators/__init__.py").__name__ == "shop_c.operators"


def test_a_file_called_types_does_not_take_the_place_of_pythons_own(tmp_path: Path) -> None:
    write(tmp_path / "types.py", "NUMBER = 7")

    loaded = load_module("types.py")

    assert loaded.NUMBER == 7
    assert sys.modules["types"] is types
    assert sys.modules[loaded.__name__] is loaded


@pytest.mark.parametrize(
    ("module", "text", "message"),
    [
        ("absent.py", None, "there is no file absent.py"),
        (".", None, "'.' is neither a module nor a file"),
        ("a..b", None, "'a..b' is neither a module nor a file"),
        ("", None, "'' is neither a module nor a file"),
        ("absent_d", None, "the module absent_d cannot be imported: No module named 'absent_d'"),
        ("needs_d.py", "import absent_d", "needs_d.py cannot be imported: No module named 'absent_d'"),
        (
            "name_d.py",
            "from json import nothing",
            "name_d.py cannot be imported: cannot import name 'nothing'",
        ),
        ("broken_d.py", "class", r"broken_d.py cannot be imported: invalid syntax \(broken_d.py, line 1\)"),
        ("syntax_d", "class", "the module syntax_d cannot be imported: invalid syntax"),
    ],
)
def test_what_cannot_be_imported_says_why(
    module: str, text: str | None, message: str, tmp_path: Path
) -> None:
    if text is not None:
        write(tmp_path / (module if module.endswith(".py") else f"{module}.py"), text)

    with pytest.raises(ConfigError, match=message):
        load_module(module)


def test_a_module_that_fails_by_itself_shows_its_own_error(tmp_path: Path) -> None:
    write(tmp_path / "failing_e.py", "1 / 0")

    with pytest.raises(ZeroDivisionError):
        load_module("failing_e.py")


ONE_FILE = """
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.reconcile import KeyReconciler, Reconciler, Result

class Maps(Reconciler[ConfigMap]):
    async def reconcile(self, resource, ctx):
        return Result.ready()

class Base(Reconciler):
    pass

class Polls(KeyReconciler):
    name = "polls"

    async def reconcile(self, key, ctx):
        return Result.ready()
"""


def added(file: Path, text: str) -> list[str]:
    """The names of the reconcilers that an operator adds."""
    write(file, text)
    return [each.name for each in load_operator(str(file)).recorded().controllers]


def test_the_add_to_of_a_file_decides_what_runs(tmp_path: Path) -> None:
    text = f"{ONE_FILE}\ndef add_to(manager):\n    manager.add(Polls())\n"

    assert added(tmp_path / "with_add_to.py", text) == ["polls"]


def test_without_it_every_reconciler_that_the_file_defines_is_run(tmp_path: Path) -> None:
    assert added(tmp_path / "without_add_to.py", ONE_FILE) == ["configmap", "polls"]


def test_reconcilers_that_a_file_only_imports_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "elsewhere_defined.py").write_text(ONE_FILE)

    write(tmp_path / "only_imports.py", "from elsewhere_defined import Maps")

    assert load_operator(str(tmp_path / "only_imports.py")).add_to is None


def test_a_class_that_wants_arguments_asks_for_add_to(tmp_path: Path) -> None:
    text = ONE_FILE + "\n    def __init__(self, url): ...\n"

    with pytest.raises(ConfigError, match=r"Polls cannot be made without arguments \(missing .*'url'\)"):
        added(tmp_path / "wants_arguments.py", text)


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("app.py", "app"),
        ("demo/web_app.py", "web-app"),
        ("demo/operator.py", "demo"),
        ("shop/__init__.py", "shop"),
        ("shop.controller", "shop"),
        ("shop", "shop"),
        ("operator", "operator"),
    ],
)
def test_an_operator_is_named_after_its_module_or_its_package(target: str, name: str) -> None:
    assert operator_name(target) == name


def test_an_operator_may_say_what_it_is_called(tmp_path: Path) -> None:
    file = tmp_path / "says_its_name.py"
    file.write_text(f'{ONE_FILE}\nOPERATOR = "maps-operator"\n')

    assert load_operator(str(file)).name == "maps-operator"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('os.environ["A_TOKEN_THAT_IS_NOT_SET"]', "add_to raised KeyError: 'A_TOKEN_THAT_IS_NOT_SET'"),
        ('raise ConfigError("A_TOKEN is empty")', "add_to failed: A_TOKEN is empty"),
    ],
)
def test_an_add_to_that_fails_is_named(tmp_path: Path, line: str, said: str) -> None:
    head = "import os\nfrom windlass.errors import ConfigError\n"
    write(tmp_path / "fails.py", f"{head}def add_to(manager):\n    {line}\n")

    with pytest.raises(ConfigError, match=re.escape(said)):
        load_operator(str(tmp_path / "fails.py")).recorded()


def test_a_mistake_in_a_class_is_one_line_with_its_place(tmp_path: Path) -> None:
    text = ONE_FILE.replace(
        "class Base(Reconciler):", "class Base(Reconciler[ConfigMap]):\n    own = (Secret,)"
    )
    write(tmp_path / "mistaken.py", text)

    with pytest.raises(ConfigError, match=r"cannot be imported: mistaken\.py, line \d+: .*owns"):
        load_operator(str(tmp_path / "mistaken.py"))
