"""What `windlass run` finds in a module or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.cli.operator import load_operator, operator_name
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

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


class Added:
    """A manager that only remembers."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def add(self, reconciler: Any) -> None:
        self.names.append(reconciler.name)


def added(file: Path, text: str) -> list[str]:
    file.write_text(text)
    manager = Added()
    load_operator(str(file)).add_to(manager)
    return manager.names


def test_the_add_to_of_a_file_decides_what_runs(tmp_path: Path) -> None:
    text = f"{ONE_FILE}\ndef add_to(manager):\n    manager.add(Polls())\n"

    assert added(tmp_path / "with_add_to.py", text) == ["polls"]


def test_without_it_every_reconciler_that_the_file_defines_is_run(tmp_path: Path) -> None:
    assert added(tmp_path / "without_add_to.py", ONE_FILE) == ["configmap", "polls"]


def test_reconcilers_that_a_file_only_imports_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "elsewhere_defined.py").write_text(ONE_FILE)

    with pytest.raises(ConfigError, match="has no operator: write `def add_to"):
        added(tmp_path / "only_imports.py", "from elsewhere_defined import Maps")


def test_a_class_that_wants_arguments_asks_for_add_to(tmp_path: Path) -> None:
    text = ONE_FILE + "\n    def __init__(self, url): ...\n"

    with pytest.raises(ConfigError, match=r"Polls cannot be made without arguments \(missing .*'url'\)"):
        added(tmp_path / "wants_arguments.py", text)


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(ConfigError, match=r"there is no file nowhere\.py"):
        load_operator("nowhere.py")


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
