"""Plans for parts of something: its fields and its elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel import ast
from windlass.schema.cel.evaluate.attribute import Step, usable_key
from windlass.schema.cel.evaluate.plan import Plan, resolved

if TYPE_CHECKING:
    from windlass.schema.cel.evaluate.compile import Compiler

INDEXING: Final = {"_[_]": False, "_[?_]": True, "_?._": True}
"""The operators that take a part, and whether it may be absent."""


def part_plan(compiler: Compiler, node: ast.Select | ast.Call) -> Plan:
    """A field or an element, or whether there is one."""
    return resolved(compiler.attribute(node))


def part_of(compiler: Compiler, node: ast.Expression) -> tuple[ast.Expression, Step] | None:
    """What a node is a part of, and which; `None` if it is no part of anything."""
    if isinstance(node, ast.Select):
        return node.operand, Step(node.field, test=node.test)
    if isinstance(node, ast.Call) and node.function in INDEXING:
        whole, index = node.arguments
        return whole, _step(compiler.plan(index), optional=INDEXING[node.function])
    return None


def _step(key: Plan, *, optional: bool) -> Step:
    if key.is_constant:
        return Step(usable_key(key.constant), optional=optional)
    code = key.code if key.attribute is None else key.attribute.resolver()
    return Step(code=code, optional=optional)
