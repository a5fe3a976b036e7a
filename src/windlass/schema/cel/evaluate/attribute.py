"""Variables, fields and elements: `self.spec.items[0].?name`.

cel-go resolves a whole path in one go, and its costs show it: each step costs 1, and so does the variable,
but not where the path is a branch of `?:` or the index of another path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from windlass.schema.cel.operation import find, go_type, is_list, shown, type_name
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import ABSENT, INT_MAX, INT_MIN, NONE, Optional, Uint

if TYPE_CHECKING:
    from windlass.schema.cel.evaluate.frame import Code, Frame
    from windlass.schema.cel.value import Value

_KEYS: Final = frozenset({str, int, Uint, bool, float})


class _UnsupportedIndexError(EvaluationError):
    """There is an element, but this is no way to ask for it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One part of another: at a key that is known, or that `code` computes.

    `optional` is that of `.?name` and `[?0]`, `test` that of `has()`.
    """

    key: Value = None
    code: Code | None = None
    optional: bool = False
    test: bool = False


class Attribute(Protocol):
    """What a part can be taken of."""

    @property
    def priced(self) -> bool:
        """Whether resolving it costs 1 more than its parts."""

    def part(self, step: Step) -> Attribute:
        """A part of it."""

    def resolver(self, price: int = 0) -> Code:
        """Code that resolves it, and adds a price and that of its parts."""


@dataclass(frozen=True, slots=True)
class Path:
    """Parts of parts of a value."""

    base: Code
    steps: tuple[Step, ...] = ()
    priced: bool = True

    def part(self, step: Step) -> Path:
        """One step further."""
        return Path(self.base, (*self.steps, step), priced=not step.test)

    def resolver(self, price: int = 0) -> Code:
        """Code that takes all the steps."""
        if not self.steps and not price:
            return self.base
        if all(step.code is None and not step.optional and not step.test for step in self.steps):
            return _plain(self.base, self.steps, price)
        return _general(self.base, self.steps, price)


@dataclass(frozen=True, slots=True)
class Choice:
    """`condition ? then : otherwise`, of which a part is the same part of either."""

    condition: Code
    then: Attribute
    otherwise: Attribute
    priced: bool = False

    def part(self, step: Step) -> Choice:
        """The same part of either."""
        return Choice(self.condition, self.then.part(step), self.otherwise.part(step))

    def resolver(self, price: int = 0) -> Code:
        """Code that resolves only what is chosen."""
        condition, then, otherwise = self.condition, self.then.resolver(), self.otherwise.resolver()

        def choose(frame: Frame) -> Value:
            frame.cost += price
            chosen = condition(frame)
            if chosen is True:
                return then(frame)
            if chosen is False:
                return otherwise(frame)
            raise EvaluationError("no such overload")

        return choose


def _plain(base: Code, steps: tuple[Step, ...], price: int) -> Code:
    """The usual path, all of whose names are known, made short since it is what expressions mostly do."""
    keys = tuple(step.key for step in steps)

    def resolve(frame: Frame) -> Value:
        frame.cost += price
        value = base(frame)
        if keys and type(value) is Optional:
            return _walk(frame, value, steps)
        for key in keys:
            frame.cost += 1
            value = qualified(value, key)
        return value

    return resolve


def _general(base: Code, steps: tuple[Step, ...], price: int) -> Code:
    def resolve(frame: Frame) -> Value:
        frame.cost += price
        return _walk(frame, base(frame), steps)

    return resolve


def _walk(frame: Frame, value: Value, steps: tuple[Step, ...]) -> Value:
    nothing = False if steps[-1].test else NONE
    maybe = isinstance(value, Optional)
    if maybe:
        if not value.is_present:
            return nothing
        value = value.value
    for step in steps:
        maybe = maybe or step.optional
        # What is absent costs nothing where it may be.
        frame.cost += not maybe
        key = step.key if step.code is None else usable_key(step.code(frame))
        try:
            found = part_of(value, key) if maybe or step.test else qualified(value, key)
        except _UnsupportedIndexError:
            frame.cost += maybe
            raise
        if maybe:
            if found is ABSENT:
                return nothing
            frame.cost += 1
        value = found
    if steps[-1].test:
        return value is not ABSENT
    return Optional(value) if maybe else value


def usable_key(key: Value) -> Value:
    """The same, if something can be looked up by it.

    Raises:
        EvaluationError: it cannot.
    """
    if type(key) in _KEYS:
        return key
    raise EvaluationError(f"invalid qualifier type: {go_type(key)}")


def qualified(value: Value, key: Value) -> Value:
    """The part of a value at a key.

    Raises:
        EvaluationError: there is none.
    """
    found = part_of(value, key)
    if found is not ABSENT:
        return found
    what = "index out of bounds" if is_list(value) else "no such key"
    raise EvaluationError(f"{what}: {shown(key)}")


def part_of(value: Value, key: Value) -> Value:
    """The part of a value at a key; `ABSENT` if there is none.

    Raises:
        EvaluationError: there can be no such key, or the part is broken.
    """
    own = getattr(value, "lookup", None)
    if own is not None:
        return own(key)
    if isinstance(value, Mapping):
        return find(value, key)
    return _element(value, key) if is_list(value) else ABSENT


def _element(values: Any, key: Value) -> Value:
    index: Any = key
    if type(key) is not int:
        index = _index(key)
    if not 0 <= index < len(values):
        return ABSENT
    if type(key) is not int and hasattr(values, "equals"):
        # A list that a schema has typed knows no other indices, and says so only where there is an element.
        raise _UnsupportedIndexError(f"unsupported index: {shown(key)}")
    return values[index]


def _index(key: Value) -> int:
    if not isinstance(key, (float, Uint)):
        raise EvaluationError(f"unsupported index type '{type_name(key)}' in list")
    if key == key // 1 and INT_MIN < key <= INT_MAX:
        return int(key)
    raise EvaluationError(f"unsupported index value {shown(key)} in list")
