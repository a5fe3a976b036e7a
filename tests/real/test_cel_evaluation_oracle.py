"""Values and costs of expressions, by us and by Kubernetes: the answers must be equal, to the text and the unit.

Each seed makes 50 expressions. A failure names the expression and both answers.
"""

from __future__ import annotations

import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cel_arbitrary import KINDS, SCHEMA, SELF, expression
from cel_evaluation import Subject, line, ours, recorded, subject
from oracle import SOURCE, ask, build

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 10_000_000
"""What a single expression may cost on a server."""

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go")


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that knows."""
    return build(tmp_path_factory.mktemp("cel"), SOURCE / "cel")


def test_what_is_recorded_is_what_kubernetes_says(oracle: Path) -> None:
    for name, about in (("cel_values.txt", {}), ("cel_adapted.txt", subject().question)):
        known = recorded(name)

        answers = ask(oracle, [{**about, "expression": each} for each in known])

        assert dict(zip(known, map(line, answers), strict=True)) == known


@pytest.mark.property
@settings(phases=[Phase.reuse, Phase.generate])
@given(seed=st.integers(0, 2**32 - 1))
def test_random_expressions_come_to_what_kubernetes_says(oracle: Path, seed: int) -> None:
    chance = Random(seed)
    about = Subject(SCHEMA, SELF, SELF)
    texts = {
        expression(chance, chance.choice(KINDS), chance.randrange(5), chance.choice((0.0, 0.1)))
        for _ in range(50)
    }
    limits = {text: chance.choice((20, 100, LIMIT)) for text in texts}

    answers = ask(oracle, [{**about.question, "expression": text, "limit": limits[text]} for text in texts])

    told = {text: line(answer) for text, answer in zip(texts, answers, strict=True) if "error" not in answer}
    # A list that has broken elements is a value there, and cannot be told here.
    theirs = {text: answer for text, answer in told.items() if '{"error":' not in answer}
    assert {text: ours(text, about, limits[text]) for text in theirs} == theirs
