"""CEL: values, errors and costs are those of Kubernetes' own libraries."""

from __future__ import annotations

import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest

from cel_answer import Subject, comparable, questions, recorded
from cel_library_random import expressions
from cel_text_random import NOTATIONS
from oracle import SOURCE, ask, build

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go")
TOPICS = recorded()


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kubernetes' own CEL."""
    return build(tmp_path_factory.mktemp("oracle"), SOURCE / "cel")


@pytest.mark.parametrize("topic", TOPICS)
def test_what_was_recorded_is_what_kubernetes_answers(oracle: Path, topic: str) -> None:
    cases = TOPICS[topic]["cases"]

    answers = map(comparable, ask(oracle, questions(TOPICS[topic])))

    assert dict(zip(cases, answers, strict=True)) == cases


@pytest.mark.parametrize("seed", range(3))
def test_random_expressions_have_the_values_and_costs_that_kubernetes_has_for_them(
    oracle: Path, seed: int
) -> None:
    topic = TOPICS["costs"]
    asked = dict.fromkeys(expressions(Random(seed), 700))
    subject = Subject(topic["schema"], topic["self"])

    answers = ask(oracle, questions({**topic, "cases": asked}))

    expected = dict(zip(asked, map(comparable, answers), strict=True))
    assert {expression: subject.answer(expression) for expression in asked} == expected


@pytest.mark.parametrize("kind", NOTATIONS)
def test_texts_are_read_and_refused_as_kubernetes_reads_and_refuses_them(oracle: Path, kind: str) -> None:
    random = Random(kind)
    asked = dict.fromkeys(NOTATIONS[kind].expression(random) for _ in range(800))
    subject = Subject()

    answers = ask(oracle, questions({"cases": asked}))

    expected = dict(zip(asked, map(comparable, answers), strict=True))
    assert {expression: subject.answer(expression) for expression in asked} == expected
