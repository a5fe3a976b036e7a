"""Code made of a checked tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel import ast
from windlass.schema.cel.evaluate.attribute import Attribute, Path
from windlass.schema.cel.evaluate.node import (
    comprehension_plan,
    identifier_plan,
    list_plan,
    literal_plan,
    map_plan,
    object_plan,
)
from windlass.schema.cel.evaluate.operator import call_plan
from windlass.schema.cel.evaluate.part import part_of, part_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.schema.cel.check import Checked, Reference
    from windlass.schema.cel.environment import Environment
    from windlass.schema.cel.evaluate.frame import Code
    from windlass.schema.cel.evaluate.plan import Plan
    from windlass.schema.cel.evaluate.price import Pricing
    from windlass.schema.cel.type import Type


class Compiler:
    """Compiles one tree. `places` is how many variables its comprehensions have, which `scope` names."""

    def __init__(self, checked: Checked, environment: Environment, pricing: Pricing | None) -> None:
        self._checked = checked
        self.functions = environment.functions
        self.constructible = environment.constructible
        self.pricing = pricing
        self.scope: Mapping[str, Code] = {}
        self.places = 0

    def plan(self, node: ast.Expression) -> Plan:
        """Code for a node.

        Raises:
            EvaluationError: a constant cannot be converted, or a constant pattern is none.
        """
        return _BUILDERS[type(node)](self, node)

    def plan_within(self, scope: Mapping[str, Code], node: ast.Expression) -> Plan:
        """Code for a node that sees the variables of a scope."""
        outer, self.scope = self.scope, scope
        try:
            return self.plan(node)
        finally:
            self.scope = outer

    def attribute(self, node: ast.Expression) -> Attribute:
        """What parts of a node can be taken of. Parts of parts are no recursion, since there can be many."""
        steps = []
        while (part := part_of(self, node)) is not None:
            node, step = part
            steps.append(step)
        plan = self.plan(node)
        attribute = plan.attribute if plan.attribute is not None else Path(plan.code)
        for step in reversed(steps):
            attribute = attribute.part(step)
        return attribute

    def reserve(self, count: int) -> int:
        """The first of as many places for the variables of a comprehension."""
        first = self.places
        self.places += count
        return first

    def type_of(self, node: ast.Expression) -> Type | None:
        """The type that the checker found."""
        return self._checked.types.get(node.id)

    def reference(self, node: ast.Expression) -> Reference | None:
        """What the checker found that a node refers to."""
        return self._checked.references.get(node.id)


_BUILDERS: Final[dict[type, Callable[[Compiler, Any], Plan]]] = {
    ast.Literal: literal_plan,
    ast.Identifier: identifier_plan,
    ast.Select: part_plan,
    ast.Call: call_plan,
    ast.ListLiteral: list_plan,
    ast.MapLiteral: map_plan,
    ast.ObjectLiteral: object_plan,
    ast.Comprehension: comprehension_plan,
}
