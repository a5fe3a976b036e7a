from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest

import windlass.api


@pytest.mark.parametrize("name", windlass.api.__all__)
def test_every_public_name_is_loaded_when_it_is_asked_for(name: str) -> None:
    assert getattr(windlass.api, name) is not None
    assert name in dir(windlass.api)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        windlass.api.Nonsense  # noqa: B018 - asking is the test


def test_the_names_for_type_checkers_are_the_names_at_run_time() -> None:
    tree = ast.parse(inspect.getsource(windlass.api))
    [checked] = [node for node in tree.body if isinstance(node, ast.If)]
    imported = {
        alias.name: node.module
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == windlass.api.__lazy__


@pytest.mark.parametrize("module", ["yaml", "windlass.api.lenient", "windlass.schema", "windlass.kinds"])
def test_importing_a_resource_does_not_load_what_it_may_never_need(module: str) -> None:
    program = f"import sys; from windlass.api import Resource; raise SystemExit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=50).returncode == 0
