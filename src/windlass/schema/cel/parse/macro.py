"""The macros of the language itself and those of optional values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.ast import ACCUMULATOR, Expression, Identifier, Select
from windlass.schema.cel.declare import Macro
from windlass.schema.cel.parse.expand import Fold

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Call
    from windlass.schema.cel.parse.expand import Expander

_OLD_ACCUMULATOR: Final = "__result__"
_UNUSED: Final = "#unused"


def variable(
    expander: Expander, argument: Expression, otherwise: str = "argument must be a simple name"
) -> str:
    """The name that an argument gives to the variable of a comprehension.

    Raises:
        ExpressionError: the argument is no name, with `otherwise` as the message; or the accumulator's.
    """
    if not isinstance(argument, Identifier):
        raise expander.error(argument, otherwise)
    if argument.name in {ACCUMULATOR, _OLD_ACCUMULATOR}:
        raise expander.error(argument, "iteration variable overwrites accumulator variable")
    return argument.name


def universal(expander: Expander, predicate: Expression) -> Fold:
    """Whether a predicate holds of all."""
    return Fold(
        start=expander.literal(True),  # noqa: FBT003 - the constant `true`
        condition=expander.call("@not_strictly_false", expander.accumulator()),
        step=expander.call("_&&_", expander.accumulator(), predicate),
        result=expander.accumulator(),
    )


def existential(expander: Expander, predicate: Expression) -> Fold:
    """Whether a predicate holds of any."""
    return Fold(
        start=expander.literal(False),  # noqa: FBT003 - the constant `false`
        condition=expander.call("@not_strictly_false", expander.call("!_", expander.accumulator())),
        step=expander.call("_||_", expander.accumulator(), predicate),
        result=expander.accumulator(),
    )


def singular(expander: Expander, predicate: Expression) -> Fold:
    """Whether a predicate holds of exactly one."""
    more = expander.call("_+_", expander.accumulator(), expander.literal(1))
    return Fold(
        start=expander.literal(0),
        condition=expander.literal(True),  # noqa: FBT003 - the constant `true`
        step=expander.call("_?_:_", predicate, more, expander.accumulator()),
        result=expander.call("_==_", expander.accumulator(), expander.literal(1)),
    )


def collected(expander: Expander, element: Expression, predicate: Expression | None) -> Fold:
    """The list of an element made of each, or of each that a predicate holds of."""
    step = expander.call("_+_", expander.accumulator(), expander.sequence(element))
    if predicate is not None:
        step = expander.call("_?_:_", predicate, step, expander.accumulator())
    return Fold(
        start=expander.sequence(),
        condition=expander.literal(True),  # noqa: FBT003 - the constant `true`
        step=step,
        result=expander.accumulator(),
    )


def _has(expander: Expander, call: Call) -> Expression:
    argument = call.arguments[0]
    if not isinstance(argument, Select):
        raise expander.error(argument, "invalid argument to has() macro")
    return expander.present(argument.operand, argument.field)


def _all(expander: Expander, call: Call) -> Expression:
    name = variable(expander, call.arguments[0])
    return expander.loop(_target(call), (name,), universal(expander, call.arguments[1]))


def _exists(expander: Expander, call: Call) -> Expression:
    name = variable(expander, call.arguments[0])
    return expander.loop(_target(call), (name,), existential(expander, call.arguments[1]))


def _exists_one(expander: Expander, call: Call) -> Expression:
    name = variable(expander, call.arguments[0])
    return expander.loop(_target(call), (name,), singular(expander, call.arguments[1]))


def _map(expander: Expander, call: Call) -> Expression:
    name = variable(expander, call.arguments[0], "argument is not an identifier")
    *predicate, element = call.arguments[1:]
    fold = collected(expander, element, predicate[0] if predicate else None)
    return expander.loop(_target(call), (name,), fold)


def _filter(expander: Expander, call: Call) -> Expression:
    name = variable(expander, call.arguments[0], "argument is not an identifier")
    fold = collected(expander, call.arguments[0], call.arguments[1])
    return expander.loop(_target(call), (name,), fold)


def _opt_map(expander: Expander, call: Call) -> Expression:
    return _if_present(expander, call, expander.call("optional.of", _with_value(expander, call)))


def _opt_flat_map(expander: Expander, call: Call) -> Expression:
    return _if_present(expander, call, _with_value(expander, call))


def _if_present(expander: Expander, call: Call, then: Expression) -> Expression:
    present = expander.call("hasValue", target=_target(call))
    return expander.call("_?_:_", present, then, expander.call("optional.none"))


def _with_value(expander: Expander, call: Call) -> Expression:
    """The second argument, with the first as the name of the optional's value: a loop over nothing."""
    name, outcome = call.arguments
    if not isinstance(name, Identifier):
        raise expander.error(name, f"{call.function}() variable name must be a simple identifier")
    fold = Fold(
        start=expander.call("value", target=expander.copy(_target(call))),
        condition=expander.literal(False),  # noqa: FBT003 - the constant `false`
        step=expander.identifier(name.name),
        result=outcome,
        accumulator=name.name,
    )
    return expander.loop(expander.sequence(), (_UNUSED,), fold)


def _target(call: Call) -> Expression:
    if call.target is None:
        raise AssertionError(f"{call.function} is a macro of members only")
    return call.target


STANDARD_MACROS: Final = (
    Macro("has", 1, member=False, expand=_has),
    Macro("all", 2, member=True, expand=_all),
    Macro("exists", 2, member=True, expand=_exists),
    Macro("exists_one", 2, member=True, expand=_exists_one),
    Macro("existsOne", 2, member=True, expand=_exists_one),
    Macro("map", 2, member=True, expand=_map),
    Macro("map", 3, member=True, expand=_map),
    Macro("filter", 2, member=True, expand=_filter),
)
"""What every environment has."""

OPTIONAL_MACROS: Final = (
    Macro("optMap", 2, member=True, expand=_opt_map),
    Macro("optFlatMap", 2, member=True, expand=_opt_flat_map),
)
"""What comes with optional values."""
