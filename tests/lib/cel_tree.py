"""Trees of expressions as text, with the offset of each node behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.ast import (
    Call,
    Comprehension,
    Expression,
    Identifier,
    ListLiteral,
    Literal,
    MapLiteral,
    ObjectLiteral,
    Select,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def written(node: Expression) -> str:
    """A node on one line."""
    return f"{_body(node)}@{node.offset}"


def _body(node: Expression) -> str:  # noqa: PLR0911 - one for each kind of node
    match node:
        case Literal():
            return repr(node.value)
        case Identifier():
            return node.name
        case Select():
            return f"{written(node.operand)}.{node.field}{'~' if node.test else ''}"
        case Call():
            target = f"{written(node.target)}." if node.target else ""
            return f"{target}{node.function}({_all(node.arguments)})"
        case ListLiteral():
            marks = ("?" if at in node.optional else "" for at in range(len(node.elements)))
            return f"[{', '.join(map(str.__add__, marks, map(written, node.elements)))}]"
        case MapLiteral():
            entries = (
                f"{'?' * entry.optional}{written(entry.key)}: {written(entry.value)}@{entry.offset}"
                for entry in node.entries
            )
            return f"{{{', '.join(entries)}}}"
        case ObjectLiteral():
            fields = (
                f"{'?' * field.optional}{field.name}: {written(field.value)}@{field.offset}"
                for field in node.fields
            )
            return f"{node.name}{{{', '.join(fields)}}}"
        case Comprehension():
            names = ", ".join(filter(None, (node.variable, node.second)))
            parts = _all((node.start, node.condition, node.step, node.result))
            return f"loop({names} of {written(node.range)}; {node.accumulator}: {parts})"


def _all(nodes: Iterable[Expression]) -> str:
    return ", ".join(map(written, nodes))
