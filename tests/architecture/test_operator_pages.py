"""The pages of the operators say what the code says, and leave out nothing that people are told."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from windlass.operators.pagerduty import api

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
PAGES = ROOT / "docs" / "operators"
OPERATORS = sorted(path.parent.name for path in (ROOT / "src/windlass/operators").glob("*/__init__.py"))

OF_KUBERNETES = ("spec.tolerations[].", "spec.nodeSelector.matchExpressions[].")
"""Fields that mean what they mean in every pod and in every selector."""

EVERYWHERE = {"Ready", "ReconcileFailed"}
"""What the runtime says where an operator has no word of its own."""

UNTOLD = {"True", "False", "Cancelled", "Terminal"}
"""Statuses, a run that was stopped, and what stands for a reason that no server would take."""

CAUGHT = {"PagerDutyError", "AlreadyResolvedError"}
"""Errors that never become a reason: the root of the tree, and one that is as good as a success."""


@pytest.fixture
def telling(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What reads off the code what operators say."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return import_module("operator_pages.telling")


@pytest.fixture
def setting(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What reads off the code how operators are set up."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return import_module("operator_pages.setting")


def derived(operator: str) -> set[str]:
    """Reasons that are put together, and so stand nowhere as a word."""
    if operator == "pagerduty":
        errors = {name for name in api.__all__ if name.endswith("Error")} - CAUGHT - {"LimitedError"}
        return {name.removesuffix("Error") for name in errors}
    return {"SecretMissing", "ConfigMapMissing"} if operator == "peerpod" else set()


def page(operator: str) -> str:
    return (PAGES / f"{operator}.md").read_text(encoding="utf-8")


def words(text: str) -> set[str]:
    """What is set as code, and is one word."""
    return set(re.findall(r"`([A-Za-z]+)`", text))


def wrong(operator: str) -> str:
    return page(operator).partition("## When something is wrong")[2]


def seen_when_wrong(operator: str) -> set[str]:
    """The first column of the table of what to do."""
    cells = re.findall(r"^\| (.*?) \|", wrong(operator), re.MULTILINE)
    return {word for cell in cells for word in words(cell)}


def test_what_follows_from_code_is_up_to_date() -> None:
    script = SCRIPTS / "describe_operators.py"
    checked = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_field_and_every_setting_has_a_meaning(operator: str) -> None:
    rows = re.findall(r"^\| `(\S+)` \|.*\|  \|$", page(operator), re.MULTILINE)

    assert [name for name in rows if not name.startswith(OF_KUBERNETES)] == []


def test_every_operator_has_a_page_that_links_its_readme() -> None:
    for operator in OPERATORS:
        link = f"](path:../../src/windlass/operators/{operator}/README.md)"
        assert link in page(operator)
        assert (PAGES / link.removeprefix("](path:").removesuffix(")")).is_file()


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_condition_reason_and_event_in_the_code_is_on_the_page(operator: str, telling: Any) -> None:
    said = telling.words(operator) | derived(operator)

    assert sorted(said - words(page(operator))) == []


def test_what_the_runtime_says_of_any_object_is_on_the_index(telling: Any) -> None:
    loop = ROOT / "src" / "windlass" / "controller"
    code = "\n".join((loop / name).read_text(encoding="utf-8") for name in ("exit.py", "status.py"))
    said = set(telling.literals(code))

    assert sorted(said - UNTOLD - words(page("index"))) == []


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_warning_has_something_to_do(operator: str, telling: Any) -> None:
    warnings = {each.reason for each in telling.events(operator) if each.is_warning}

    assert sorted(warnings - seen_when_wrong(operator)) == []


@pytest.mark.parametrize("operator", OPERATORS)
def test_what_to_do_is_told_of_what_can_be_seen_only(operator: str, telling: Any) -> None:
    said = telling.words(operator) | derived(operator) | EVERYWHERE
    kinds = set(re.findall(r"^### (\w+)$", page(operator), re.MULTILINE))

    assert seen_when_wrong(operator)
    assert sorted(seen_when_wrong(operator) - said - kinds) == []


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_variables_of_the_page_are_those_that_the_code_reads(operator: str, setting: Any) -> None:
    environment = page(operator).partition("### The environment")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", environment, re.MULTILINE)
    listed = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}

    assert listed == setting.variables(operator)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("return Result.waiting('NewReason', 'why')", {"NewReason"}),
        ("raise Terminal('NewReason', 'why')", {"NewReason"}),
        ("return 'NewReason', f'why {x}'", {"NewReason"}),
        ("reason = 'NewReason' if late else 'OtherReason'", {"NewReason", "OtherReason"}),
        ("x = {'key': 'NewReason'}", {"NewReason"}),
        ("x == 'NotAReason'", set()),
        ("x: Literal['NotAReason'] = y", set()),
        ("__all__ = ['NotAReason']", set()),
        ("Column('NotAReason', '.spec')", set()),
        ("f'{x}NotAReason'", set()),
    ],
)
def test_a_reason_is_found_however_it_is_told(code: str, found: set[str], telling: Any) -> None:
    assert set(telling.literals(code)) == found
