"""From tokens to nodes: recursive descent, except that operators are put together with stacks.

So each level of brackets takes few frames of Python's stack, and as many levels as cel-go allows fit on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.parse.cursor import EXPRESSION, Halt
from windlass.schema.cel.parse.operand import Operands
from windlass.schema.cel.parse.plant import DEEPEST
from windlass.schema.cel.parse.token import END

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.parse.cursor import Cursor
    from windlass.schema.cel.parse.plant import Plant
    from windlass.schema.cel.parse.token import Token

_LOGIC: Final = {"'||'": 1, "'&&'": 2}
_BINARY: Final = {
    **_LOGIC,
    **dict.fromkeys(("'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"), 3),
    **dict.fromkeys(("'+'", "'-'"), 4),
    **dict.fromkeys(("'*'", "'/'", "'%'"), 5),
}
"""How tightly an operator binds."""

_FUNCTIONS: Final = {kind: f"_{kind.strip(chr(39))}_" for kind in _BINARY} | {"'in'": "@in"}


class Grammar:
    """Reads one expression."""

    def __init__(self, cursor: Cursor, plant: Plant) -> None:
        self._cursor = cursor
        self._plant = plant
        self._depth = 0
        self._operands = Operands(cursor, plant, self._expression)

    def whole(self) -> Expression:
        """The expression that is all there is."""
        node = self._expression(frozenset({END}))
        self._cursor.match(END)
        return node

    def _expression(self, after: AbstractSet[str], *, conditional: bool = True) -> Expression:
        """Operands with operators between them, which one of `after` follows."""
        self._depth += 1
        if self._depth > DEEPEST:
            self._plant.wrong(-1, f"expression recursion limit exceeded: {DEEPEST}")
            raise Halt
        outer, self._cursor.after = self._cursor.after, after
        operands = [self._operands.read()]
        operators: list[Token] = []
        while (binding := _BINARY.get(self._cursor.kind, 0)) > 0:
            # What binds tighter comes first, and of equals what stands first; but a chain of && or || waits
            # for its end, to become balanced.
            self._reduce(operands, operators, binding + 1 if self._cursor.kind in _LOGIC else binding)
            operators.append(self._cursor.take())
            operands.append(self._operands.read())
        self._reduce(operands, operators, 0)
        node = operands[0]
        if conditional and self._cursor.kind == "'?'":
            node = self._conditional(node)
        self._cursor.after = outer
        self._depth -= 1
        return node

    def _conditional(self, condition: Expression) -> Expression:
        mark = self._cursor.take()
        then = self._expression(frozenset({"':'"}), conditional=False)
        self._cursor.match("':'", EXPRESSION)
        otherwise = self._expression(self._cursor.after)
        return self._plant.operation(mark.offset, "_?_:_", condition, then, otherwise)

    def _reduce(self, operands: list[Expression], operators: list[Token], least: int) -> None:
        """Put together the last operators, as far as they bind at least so tightly, with their operands."""
        while operators and _BINARY[operators[-1].kind] >= least:
            kind = operators[-1].kind
            count = 1
            if kind in _LOGIC:
                while count < len(operators) and operators[-count - 1].kind == kind:
                    count += 1
            node = self._balanced(_FUNCTIONS[kind], operators[-count:], operands[-count - 1 :])
            del operators[-count:], operands[-count - 1 :]
            operands.append(node)

    def _balanced(self, function: str, operators: list[Token], operands: list[Expression]) -> Expression:
        """A chain as a tree that is as flat as can be."""
        if not operators:
            return operands[0]
        middle = len(operators) // 2
        left = self._balanced(function, operators[:middle], operands[: middle + 1])
        right = self._balanced(function, operators[middle + 1 :], operands[middle + 1 :])
        level = 0 if operators[middle].kind in _LOGIC else 1
        return self._plant.operation(operators[middle].offset, function, left, right, level=level)
