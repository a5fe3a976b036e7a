"""Which releases may be changed at a time."""

from __future__ import annotations

from functools import partial

from windlass.api import Key
from windlass.helm.turns import Turn, Turns


def release(name: str) -> Key:
    return Key("default", name)


def never() -> None:
    raise AssertionError("nothing is free")


def test_no_more_releases_than_that_have_a_turn_and_the_first_that_waits_is_woken() -> None:
    turns, woken = Turns(2), []
    for name in "abcd":
        wake = lambda name=name: woken.append(name)  # noqa: E731
        assert turns.take(Turn(release(name)), wake) == (name in "ab")

    turns.leave(release("a"))
    assert woken == ["c"]
    assert turns.take(Turn(release("c")), never)
    assert not turns.take(Turn(release("e")), never)
    turns.leave(release("b"))
    assert woken == ["c", "d"]


def test_a_tenant_that_has_its_share_waits_and_others_do_not() -> None:
    turns, woken = Turns(3, of_tenant=1), []
    assert turns.take(Turn(release("a"), "greedy"), never)
    assert not turns.take(Turn(release("b"), "greedy"), lambda: woken.append("b"))
    assert turns.take(Turn(release("c"), "modest"), never)
    turns.leave(release("c"))
    assert woken == []
    turns.leave(release("a"))
    assert woken == ["b"]


def test_a_kind_has_a_limit_of_its_own() -> None:
    turns = Turns(3)
    assert turns.take(Turn(release("a"), kind="Shop", of_kind=1), never)
    assert not turns.take(Turn(release("b"), kind="Shop", of_kind=1), never)
    assert turns.take(Turn(release("c"), kind="Mall", of_kind=1), never)


def test_a_release_that_is_gone_is_not_woken() -> None:
    turns, woken = Turns(1), []
    assert turns.take(Turn(release("a")), never)
    assert not turns.take(Turn(release("b")), never)
    assert not turns.take(Turn(release("c")), lambda: woken.append("c"))
    turns.forget(release("b"))
    turns.leave(release("a"))
    assert woken == ["c"]


def test_removals_and_changes_have_limits_of_their_own() -> None:
    turns, woken = Turns(1, removals=2), []
    assert turns.take(Turn(release("a")), never)
    assert turns.take(Turn(release("b"), "greedy", removes=True), never)
    assert not turns.take(Turn(release("c"), "greedy", removes=True), lambda: woken.append("c"))
    assert turns.take(Turn(release("d"), "modest", removes=True), never)
    turns.leave(release("a"))
    assert woken == []  # a change does not free a removal
    turns.leave(release("b"))
    assert woken == ["c"]


def test_the_tenant_with_the_fewest_turns_and_then_the_longest_without_one_is_next() -> None:
    turns, woken = Turns(3, of_tenant=2), []

    def take(name: str, tenant: str) -> bool:
        return turns.take(Turn(release(name), tenant), lambda: woken.append(name))

    greedy = [take(f"a{number}", "a") for number in range(12)]
    other = [take(f"b{number}", "b") for number in range(4)]
    assert (sum(greedy), sum(other)) == (2, 1)
    assert not take("victim", "v")

    turns.leave(release("a0"))
    assert woken == ["victim"]
    assert not take("a2", "a")  # which looks again by itself, and has to let the victim go first
    assert take("victim", "v")
    turns.leave(release("b0"))
    assert woken[-1] == "b1"  # both have one; the last turn of b is older than that of a
    assert take("b1", "b")
    turns.leave(release("victim"))
    assert woken[-1] == "a2"


def test_one_that_was_woken_and_needs_no_turn_any_more_lets_the_next_one_go() -> None:
    turns, woken = Turns(1), list[str]()
    assert turns.take(Turn(release("a")), never)
    for name in "bc":
        assert not turns.take(Turn(release(name)), partial(woken.append, name))
    turns.leave(release("a"))
    turns.withdraw(release("b"))
    turns.forget(release("b"))
    assert woken == ["b", "c"]


def test_one_that_looks_again_keeps_its_place() -> None:
    turns, woken = Turns(1), list[str]()
    assert turns.take(Turn(release("a")), never)
    for name in "bc":
        assert not turns.take(Turn(release(name)), partial(woken.append, name))
    turns.withdraw(release("b"))
    assert not turns.take(Turn(release("b")), lambda: woken.append("b"))
    turns.leave(release("a"))
    assert woken == ["b"]
