"""From tokens to nodes: recursive descent, except that operators are put together with stacks.

So each level of brackets takes few frames of Python's stack, and as many levels as cel-go allows fit on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.ast import (
    Call,
    Entry,
    Expression,
    FieldValue,
    Identifier,
    ListLiteral,
    MapLiteral,
    ObjectLiteral,
)
from windlass.schema.cel.parse import literal
from windlass.schema.cel.parse.cursor import EXPRESSION, OPERATORS, Cursor, Halt
from windlass.schema.cel.parse.plant import DEEPEST, Plant
from windlass.schema.cel.parse.token import BYTES, END, FLOAT, INT, NAME, QUOTED_NAME, STRING, UINT, Token

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

RESERVED: Final = frozenset(
    {
        *(
            "as",
            "break",
            "const",
            "continue",
            "else",
            "false",
            "for",
            "function",
            "if",
            "import",
            "in",
            "let",
        ),
        *("loop", "package", "namespace", "null", "return", "true", "var", "void", "while"),
    }
)

_LOGIC: Final = {"'||'": 1, "'&&'": 2}
_BINARY: Final = {
    **_LOGIC,
    **dict.fromkeys(("'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"), 3),
    **dict.fromkeys(("'+'", "'-'"), 4),
    **dict.fromkeys(("'*'", "'/'", "'%'"), 5),
}
"""How tightly an operator binds."""

_FUNCTIONS: Final = {kind: f"_{kind.strip(chr(39))}_" for kind in _BINARY} | {"'in'": "@in"}

_CONSTANTS: Final[dict[str, Callable[[str], Any]]] = {
    INT: literal.integer,
    UINT: literal.unsigned,
    FLOAT: literal.double,
    STRING: literal.string,
    BYTES: literal.octets,
    "'true'": lambda _: True,
    "'false'": lambda _: False,
    "'null'": lambda _: None,
}
_FIELD: Final = frozenset({"'?'", NAME, QUOTED_NAME})


class Grammar:
    """Reads one expression."""

    def __init__(self, cursor: Cursor, plant: Plant) -> None:
        self._cursor = cursor
        self._plant = plant
        self._depth = 0
        self._after: AbstractSet[str] = frozenset({END})
        self._primaries = {
            "'('": self._parenthesis,
            "'['": self._list,
            "'{'": self._map,
            "'.'": self._name,
            NAME: self._name,
        }
        self._followers = {"'.'": self._member, "'['": self._index}

    def whole(self) -> Expression:
        """The expression that is all there is."""
        node = self._expression(self._after)
        self._cursor.match(END)
        return node

    def _expression(self, after: AbstractSet[str], *, conditional: bool = True) -> Expression:
        """Operands with operators between them, which one of `after` follows."""
        self._depth += 1
        if self._depth > DEEPEST:
            self._plant.wrong(-1, f"expression recursion limit exceeded: {DEEPEST}")
            raise Halt
        outer, self._after = self._after, after
        operands = [self._operand()]
        operators: list[Token] = []
        while (binding := _BINARY.get(self._cursor.kind, 0)) > 0:
            # What binds tighter comes first, and of equals what stands first; but a chain of && or || waits
            # for its end, to become balanced.
            self._reduce(operands, operators, binding + 1 if self._cursor.kind in _LOGIC else binding)
            operators.append(self._cursor.take())
            operands.append(self._operand())
        self._reduce(operands, operators, 0)
        node = operands[0]
        if conditional and self._cursor.kind == "'?'":
            node = self._conditional(node)
        self._after = outer
        self._depth -= 1
        return node

    def _conditional(self, condition: Expression) -> Expression:
        mark = self._cursor.take()
        then = self._expression(frozenset({"':'"}), conditional=False)
        self._cursor.match("':'", EXPRESSION)
        otherwise = self._expression(self._after)
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

    def _operand(self) -> Expression:
        """A primary with `!` or `-` before it and fields, indices and calls behind it."""
        self._cursor.need(EXPRESSION)
        signs = self._signs()
        reader = self._primaries.get(self._cursor.kind, self._constant)
        node = reader()
        while (follow := self._followers.get(self._cursor.kind)) is not None:
            node = follow(node)
        if len(signs) % 2:
            function = "!_" if signs[0].kind == "'!'" else "-_"
            return self._plant.operation(signs[0].offset, function, node, level=0)
        return node

    def _signs(self) -> list[Token]:
        """All of one kind; a single `-` before a number is the number's own."""
        cursor = self._cursor
        kind = cursor.kind
        signs: list[Token] = []
        if self._is_signed() or kind not in {"'!'", "'-'"}:
            return signs
        while cursor.kind == kind:
            signs.append(cursor.take())
        if cursor.kind in EXPRESSION - {"'!'", "'-'"} or self._is_signed():
            return signs
        if kind == "'-'":
            raise cursor.not_viable(signs[-1])
        if cursor.kind == "'-'":
            raise cursor.not_viable(cursor.take())
        raise cursor.mismatched(EXPRESSION, "extraneous")

    def _is_signed(self) -> bool:
        return self._cursor.kind == "'-'" and self._cursor.ahead(1) in {INT, FLOAT}

    def _constant(self) -> Expression:
        sign = self._cursor.take() if self._cursor.kind == "'-'" else None
        token = self._cursor.take()
        offset = sign.offset if sign else token.offset
        try:
            value = _CONSTANTS[token.kind](f"-{token.text}" if sign else token.text)
        except ValueError as error:
            return self._plant.wrong(offset, str(error))
        return self._plant.literal(offset, value)

    def _parenthesis(self) -> Expression:
        self._cursor.take()
        node = self._expression({"')'"})
        self._cursor.match("')'", OPERATORS | self._after)
        return node

    def _name(self) -> Expression:
        """A variable, a call without a target, or an object."""
        cursor = self._cursor
        start = cursor.token
        dot = cursor.take().text if cursor.kind == "'.'" else ""
        if cursor.kind != NAME:
            raise cursor.not_viable(start)
        if self._is_object():
            return self._object(dot)
        name = cursor.take()
        call = self._call(f"{dot}{name.text}", None) if cursor.kind == "'('" else None
        if name.text in RESERVED:
            return self._plant.wrong(start.offset, f"reserved identifier: {name.text}")
        if call is not None:
            return call
        return Identifier(id=self._plant.fresh(), offset=name.offset, name=f"{dot}{name.text}")

    def _is_object(self) -> bool:
        at = 1
        while self._cursor.ahead(at) == "'.'" and self._cursor.ahead(at + 1) == NAME:
            at += 2
        return self._cursor.ahead(at) == "'{'"

    def _call(self, function: str, target: Expression | None) -> Expression:
        opening = self._cursor.take()
        arguments: list[Expression] = []
        if self._cursor.kind != "')'":
            self._cursor.need(EXPRESSION | {"')'"})
        while self._cursor.kind != "')'" or arguments:
            arguments.append(self._expression({"','", "')'"}))
            if self._cursor.kind != "','":
                break
            self._cursor.take()
        self._cursor.match("')'", OPERATORS | self._after)
        call = Call(
            id=self._plant.fresh(),
            offset=opening.offset,
            function=function,
            arguments=tuple(arguments),
            target=target,
        )
        return self._plant.call(call, level=0 if target is None else 1)

    def _member(self, operand: Expression) -> Expression:
        """A field, an optional field, or a call with a target."""
        cursor = self._cursor
        dot = cursor.take()
        optional = cursor.kind == "'?'"
        if optional:
            cursor.take()
            cursor.need({NAME, QUOTED_NAME})
        elif cursor.kind not in {NAME, QUOTED_NAME}:
            raise cursor.not_viable(dot)
        name = cursor.take()
        if name.kind == QUOTED_NAME:
            self._plant.wrong(name.offset, "unsupported syntax: '`'")
        elif cursor.kind == "'('" and not optional:
            return self._call(name.text, operand)
        if optional:
            field = self._plant.literal(name.offset, name.text)
            return self._plant.operation(dot.offset, "_?._", operand, field)
        return self._plant.select(dot.offset, operand, name.text)

    def _index(self, operand: Expression) -> Expression:
        cursor = self._cursor
        opening = cursor.take()
        cursor.need(EXPRESSION | {"'?'"})
        optional = self._question()
        index = self._expression({"']'"})
        cursor.match("']'", OPERATORS | self._after)
        return self._plant.operation(opening.offset, "_[?_]" if optional else "_[_]", operand, index)

    def _question(self) -> bool:
        if self._cursor.kind != "'?'":
            return False
        self._cursor.take()
        return True

    def _list(self) -> Expression:
        opening = self._cursor.take()
        elements: list[Expression] = []
        optional: set[int] = set()
        while self._another(bool(elements), EXPRESSION | {"'?'"}, "']'"):
            if self._question():
                optional.add(len(elements))
            elements.append(self._expression({"','", "']'"}))
        return ListLiteral(
            id=self._plant.fresh(),
            offset=opening.offset,
            elements=tuple(elements),
            optional=frozenset(optional),
        )

    def _map(self) -> Expression:
        opening = self._cursor.take()
        entries: list[Entry] = []
        while self._another(bool(entries), EXPRESSION | {"'?'"}, "'}'"):
            optional = self._question()
            key = self._expression({"':'"})
            colon = self._cursor.match("':'", EXPRESSION)
            value = self._expression({"','", "'}'"})
            entries.append(
                Entry(id=self._plant.fresh(), offset=colon.offset, key=key, value=value, optional=optional)
            )
        return MapLiteral(id=self._plant.fresh(), offset=opening.offset, entries=tuple(entries))

    def _object(self, dot: str) -> Expression:
        cursor = self._cursor
        name = dot + cursor.take().text
        while cursor.kind == "'.'":
            name += cursor.take().text + cursor.take().text
        opening = cursor.take()
        fields: list[FieldValue] = []
        while self._another(bool(fields), _FIELD, "'}'"):
            optional = self._question()
            cursor.need(_FIELD - {"'?'"})
            field = cursor.take()
            if field.kind == QUOTED_NAME:
                self._plant.wrong(field.offset, "unsupported syntax: '`'")
            colon = cursor.match("':'", EXPRESSION)
            value = self._expression({"','", "'}'"})
            fields.append(
                FieldValue(
                    id=self._plant.fresh(),
                    offset=colon.offset,
                    name=field.text,
                    value=value,
                    optional=optional,
                )
            )
        return ObjectLiteral(id=self._plant.fresh(), offset=opening.offset, name=name, fields=tuple(fields))

    def _another(self, some: bool, first: AbstractSet[str], closing: str) -> bool:  # noqa: FBT001 - private
        """Whether a list goes on; if not, its closing bracket is taken, with a comma before it."""
        cursor = self._cursor
        cursor.need({"','", closing} if some else first | {"','", closing})
        if cursor.kind != "','":
            if cursor.kind != closing:
                return True
        elif some and cursor.ahead(1) in first:
            cursor.take()
            return True
        else:
            cursor.take()
        cursor.match(closing, OPERATORS | self._after)
        return False
