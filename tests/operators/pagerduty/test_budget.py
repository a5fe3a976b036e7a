"""One budget for all who use a token: never exceeded, fair between namespaces, on the clock that it is given."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from windlass.operators.pagerduty.api import Budget, BudgetOptions, Reply, Shares

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.aio import ManualClock

TURNS = 200


def reply(status: int = 200, **headers: object) -> Reply:
    named = {f"ratelimit-{name}": str(value) for name, value in headers.items()}
    return Reply(status=status, headers=named, body=b"")


async def turns_of_the_loop() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


class Caller:
    """Somebody who makes one request after the other, answered at once."""

    def __init__(self, budget: Budget, namespace: str, answer: Reply | None = None) -> None:
        self.budget, self.namespace, self.answer = budget, namespace, answer or reply()
        self.made = 0

    async def run(self, most: int = 10_000) -> None:
        while self.made < most:
            await self.budget.turn(self.namespace)
            self.made += 1
            self.budget.heard(self.answer)


def a_budget(clock: ManualClock, **options: Any) -> Budget:
    return Budget(BudgetOptions(**options), clock=clock, random=Random(1))


async def test_no_window_sees_more_than_the_limit_less_the_floor(clock: ManualClock) -> None:
    budget = a_budget(clock, limit=100, floor=10)
    caller = Caller(budget, "a")
    async with asyncio.TaskGroup() as group:
        task = group.create_task(caller.run())
        await turns_of_the_loop()
        for minute in range(1, 4):
            await turns_of_the_loop()
            assert caller.made == 90 * minute
            await clock.advance(timedelta(seconds=59))
            assert caller.made == 90 * minute
            await clock.advance(timedelta(seconds=1))
        task.cancel()


async def test_the_first_request_goes_alone_until_its_answer_tells_what_is_left(clock: ManualClock) -> None:
    budget = a_budget(clock, limit=100, floor=10)
    await budget.turn("a")
    others = [asyncio.ensure_future(budget.turn("a")) for _ in range(5)]
    await turns_of_the_loop()
    assert not any(each.done() for each in others)
    budget.heard(reply(limit=100, remaining=14, reset=30))
    await turns_of_the_loop()
    assert sum(each.done() for each in others) == 4
    await clock.advance(timedelta(seconds=30))
    await turns_of_the_loop()
    assert all(each.done() for each in others)


async def test_a_refusal_stops_everybody_for_as_long_as_it_says(clock: ManualClock) -> None:
    budget = a_budget(clock)
    await budget.turn("a")
    budget.heard(reply(429, remaining=0, reset=20))
    waiting = asyncio.ensure_future(budget.turn("b"))
    await clock.advance(timedelta(seconds=19))
    assert budget.left == 0
    assert not waiting.done()
    await clock.advance(timedelta(seconds=4))
    await waiting
    assert budget.left > 0


async def test_a_refusal_that_says_nothing_is_waited_out_too(clock: ManualClock) -> None:
    budget = a_budget(clock)
    await budget.turn("a")
    budget.heard(reply(429))
    waiting = asyncio.ensure_future(budget.turn("a"))
    await clock.advance(timedelta(seconds=25))
    assert not waiting.done()
    await clock.advance(timedelta(seconds=10))
    await waiting


async def test_a_smaller_limit_that_pagerduty_names_is_kept(clock: ManualClock) -> None:
    budget = a_budget(clock)
    caller = Caller(budget, "a", reply(limit=80))
    task = asyncio.ensure_future(caller.run())
    await turns_of_the_loop()
    task.cancel()

    assert caller.made == 70


async def test_namespaces_share_alike_however_many_wait_in_each(clock: ManualClock) -> None:
    budget = a_budget(clock, limit=40, floor=0)
    for _ in range(40):
        await budget.turn("greedy")
        budget.heard(reply())
    served: list[str] = []

    async def wait(namespace: str) -> None:
        await budget.turn(namespace)
        served.append(namespace)

    names = [*["greedy"] * 60, *["modest"] * 30]
    tasks = [asyncio.ensure_future(wait(name)) for name in names]
    await turns_of_the_loop()
    assert served == []
    await clock.advance(timedelta(minutes=1))
    await turns_of_the_loop()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert served == ["greedy", "modest"] * 20


async def test_inside_a_namespace_who_came_first_goes_first(clock: ManualClock) -> None:
    budget = a_budget(clock, limit=10, floor=0)
    await budget.turn("a")
    order: list[int] = []

    async def wait(number: int) -> None:
        await budget.turn("a")
        order.append(number)
        budget.heard(reply())

    tasks = [asyncio.ensure_future(wait(number)) for number in range(5)]
    await turns_of_the_loop()
    budget.heard(reply())
    await asyncio.gather(*tasks)

    assert order == [0, 1, 2, 3, 4]


async def test_who_gives_up_leaves_the_line_and_takes_no_turn(clock: ManualClock) -> None:
    budget = a_budget(clock, limit=10, floor=0)
    await budget.turn("a")
    gives_up, stays = (asyncio.ensure_future(budget.turn("a")) for _ in range(2))
    await turns_of_the_loop()
    gives_up.cancel()
    await turns_of_the_loop()
    budget.heard(reply())
    await stays

    assert budget.left == 8


async def test_who_is_cancelled_at_its_turn_does_not_hold_up_the_next(clock: ManualClock) -> None:
    budget = a_budget(clock, limit=10, floor=0)
    await budget.turn("a")
    first, second = (asyncio.ensure_future(budget.turn("a")) for _ in range(2))
    await turns_of_the_loop()
    budget.heard(None)  # now the first has its turn, and does not know yet
    first.cancel()
    await turns_of_the_loop()

    assert second.done()


@pytest.mark.parametrize("headers", [{"remaining": "many", "reset": "x"}, {"limit": "", "remaining": 5}])
async def test_headers_that_cannot_be_read_are_as_good_as_none(
    clock: ManualClock, headers: Mapping[str, Any]
) -> None:
    budget = a_budget(clock, limit=100, floor=10)
    await budget.turn("a")
    budget.heard(reply(**headers))

    assert budget.left == 89


@pytest.mark.parametrize("wrong", [{"limit": 10, "floor": 10}, {"window": timedelta()}])
def test_a_budget_that_allows_nothing_is_refused(wrong: Mapping[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"leaves nothing|is no time"):
        BudgetOptions(**wrong)


async def test_a_token_has_one_share_and_is_not_kept(clock: ManualClock) -> None:
    shares = Shares(BudgetOptions(), clock=clock, random=Random(1))
    one, same, other = shares.of("secret"), shares.of("secret"), shares.of("another")

    assert one is same
    assert one is not other
    assert [left for _, left in shares.left()] == [900, 900]
    assert "secret" not in repr(list(shares.left())) + repr(vars(shares))
