from __future__ import annotations

import pytest

from cel_answer import Subject, recorded

TOPICS = recorded()


@pytest.mark.parametrize("topic", TOPICS)
def test_expressions_have_the_values_errors_and_costs_that_kubernetes_has_for_them(topic: str) -> None:
    asked = TOPICS[topic]
    subject = Subject(asked.get("schema"), asked.get("self"))

    answers = {expression: subject.answer(expression) for expression in asked["cases"]}

    assert answers == asked["cases"]
