from __future__ import annotations

import pytest

from windlass.apiserver.quota.scope import Scope, scopes_of


@pytest.mark.parametrize(
    ("operator", "none", "one", "other"),
    [
        ("Exists", False, True, True),
        ("DoesNotExist", True, False, False),
        ("In", False, True, False),
        ("NotIn", True, False, True),
    ],
)
def test_an_operator_selects(operator: str, none: object, one: object, other: object) -> None:
    scope = Scope("PriorityClass", operator, ("one",))

    assert [scope.selects(""), scope.selects("one"), scope.selects("other")] == [none, one, other]
    assert scope.selects_any([]) == none


def test_one_of_several_values_is_enough() -> None:
    assert Scope("VolumeAttributesClass", "In", ("one",)).selects_any(["other", "one"])


def test_both_ways_to_say_it_count() -> None:
    expression = {"scopeName": "PriorityClass", "operator": "In", "values": ["a"]}
    quota = {"spec": {"scopes": ["BestEffort"], "scopeSelector": {"matchExpressions": [expression]}}}

    assert scopes_of(quota) == [Scope("BestEffort"), Scope("PriorityClass", "In", ("a",))]
    assert scopes_of({}) == []
