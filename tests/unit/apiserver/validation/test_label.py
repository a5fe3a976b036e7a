from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.validation.label import (
    has_odd_value,
    matches,
    shown_selector,
    validate_selector,
)
from windlass.schema import Path

LABELS = {"app": "a", "tier": "web"}


def expression(operator: str, *values: str, key: str = "app") -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (None, False),
        ({}, True),
        ({"matchLabels": {"app": "a"}}, True),
        ({"matchLabels": {"app": "b"}}, False),
        ({"matchLabels": {"other": ""}}, False),
        (expression("In", "a", "b"), True),
        (expression("In", "b"), False),
        (expression("NotIn", "b"), True),
        (expression("NotIn", "b", key="other"), True),
        (expression("Exists"), True),
        (expression("DoesNotExist"), False),
        (expression("DoesNotExist", key="other"), True),
    ],
)
def test_a_selector_finds_labels(selector: dict[str, Any] | None, *, found: bool) -> None:
    assert matches(selector, LABELS) is found


def test_a_value_that_no_label_has_may_be_let_pass() -> None:
    odd = expression("In", "-")

    assert has_odd_value(odd)
    assert not has_odd_value(expression("In", "a"))
    assert [fault.field for fault in validate_selector(odd, Path("s"))] == ["s.matchExpressions[0].values[0]"]
    assert not list(validate_selector(odd, Path("s"), any_values=True))


def test_a_selector_is_shown_sorted_and_without_what_is_empty() -> None:
    selector = {
        "matchExpressions": [{"operator": "Exists", "key": "a", "values": []}],
        "matchLabels": {"b": "", "a": ""},
    }

    shown = shown_selector(selector)

    assert shown == {
        "matchLabels": {"a": "", "b": ""},
        "matchExpressions": [{"key": "a", "operator": "Exists"}],
    }
    assert list(shown["matchLabels"]) == ["a", "b"]
