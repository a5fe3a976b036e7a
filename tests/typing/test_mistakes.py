"""Mistakes are found by a type checker or when the class is made, and what is right is not complained about."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import typed
from mistakes import TABLE, Mistake

RIGHT = Path(__file__).parent / "right"
CASES = [(program, each) for program, mistakes in TABLE.items() for each in mistakes]
NAMES = [each.name for _, each in CASES]


def program_with(program: str, mistake: Mistake) -> str:
    """A program that is right but for this."""
    text = (RIGHT / f"{program}.py").read_text(encoding="utf-8")
    assert text.count(mistake.right) == 1, mistake
    return text.replace(mistake.right, mistake.wrong)


def raised(text: str) -> Exception | None:
    """What importing a program raises."""
    program = ModuleType("program")
    sys.modules[program.__name__] = program  # where pydantic finds the types that a program names
    try:
        exec(compile(text, "program.py", "exec", dont_inherit=True), vars(program))  # noqa: S102
    except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
        return error
    finally:
        del sys.modules[program.__name__]
    return None


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The files that each type checker has something against; all are checked in one go."""
    folder = tmp_path_factory.mktemp("programs")
    for each in RIGHT.glob("*.py"):
        (folder / each.name).write_text(each.read_text(encoding="utf-8"), encoding="utf-8")
    for program, mistake in CASES:
        (folder / f"wrong_{mistake.name}.py").write_text(program_with(program, mistake), encoding="utf-8")
    return {
        "mypy": {line.partition(":")[0] for line in typed.complaints(folder) if ": error:" in line},
        "pyright": {line.partition(":")[0] for line in typed.pyright_complaints(folder)},
    }


def test_there_are_at_least_twenty_five_mistakes_and_each_is_found() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 25
    assert [each.name for _, each in CASES if not each.found_by] == []


@pytest.mark.parametrize("program", TABLE)
def test_what_is_right_is_found_by_nobody(program: str, complaints: dict[str, set[str]]) -> None:
    assert [checker for checker, found in complaints.items() if f"{program}.py" in found] == []
    assert raised((RIGHT / f"{program}.py").read_text(encoding="utf-8")) is None


@pytest.mark.parametrize(("program", "mistake"), CASES, ids=NAMES)
def test_a_mistake_is_found(program: str, mistake: Mistake, complaints: dict[str, set[str]]) -> None:
    found = {checker for checker, files in complaints.items() if f"wrong_{mistake.name}.py" in files}
    error = raised(program_with(program, mistake))

    assert found | ({"class"} if error else set()) == mistake.found_by
    if error:
        assert re.search(mistake.says, str(error)), str(error)
