"""What operators stand between: names, constants and brackets, with signs before and selections behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.ast import Call, Identifier
from windlass.schema.cel.parse import literal
from windlass.schema.cel.parse.aggregate import Aggregates
from windlass.schema.cel.parse.cursor import EXPRESSION
from windlass.schema.cel.parse.token import BYTES, FLOAT, INT, NAME, QUOTED_NAME, STRING, UINT

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.parse.aggregate import Read
    from windlass.schema.cel.parse.cursor import Cursor
    from windlass.schema.cel.parse.plant import Plant
    from windlass.schema.cel.parse.token import Token

RESERVED: Final = frozenset(
    {
        *("as", "break", "const", "continue", "else", "false", "for", "function", "if", "import"),
        *("in", "let", "loop", "package", "namespace", "null", "return", "true", "var", "void", "while"),
    }
)
"""Words that no variable or function can be called by, since the language has them or keeps them."""

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


class Operands:
    """Reads operands; `expression` reads what is in brackets."""

    def __init__(self, cursor: Cursor, plant: Plant, expression: Read) -> None:
        self._cursor = cursor
        self._plant = plant
        self._expression = expression
        self._aggregates = Aggregates(cursor, plant, expression)
        self._primaries: dict[str, Callable[[], Expression]] = {
            "'('": self._parenthesis,
            "'['": self._aggregates.sequence,
            "'{'": self._aggregates.mapping,
            "'.'": self._name,
            NAME: self._name,
        }
        self._followers = {"'.'": self._member, "'['": self._index}

    def read(self) -> Expression:
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
        self._cursor.close("')'")
        return node

    def _name(self) -> Expression:
        """A variable, a call without a target, or an object."""
        cursor = self._cursor
        start = cursor.token
        dot = cursor.take().text if cursor.kind == "'.'" else ""
        if cursor.kind != NAME:
            raise cursor.not_viable(start)
        if self._aggregates.is_object():
            return self._aggregates.object(dot)
        name = cursor.take()
        call = self._call(f"{dot}{name.text}", None) if cursor.kind == "'('" else None
        if name.text in RESERVED:
            return self._plant.wrong(start.offset, f"reserved identifier: {name.text}")
        if call is not None:
            return call
        return Identifier(id=self._plant.fresh(), offset=name.offset, name=f"{dot}{name.text}")

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
        self._cursor.close("')'")
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
        optional = cursor.skip("'?'")
        if optional:
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
        optional = cursor.skip("'?'")
        index = self._expression({"']'"})
        cursor.close("']'")
        return self._plant.operation(opening.offset, "_[?_]" if optional else "_[_]", operand, index)
