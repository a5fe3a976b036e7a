"""Every command that a page mentions, be it in its prose, is one that there is, with the flags that it has."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import click
import pytest

import dry_make
import readme
from mentioned import Mention, is_placeholder, mentions
from windlass.cli import main


def flags_of(words: tuple[str, ...]) -> list[str]:
    """The flags among words, without their values."""
    return [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]


def unknown(words: tuple[str, ...]) -> list[str]:
    """The words for which `windlass` has neither a command nor a flag."""
    command: click.Command = main
    rest = list(words)
    while rest and isinstance(command, click.Group):
        if is_placeholder(rest[0]) or rest[0].startswith("-"):
            break
        name = rest.pop(0)
        found = command.get_command(click.Context(command), name)
        if found is None:
            return [name]
        command = found
    context = click.Context(command, help_option_names=["-h", "--help"])
    known = {name for each in command.get_params(context) for name in (*each.opts, *each.secondary_opts)}
    return [flag for flag in flags_of(tuple(rest)) if flag not in known]


def ids(mention: Mention) -> str:
    return f"{mention.page}: {' '.join(mention.words)}"


@pytest.mark.parametrize("mention", mentions("windlass"), ids=ids)
def test_every_command_of_windlass_is_known_with_its_flags(mention: Mention) -> None:
    assert unknown(mention.words) == []


@pytest.mark.parametrize(
    ("command", "word"),
    [("fly --high", "fly"), ("up --nodes 3 --moons=1", "--moons"), ("generate poems NAME", "poems")],
)
def test_a_command_or_a_flag_that_is_not_there_is_found(command: str, word: str) -> None:
    assert unknown(tuple(command.split())) == [word]


def unmade(words: tuple[str, ...]) -> list[str]:
    """The words that are neither targets nor variables of `make`. It is read: even a dry run runs another `make`."""
    text = readme.text_of("Makefile")
    known = {*re.findall(r"^([\w-]+):", text, re.MULTILINE), *re.findall(r"\$\(([\w-]+)\)", text)}
    return [word for word in words if word.partition("=")[0] not in known]


@pytest.mark.parametrize("mention", mentions("make"), ids=ids)
def test_every_target_and_every_variable_of_make_is_there(mention: Mention) -> None:
    assert unmade(mention.words) == []


def test_a_target_or_a_variable_that_is_not_there_is_found() -> None:
    assert unmade(("install", "fly", "OPERATOR=NAME", "HEIGHT=3")) == ["fly", "HEIGHT=3"]


def test_every_benchmark_is_there_with_its_flags() -> None:
    lines = [dry_make.make(*each.words).stdout for each in mentions("make") if "bench" in each.words]
    given = [
        word for line in lines for words in re.findall(r"-m benchmarks(.*)", line) for word in words.split()
    ]
    command = [sys.executable, "-m", "benchmarks", *given, "--help"]  # which judges what stands before it

    done = subprocess.run(command, cwd=readme.ROOT, capture_output=True, text=True, check=False)

    assert given.count("--only") > 5
    assert done.returncode == 0, done.stderr


def test_every_flag_of_pytest_is_known(pytestconfig: pytest.Config) -> None:
    flags = {flag for each in mentions("pytest") for flag in flags_of(each.words)}

    assert "--control-plane" in flags
    for flag in flags - {"-q"}:
        pytestconfig.getoption(flag)  # raises ValueError where there is none


def test_every_extra_that_is_installed_exists() -> None:
    project = tomllib.loads(readme.text_of("pyproject.toml"))["project"]
    wanted = {
        extra for each in mentions("pip") for extra in re.findall(r"windlass\[(.+?)\]", " ".join(each.words))
    }

    assert wanted
    assert wanted <= set(project["optional-dependencies"])


def test_every_module_that_is_run_exists() -> None:
    ours = {each.words[1] for each in mentions("python") if each.words[1].startswith("benchmarks")}

    assert ours
    assert [name for name in ours if not (readme.ROOT / f"{name.replace('.', '/')}.py").is_file()] == []
