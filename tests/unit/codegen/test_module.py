"""Modules by name or by file."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

import pytest

from windlass.codegen.module import load_module
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
