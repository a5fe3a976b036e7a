"""What an environment declares: functions with their overloads, macros, and libraries of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windlass.schema.cel.ast import Call, Expression
    from windlass.schema.cel.parse.expand import Expander
    from windlass.schema.cel.type import Type


@dataclass(frozen=True, slots=True)
class Overload:
    """One signature of a function.

    `id` is cel-go's name of it, by which costs are told. The target of a `member` is the first argument.
    `call` takes evaluated arguments and gives a value, or raises `EvaluationError`; the evaluator itself sees
    to what must not be evaluated first (`_&&_`, `_||_`, `_?_:_`, `@not_strictly_false`), whose `call` is
    `None`. An `untyped` call takes values of any types, and refuses the wrong ones itself.
    """

    id: str
    arguments: tuple[Type, ...]
    result: Type
    call: Callable[..., Any] | None
    member: bool = False
    untyped: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A name with what it can be applied to."""

    name: str
    overloads: tuple[Overload, ...]


@dataclass(frozen=True, slots=True)
class Macro:
    """A call that is rewritten before types are checked.

    `count` is how many arguments it takes, the target not counted; `None` for any. `expand` gives `None`
    when the call is not the macro's after all, and raises `ExpressionError` when it is wrong.
    """

    name: str
    count: int | None
    member: bool
    expand: Callable[[Expander, Call], Expression | None]


@dataclass(frozen=True, slots=True)
class Library:
    """Functions and macros that come together, and the types that expressions can name because of them."""

    name: str
    functions: Sequence[Function] = ()
    macros: Sequence[Macro] = ()
    types: Mapping[str, Type] = field(default_factory=dict)
