"""Types of expressions, by us and by Kubernetes: the answers must be equal, to the place and the text.

Each seed makes 300 expressions, 3,000 in all, and far more with `--hypothesis-profile soak`. A failure names
the expression and both answers.
"""

from __future__ import annotations

import re
import shutil
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cel_checking import lines_of, normal, recorded
from cel_random import Chance
from oracle import SOURCE, ask, build
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.structure import Declared, declare

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cel_checking import Case
    from windlass.schema.cel.declare import Overload

FORMER = {"__not_strictly_false__", "_in_", "in"}
"""Former names of operators, which nobody can have meant to call."""

PARAMETER = re.compile(r"\b[A-Z]\b")
PANIC = "panic: "
"""What cel-go has instead of an answer for `[?dyn(x)]`."""

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go")


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that knows."""
    return build(tmp_path_factory.mktemp("cel"), SOURCE / "cel")


def test_every_function_has_the_signatures_of_kubernetes_in_the_same_order(oracle: Path) -> None:
    (answer,) = ask(oracle, [{"functions": True}])
    functions = Environment(libraries=KUBERNETES).functions

    theirs = {name: list(map(signature, overloads)) for name, overloads in answer["functions"].items()}
    ours = {name: list(map(signature, each.overloads)) for name, each in functions.items()}

    assert theirs.keys() - ours.keys() == FORMER
    assert {
        name: (theirs.get(name), found) for name, found in ours.items() if found != theirs.get(name)
    } == {}


def test_what_is_recorded_is_what_kubernetes_says(oracle: Path) -> None:
    known = dict(recorded())

    answers = ask(oracle, [case.question for case in known])

    found = {case: lines_of(answer) for case, answer in zip(known, answers, strict=True)}
    assert {case: lines for case, lines in found.items() if lines != known[case]} == {}


def test_types_and_overloads_of_each_node_are_those_of_kubernetes(oracle: Path) -> None:
    assert differences(oracle, [case for case, _ in recorded()]) == {}


@pytest.mark.property
@settings(max_examples=settings().max_examples // 10, phases=[Phase.reuse, Phase.generate])
@given(seed=st.integers(0, 2**32 - 1))
def test_types_of_random_expressions_are_those_of_kubernetes(oracle: Path, seed: int) -> None:
    chance = Chance(Random(seed))

    assert differences(oracle, [chance.case() for _ in range(300)]) == {}


@pytest.mark.property
@settings(max_examples=settings().max_examples // 10, phases=[Phase.reuse, Phase.generate])
@given(seed=st.integers(0, 2**32 - 1))
def test_what_expressions_know_of_a_random_schema_is_what_kubernetes_says(oracle: Path, seed: int) -> None:
    chance = Chance(Random(seed))
    asked = [(chance.schema(), root) for _ in range(100) for root in (False, True)]

    answers = ask(oracle, [{"schema": schema, "root": root} for schema, root in asked])

    for (schema, root), answer in zip(asked, answers, strict=True):
        declared = declare(schema, root=root)
        assert (None if declared is None else told(declared)) == answer.get("declared"), (schema, root)


def differences(oracle: Path, cases: Iterable[Case]) -> dict[Case, tuple[Any, Any]]:
    """The cases that we answer differently, with both answers."""
    cases = list(dict.fromkeys(cases))
    found: dict[Case, tuple[Any, Any]] = {}
    for case, answer in zip(cases, ask(oracle, [case.question for case in cases]), strict=True):
        theirs, ours = comparable(answer), comparable(case.answer)
        if theirs != ours and not answer.get("error", "").startswith(PANIC):
            found[case] = theirs, ours
    return found


def signature(overload: Overload | dict[str, Any]) -> str:
    """A signature on one line, with its parameters named in the order in which they appear."""
    told = overload.__getitem__ if isinstance(overload, dict) else partial(getattr, overload)
    named: dict[str, str] = {}
    arguments = ", ".join(map(str, told("arguments")))
    text = f"{told('id')} {told('member')} ({arguments}) -> {told('result')}"
    return PARAMETER.sub(lambda found: named.setdefault(found[0], f"T{len(named)}"), text)


def comparable(answer: dict[str, Any]) -> Any:
    """What of an answer can be compared."""
    return normal(answer["error"]) if "error" in answer else (answer["type"], answer["nodes"])


def told(declared: Declared) -> dict[str, Any]:
    """What is declared, in the form of the oracle."""
    kind = "object" if declared.element is None else "list" if declared.key is None else "map"
    names = {"timestamp": "google.protobuf.Timestamp", "duration": "google.protobuf.Duration"}
    name = kind if declared.type is None else names.get(declared.type.name, declared.type.name)
    made: dict[str, Any] = {"type": name, "least": declared.least, "most": declared.most}
    if declared.fields:
        made["fields"] = {name: told(each) for name, each in declared.fields.items()}
    if declared.key is not None:
        made["key"] = told(declared.key)
    if declared.element is not None:
        made["element"] = told(declared.element)
    return made
