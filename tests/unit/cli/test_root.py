from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from windlass._version import __version__
from windlass.cli import main
from windlass.cli.root import Entry, LazyGroup
from windlass.errors import ToolError


def group(**entries: str) -> LazyGroup:
    return LazyGroup(
        "test", entries={name: Entry(target, f"Help of {name}.") for name, target in entries.items()}
    )


@click.command()
def failing() -> None:
    raise ToolError("etcd is missing")


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> str:
    """A name under which this module can be imported."""
    monkeypatch.setitem(sys.modules, "commands_of_a_test", sys.modules[__name__])
    return "commands_of_a_test"


@pytest.mark.parametrize("arguments", [["--version"], ["version"]])
def test_the_version_is_printed(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert __version__ in result.output


def test_the_help_lists_commands_that_cannot_be_imported() -> None:
    result = CliRunner().invoke(group(broken="no.such.module:command"), ["--help"])
    assert result.exit_code == 0
    assert "broken  Help of broken." in result.output


def test_a_command_that_cannot_be_imported_does_no_harm_to_the_others(importable: str) -> None:
    commands = group(broken="no.such.module:command", failing=f"{importable}:failing")
    assert "etcd is missing" in CliRunner().invoke(commands, ["failing"]).output
    assert isinstance(CliRunner().invoke(commands, ["broken"]).exception, ModuleNotFoundError)


def test_an_error_of_windlass_is_a_message_and_an_exit_code(importable: str) -> None:
    result = CliRunner().invoke(group(failing=f"{importable}:failing"), ["failing"])
    assert result.exit_code == 1
    assert result.output == "Error: etcd is missing\n"


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(main, ["no-such-command"])
    assert result.exit_code == 2
    assert "No such command 'no-such-command'" in result.output


def test_an_entry_that_is_no_command_is_a_type_error(importable: str) -> None:
    result = CliRunner().invoke(group(wrong=f"{importable}:group"), ["wrong"])
    assert isinstance(result.exception, TypeError)


def test_the_help_imports_no_command() -> None:
    script = """
import sys
from windlass.cli import main
try:
    main(["--help"])
finally:
    print(*sorted(name for name in sys.modules if name.startswith("windlass.cli.")))
"""
    result = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    loaded = result.stdout.splitlines()[-1].split()
    assert loaded == ["windlass.cli.root"]
