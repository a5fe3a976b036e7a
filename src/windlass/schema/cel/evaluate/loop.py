"""Comprehensions: a loop over a list or the keys of a map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.evaluate.frame import Failed, attempt
from windlass.schema.cel.operation import go_type, is_list
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import GrowingList, GrowingMap

if TYPE_CHECKING:
    from windlass.schema.cel.evaluate.frame import Code, Frame
    from windlass.schema.cel.value import Value

UNSET: Final = object()
"""The accumulator before anybody has looked at it; only then is its start evaluated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A comprehension; `variable`, `accumulator` and `second`, if there is one, are places in the frame."""

    variable: int
    second: int | None
    accumulator: int
    over: Code
    condition: Code
    step: Code
    result: Code


def loop_code(loop: Loop) -> Code:
    """Code that runs a comprehension.

    An error in a step becomes the accumulator, to which the next step may be indifferent. The limit of the
    cost is looked at in each round, and every round costs something.
    """
    second, advance = loop.second, _advance(loop)

    def run(frame: Frame) -> Value:
        values = loop.over(frame)
        places = frame.places
        places[loop.accumulator] = UNSET
        if second is None:
            for places[loop.variable] in _elements(values):
                if not advance(frame):
                    break
        else:
            for places[loop.variable], places[second] in _pairs(values):
                if not advance(frame):
                    break
        return _settled(loop.result(frame))

    return run


def _advance(loop: Loop) -> Callable[[Frame], bool]:
    """Take one step, unless the condition does not hold any more."""
    condition, step, place = loop.condition, loop.step, loop.accumulator

    def advance(frame: Frame) -> bool:
        if attempt(condition, frame) is False:
            return False
        frame.places[place] = attempt(step, frame)
        frame.check()
        return True

    return advance


def _elements(values: Value) -> Iterable[Value]:
    if isinstance(values, Mapping):
        return list(values)
    if type(values) is list:
        return values
    if is_list(values):
        return _each(values)
    raise EvaluationError(f"got '{go_type(values)}', expected iterable type")


def _pairs(values: Value) -> Iterable[tuple[Value, Value]]:
    if isinstance(values, Mapping):
        return values.items()
    if is_list(values):
        return enumerate(_each(values))
    raise EvaluationError(f"unsupported comprehension range type: {go_type(values)}")


def _each(values: Sequence[Value]) -> Iterator[Value]:
    """The elements that a list has now, of which some may be broken; that is told who looks at them."""
    for index in range(len(values)):
        try:
            yield values[index]
        except EvaluationError as error:
            yield Failed(error.with_traceback(None))


def _settled(value: Value) -> Value:
    """What a comprehension has made, which nobody changes from now on."""
    if type(value) is GrowingList:
        return list(value)
    return dict(value) if type(value) is GrowingMap else value


def variable_code(place: int) -> Code:
    """Code that reads a variable of a loop."""

    def read(frame: Frame) -> Value:
        value = frame.places[place]
        if type(value) is Failed:
            raise value.error.with_traceback(None)
        return value

    return read


def accumulator_code(place: int, start: Code) -> Code:
    """Code that reads an accumulator."""

    def read(frame: Frame) -> Value:
        value = frame.places[place]
        if value is UNSET:
            value = frame.places[place] = _growing(attempt(start, frame))
        if type(value) is Failed:
            raise value.error.with_traceback(None)
        return value

    return read


def _growing(value: Any) -> Any:
    if is_list(value) and len(value) == 0:
        return GrowingList()
    return GrowingMap() if isinstance(value, Mapping) and len(value) == 0 else value
