"""How a limit is spread over nodes: what holds for every limit and every set of nodes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.operators.peerpod.spread import Host, Spread, repeat, spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LIMITS = st.integers(0, 60)


def hosts(*, most: int = 12, use: int = 9, overrides: bool = True) -> st.SearchStrategy[list[Host]]:
    """Nodes in any state: in use or not, advertised or not, overridden or not."""
    host = st.builds(
        Host,
        name=st.text("abcdefgh", min_size=1, max_size=3),
        used=st.integers(0, use) | st.just(0),
        advertised=st.none() | st.integers(0, use + 3),
        override=st.none() | st.integers(0, use) if overrides else st.none(),
    )
    return st.lists(host, max_size=most, unique_by=lambda each: each.name)


def as_spread(given_: Sequence[Host], result: Spread) -> list[Host]:
    """The nodes once they advertise what they were given."""
    return [host._replace(advertised=result.shares[host.name]) for host in given_]


def moved(given_: Sequence[Host], shares: Sequence[int]) -> tuple[int, int]:
    """How many units move, and how many nodes are written."""
    units = sum(abs(share - (host.advertised or 0)) for host, share in zip(given_, shares, strict=True))
    return units, sum(share != host.advertised for host, share in zip(given_, shares, strict=True))


def even_spreads(limit: int, given_: Sequence[Host]) -> Iterator[tuple[int, ...]]:
    """Every spread of a limit in which nothing can be taken from one node to make two of them more equal."""
    for shares in product(range(limit + 1), repeat=len(given_)):
        enough = all(share >= host.used for host, share in zip(given_, shares, strict=True))
        if sum(shares) == limit and enough:
            low = min(shares)
            if all(
                share <= low + 1 or share == host.used for host, share in zip(given_, shares, strict=True)
            ):
                yield shares


@given(LIMITS, hosts())
def test_every_node_gets_a_share_and_what_is_offered_is_the_limit_or_the_difference_is_told(
    limit: int, given_: list[Host]
) -> None:
    result = spread(limit, given_)

    assert set(result.shares) == {host.name for host in given_}
    assert result.total == limit + result.excess - result.unplaced
    assert min(result.excess, result.unplaced) == 0


@given(LIMITS, hosts())
def test_the_limit_is_exceeded_only_by_use_and_overrides_and_kept_back_only_where_nobody_is_left(
    limit: int, given_: list[Host]
) -> None:
    result = spread(limit, given_)
    least = sum(max(host.used, host.override or 0) for host in given_)

    assert result.excess == max(least - limit, 0)
    assert not result.unplaced or all(host.override is not None for host in given_)


@given(LIMITS, hosts())
def test_two_nodes_that_are_neither_pinned_nor_overridden_differ_by_one_at_most(
    limit: int, given_: list[Host]
) -> None:
    result = spread(limit, given_)
    free = [
        result.shares[host.name]
        for host in given_
        if host.override is None and host.name not in result.pinned
    ]

    assert not free or max(free) - min(free) <= 1


@given(LIMITS, hosts())
def test_no_node_offers_less_than_is_in_use_and_a_pinned_one_offers_just_that(
    limit: int, given_: list[Host]
) -> None:
    result = spread(limit, given_)

    for host in given_:
        share = result.shares[host.name]
        assert share >= host.used
        if host.name in result.pinned:
            assert share == host.used
        elif host.override is not None:
            assert share == host.override


@given(LIMITS, hosts(overrides=False))
def test_a_node_is_pinned_only_where_it_offers_more_than_every_node_that_is_not(
    limit: int, given_: list[Host]
) -> None:
    result = spread(limit, given_)
    free = [share for name, share in result.shares.items() if name not in result.pinned]

    assert all(result.shares[name] > share for name in result.pinned for share in free) or not result.pinned


@given(st.integers(0, 7), hosts(most=4, use=3, overrides=False))
def test_no_other_even_spread_moves_fewer_units_nor_as_many_with_fewer_writes(
    limit: int, given_: list[Host]
) -> None:
    result = spread(limit, given_)
    others = list(even_spreads(limit, given_)) if given_ else []
    mine = tuple(result.shares[host.name] for host in given_)

    if result.excess or not given_:
        assert not others
    else:
        assert mine in others
        assert moved(given_, mine) == min(moved(given_, other) for other in others)


@given(LIMITS, hosts())
def test_what_was_spread_stays_where_it_is(limit: int, given_: list[Host]) -> None:
    first = spread(limit, given_)

    assert spread(limit, as_spread(given_, first)) == first


@given(LIMITS, hosts(), st.randoms())
def test_the_order_of_the_nodes_does_not_matter(limit: int, given_: list[Host], chance: object) -> None:
    other = list(given_)
    chance.shuffle(other)  # type: ignore[attr-defined]

    assert spread(limit, other) == spread(limit, given_)


@given(LIMITS, st.integers(0, 20), hosts())
def test_a_higher_limit_takes_nothing_from_any_node(limit: int, more: int, given_: list[Host]) -> None:
    before = spread(limit, given_)
    after = spread(limit + more, as_spread(given_, before))

    assert all(after.shares[name] >= share for name, share in before.shares.items())


@given(LIMITS, hosts(overrides=False).filter(bool))
def test_a_node_that_comes_takes_its_share_and_nobody_gives_more_than_that(
    limit: int, given_: list[Host]
) -> None:
    before = spread(limit, given_)
    after = spread(limit, [*as_spread(given_, before), Host("new")])

    assert all(after.shares[name] <= share for name, share in before.shares.items())
    assert sum(before.shares[name] - after.shares[name] for name in before.shares) == after.shares["new"]


@given(LIMITS, hosts(overrides=False).filter(lambda found: len(found) > 1))
def test_what_a_node_had_that_goes_is_shared_by_the_others_and_none_of_them_loses(
    limit: int, given_: list[Host]
) -> None:
    before = spread(limit, given_)
    gone, *others = as_spread(given_, before)
    after = spread(limit, others)

    assert all(after.shares[host.name] >= before.shares[host.name] for host in others)
    if not before.excess:
        assert (
            sum(after.shares[host.name] - before.shares[host.name] for host in others)
            == (before.shares[gone.name])
        )


@pytest.mark.parametrize(
    ("limit", "given_", "expected"),
    [
        (10, [Host("a"), Host("b"), Host("c")], {"a": 4, "b": 3, "c": 3}),
        (10, [Host("a"), Host("b"), Host("c", used=1)], {"a": 3, "b": 3, "c": 4}),
        (10, [Host("a"), Host("b", advertised=4), Host("c")], {"a": 3, "b": 4, "c": 3}),
        (2, [Host("a"), Host("b"), Host("c")], {"a": 1, "b": 1, "c": 0}),
        (0, [Host("a")], {"a": 0}),
        (9, [Host("a", used=5), Host("b"), Host("c")], {"a": 5, "b": 2, "c": 2}),
        (9, [Host("a", override=1), Host("b"), Host("c")], {"a": 1, "b": 4, "c": 4}),
        (9, [Host("a", override=1, used=3), Host("b"), Host("c")], {"a": 3, "b": 3, "c": 3}),
    ],
)
def test_a_limit_is_spread_as_one_would_by_hand(
    limit: int, given_: list[Host], expected: dict[str, int]
) -> None:
    assert spread(limit, given_).shares == expected


def test_without_nodes_all_of_the_limit_is_left() -> None:
    assert spread(10, []) == Spread(unplaced=10)


def test_more_in_use_than_the_limit_is_told() -> None:
    result = spread(4, [Host("a", used=3), Host("b", used=2), Host("c")])

    assert result.shares == {"a": 3, "b": 2, "c": 0}
    assert result.excess == 1
    assert result.pinned == {"a", "b"}


@given(LIMITS, hosts())
def test_a_limit_for_each_node_is_what_each_offers_but_for_overrides_and_use(
    limit: int, given_: list[Host]
) -> None:
    result = repeat(limit, given_)

    for host in given_:
        wanted = limit if host.override is None else host.override
        assert result.shares[host.name] == max(wanted, host.used)
        assert (host.name in result.pinned) == (host.used > wanted)
    assert not result.excess
    assert not result.unplaced


@pytest.mark.parametrize("function", [spread, repeat])
def test_two_nodes_of_one_name_are_refused(function: object) -> None:
    with pytest.raises(ValueError, match="one name"):
        function(1, [Host("a"), Host("a", used=1)])  # type: ignore[operator]


def test_among_five_thousand_nodes_one_more_takes_one_unit_from_as_many_as_it_needs() -> None:
    given_ = [Host(f"node-{number:04}", used=number % 3) for number in range(5000)]
    before = spread(12_345, given_)
    after = spread(12_345, [*as_spread(given_, before), Host("node-new")])

    changed = [name for name, share in before.shares.items() if after.shares[name] != share]
    assert before.total == after.total == 12_345
    assert set(before.shares.values()) == {2, 3}
    assert len(changed) == after.shares["node-new"] == 2
