"""Lists, maps and objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from windlass.schema.cel.ast import Entry, FieldValue, ListLiteral, MapLiteral, ObjectLiteral
from windlass.schema.cel.parse.cursor import EXPRESSION
from windlass.schema.cel.parse.token import NAME, QUOTED_NAME

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.parse.cursor import Cursor
    from windlass.schema.cel.parse.plant import Plant

_ELEMENT: Final = EXPRESSION | {"'?'"}
_FIELD: Final = frozenset({"'?'", NAME, QUOTED_NAME})


class Read(Protocol):
    """Reads an expression."""

    def __call__(self, after: AbstractSet[str], /) -> Expression:
        """The expression that is here, which one of `after` follows."""


class Aggregates:
    """Reads lists, maps and objects; `expression` reads what is in them."""

    def __init__(self, cursor: Cursor, plant: Plant, expression: Read) -> None:
        self._cursor = cursor
        self._plant = plant
        self._expression = expression

    def sequence(self) -> Expression:
        """A list."""
        opening = self._cursor.take()
        elements: list[Expression] = []
        optional: set[int] = set()
        while self._another(bool(elements), _ELEMENT, "']'"):
            if self._cursor.skip("'?'"):
                optional.add(len(elements))
            elements.append(self._expression({"','", "']'"}))
        node = ListLiteral(
            id=self._plant.fresh(),
            offset=opening.offset,
            elements=tuple(elements),
            optional=frozenset(optional),
        )
        return self._plant.measured(node, elements)

    def mapping(self) -> Expression:
        """A map."""
        opening = self._cursor.take()
        entries: list[Entry] = []
        while self._another(bool(entries), _ELEMENT, "'}'"):
            optional = self._cursor.skip("'?'")
            key = self._expression({"':'"})
            colon = self._cursor.match("':'", EXPRESSION)
            value = self._expression({"','", "'}'"})
            entries.append(
                Entry(id=self._plant.fresh(), offset=colon.offset, key=key, value=value, optional=optional)
            )
        node = MapLiteral(id=self._plant.fresh(), offset=opening.offset, entries=tuple(entries))
        return self._plant.measured(node, (part for entry in entries for part in (entry.key, entry.value)))

    def is_object(self) -> bool:
        """Whether the name that is here is that of an object."""
        at = 1
        while self._cursor.ahead(at) == "'.'" and self._cursor.ahead(at + 1) == NAME:
            at += 2
        return self._cursor.ahead(at) == "'{'"

    def object(self, dot: str) -> Expression:
        """An object, before whose name there was a dot or nothing."""
        cursor = self._cursor
        name = dot + cursor.take().text
        while cursor.kind == "'.'":
            name += cursor.take().text + cursor.take().text
        opening = cursor.take()
        fields: list[FieldValue] = []
        while self._another(bool(fields), _FIELD, "'}'"):
            optional = self._cursor.skip("'?'")
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
        node = ObjectLiteral(id=self._plant.fresh(), offset=opening.offset, name=name, fields=tuple(fields))
        return self._plant.measured(node, (field.value for field in fields))

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
        cursor.close(closing)
        return False
