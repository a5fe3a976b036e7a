from __future__ import annotations

from windlass.testing.simulation.chance import Chance


def names(chance: Chance, count: int = 200) -> list[str]:
    return [chance.happens(0.3, "fault", f"PATCH widgets/{number % 7}") for number in range(count)]


def test_a_seed_decides_the_same_each_time_and_another_one_otherwise() -> None:
    first = names(Chance(1))

    assert names(Chance(1)) == first
    assert names(Chance(2)) != first
    assert 0 < sum(map(bool, first)) < 200


def test_leaving_one_disturbance_out_moves_no_other() -> None:
    whole = names(Chance(1))
    happened = [name for name in whole if name]
    left_out = happened[3]

    fewer = names(Chance(1, frozenset(happened) - {left_out}))

    assert fewer == ["" if name == left_out else name for name in whole]


def test_only_what_did_happen_is_told_and_nothing_happens_when_all_is_calm() -> None:
    chance = Chance(1)
    happened = [name for name in names(chance) if name]
    chance.calm = True

    assert not any(names(chance))
    assert chance.happened == happened
