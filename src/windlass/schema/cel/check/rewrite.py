"""A tree in which some nodes are replaced."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windlass.schema.cel import ast

if TYPE_CHECKING:
    from collections.abc import Mapping


def rewritten(root: ast.Expression, by: Mapping[int, ast.Expression]) -> ast.Expression:
    """The tree with the nodes of some ids replaced; what did not change is shared."""
    if not by:
        return root
    made: dict[int, ast.Expression] = {}
    for node in ast.walk(root):
        now = by.get(node.id, node)
        parts = ast.children(now)
        changed = any(made.get(each.id, each) is not each for each in parts)
        made[node.id] = _with_parts(now, made) if changed else now
    return made[root.id]


def _with_parts(node: ast.Expression, made: Mapping[int, ast.Expression]) -> ast.Expression:
    match node:
        case ast.Select():
            parts: dict[str, Any] = {"operand": made[node.operand.id]}
        case ast.Call():
            target = None if node.target is None else made[node.target.id]
            parts = {"target": target, "arguments": tuple(made[each.id] for each in node.arguments)}
        case ast.ListLiteral():
            parts = {"elements": tuple(made[each.id] for each in node.elements)}
        case ast.MapLiteral():
            parts = {"entries": tuple(_with_entry(each, made) for each in node.entries)}
        case ast.ObjectLiteral():
            parts = {"fields": tuple(replace(each, value=made[each.value.id]) for each in node.fields)}
        case ast.Comprehension():
            names = ("range", "start", "condition", "step", "result")
            parts = {name: made[getattr(node, name).id] for name in names}
        case _:
            parts = {}
    return replace(node, **parts)


def _with_entry(entry: ast.Entry, made: Mapping[int, ast.Expression]) -> ast.Entry:
    return replace(entry, key=made[entry.key.id], value=made[entry.value.id])
