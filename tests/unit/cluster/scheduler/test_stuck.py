from __future__ import annotations

from windlass.api import Key
from windlass.cluster.scheduler.stuck import Stuck
from windlass.cluster.scheduler.verdict import Rule

A, B, C = (Key("default", name) for name in "abc")


def test_only_those_are_let_go_whom_the_change_may_help_and_each_once() -> None:
    stuck = Stuck()
    stuck.put(A, [Rule.FIT, Rule.TAINT])
    stuck.put(B, [Rule.TAINT])
    stuck.put(C, [Rule.FIT])

    assert stuck.let_go([Rule.FIT], lambda key: key != C) == [A]
    assert stuck.let_go([Rule.FIT, Rule.TAINT], lambda _: True) == [C, B]
    assert stuck.let_go(list(Rule), lambda _: True) == []


def test_who_is_stuck_for_other_reasons_is_no_longer_for_the_first() -> None:
    stuck = Stuck()
    stuck.put(A, [Rule.FIT])
    stuck.put(A, [Rule.TAINT])

    assert stuck.let_go([Rule.FIT], lambda _: True) == []
    stuck.drop(A)
    assert stuck.let_go([Rule.TAINT], lambda _: True) == []
