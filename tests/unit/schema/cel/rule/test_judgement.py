from __future__ import annotations

import pytest

from cel_rule_cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_rules_say_of_an_object(case: Case) -> None:
    assert tuple(case.found()) == case.faults
