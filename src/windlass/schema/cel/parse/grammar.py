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
        node = self._expression()
        self._cursor.match(END)
        return node

    def _inside(self, after: AbstractSet[str]) -> Expression:
        """An expression in brackets, which one of `after` follows."""
        outer, self._after = self._after, after
        node = self._expression()
        self._after = outer
        return node

    def _expression(self) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            self._plant.wrong(-1, f"expression recursion limit exceeded: {DEEPEST}")
            raise Halt
        node = self._operations()
        if self._cursor.kind == "'?'":
            mark = self._cursor.take()
            then = self._operations()
            self._cursor.match("':'", EXPRESSION)
            node = self._plant.operation(mark.offset, "_?_:_", node, then, self._expression())
        self._depth -= 1
        return node

    def _operations(self) -> Expression:
        """Operands with binary operators between them; what binds tighter is put together first."""
        operands = [self._operand()]
        operators: list[Token] = []
        while (binding := _BINARY.get(self._cursor.kind, 0)) > 0:
            # Equal ones too, being left-associative; but a chain of && or || waits, to become balanced.
            until = binding + 1 if self._cursor.kind in _LOGIC else binding
            while operators and _BINARY[operators[-1].kind] >= until:
                self._reduce(operands, operators)
            operators.append(self._cursor.take())
            operands.append(self._operand())
        while operators:
            self._reduce(operands, operators)
        return operands[0]

    def _reduce(self, operands: list[Expression], operators: list[Token]) -> None:
        """Put the last operator together with its operands, or all of a chain of && or ||."""
        kind = operators[-1].kind
        count = 1
        if kind in _LOGIC:
            while count < len(operators) and operators[-count - 1].kind == kind:
                count += 1
        chain, parts = operators[-count:], operands[-count - 1 :]
        del operators[-count:], operands[-count - 1 :]
        operands.append(self._balanced(_FUNCTIONS[kind], chain, parts, level=0 if kind in _LOGIC else 1))

    def _balanced(
        self, function: str, operators: list[Token], operands: list[Expression], *, level: int
    ) -> Expression:
        if not operators:
            return operands[0]
        middle = len(operators) // 2
        left = self._balanced(function, operators[:middle], operands[: middle + 1], level=level)
        right = self._balanced(function, operators[middle + 1 :], operands[middle + 1 :], level=level)
        return self._plant.operation(operators[middle].offset, function, left, right, level=level)

    def _operand(self) -> Expression:
        """A primary with `!` or `-` before it and fields, indices and calls behind it."""
        signs = self._signs()
        node = self._primary()
        while (follow := self._followers.get(self._cursor.kind)) is not None:
            node = follow(node)
        if len(signs) % 2:
            function = "!_" if signs[0].kind == "'!'" else "-_"
            return self._plant.operation(signs[0].offset, function, node, level=0)
        return node

    def _signs(self) -> list[Token]:
        cursor = self._cursor
        signs: list[Token] = []
        kind = cursor.kind
        if kind == "'-'" and cursor.ahead(1) in {INT, FLOAT}:
            return signs  # the number's own
        while kind in {"'!'", "'-'"} and cursor.kind == kind:
            signs.append(cursor.take())
        if not signs:
            return signs
        own = cursor.kind == "'-'" and cursor.ahead(1) in {INT, FLOAT}
        if kind == "'-'" and cursor.kind not in EXPRESSION - {"'!'"}:
            raise cursor.not_viable(signs[-1])
        if kind == "'!'" and (cursor.kind not in EXPRESSION or (cursor.kind == "'-'" and not own)):
            raise cursor.mismatched(EXPRESSION, "extraneous")
        return signs

    def _primary(self) -> Expression:
        cursor = self._cursor
        cursor.need(EXPRESSION)
        reader = self._primaries.get(cursor.kind)
        return reader() if reader else self._constant()

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
        node = self._inside({"')'"})
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
            arguments.append(self._inside({"','", "')'"}))
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
        index = self._inside({"']'"})
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
            elements.append(self._inside({"','", "']'"}))
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
            key = self._inside({"':'"})
            colon = self._cursor.match("':'", EXPRESSION)
            value = self._inside({"','", "'}'"})
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
            value = self._inside({"','", "'}'"})
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
