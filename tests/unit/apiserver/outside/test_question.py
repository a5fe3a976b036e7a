"""Asking others in the midst of a verb that is never suspended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from typing_extensions import override

from windlass.apiserver import Call, World
from windlass.apiserver.outside import Question, Unanswered, answered
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

asked: list[Hashable] = []


class Sum(Question):
    """What comes out."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = numbers

    @property
    @override
    def keys(self) -> Sequence[Hashable]:
        return (self._numbers,)

    @override
    async def ask(self, world: World) -> Sequence[int]:
        asked.append(self._numbers)
        return (sum(self._numbers),)


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    asked.clear()


def on(world: World) -> Operation:
    nothing = cast("Any", None)
    call = Call(method="GET", path="/")
    return Operation(world, nothing, nothing, nothing, nothing, call, nothing)


def verb(run: Callable[[Operation], Any]) -> Any:
    async def performed(operation: Operation) -> Any:
        return run(operation)

    return performed


async def test_a_question_without_an_answer_is_raised() -> None:
    with pytest.raises(Unanswered):
        Call(method="GET", path="/").answers.of(Sum(1))


async def test_each_question_is_asked_once_and_the_verb_begun_anew_before_the_first_and_after_each() -> None:
    runs = []

    def run(operation: Operation) -> int:
        runs.append(operation)
        (first,) = operation.call.answers.of(Sum(1, 2))
        (second,) = operation.call.answers.of(Sum(first, 4))
        return int(second)

    assert await answered(on(World()), verb(run)) == 7
    assert asked == [(1, 2), (3, 4)]
    assert len(runs) == 4


async def test_every_beginning_that_may_ask_has_the_same_moment_and_the_same_chances() -> None:
    seen = []

    def run(operation: Operation) -> None:
        seen.append((operation.world.clock.now(), operation.world.uid(), operation.world.suffix()))
        operation.call.answers.of(Sum(1))

    await answered(on(World()), verb(run))
    await answered(on(World()), verb(run))

    _, first, second, _, third, fourth = seen
    assert first == second
    assert third == fourth
    assert first[1] != third[1]


async def test_what_was_warned_of_on_the_way_to_a_question_is_warned_of_once_and_only_if_it_stays_so() -> (
    None
):
    operation = on(World())
    operation.call.warn("kept")
    changing = iter(["at first", "early", "late"])

    def run(operation: Operation) -> None:
        operation.call.warn(next(changing))
        operation.call.answers.of(Sum(1))

    await answered(operation, verb(run))

    assert operation.call.warnings == ["kept", "late"]


async def test_a_verb_that_always_has_another_question_ends() -> None:
    def run(operation: Operation) -> None:
        operation.call.answers.of(Sum(len(asked)))

    with pytest.raises(Refusal, match="no decision after"):
        await answered(on(World()), verb(run))


async def test_what_was_noted_before_a_verb_stays_when_it_is_begun_anew() -> None:
    operation = on(World())
    operation.call.annotate("before", "kept")
    changing = iter(["at first", "early", "late"])

    def run(operation: Operation) -> None:
        operation.call.annotate("meanwhile", next(changing))
        operation.call.answers.of(Sum(1))

    await answered(operation, verb(run))

    assert operation.call.annotations == {"before": "kept", "meanwhile": "late"}
