"""What is known in the middle of a check.

A tree is taken apart with a list of what is still to be done instead of recursion, so that no expression is
nested too deeply: a node plans the nodes that it consists of, and the steps that make something of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.check import message
from windlass.schema.cel.check.scope import Scope
from windlass.schema.cel.check.unify import Bindings
from windlass.schema.cel.problem import Problem
from windlass.schema.cel.type import ERROR, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.ast import Expression, Node
    from windlass.schema.cel.check.checked import Reference
    from windlass.schema.cel.environment import Environment

    Step = Expression | Callable[[], None]


class State:
    """The types so far, what they were found from, and what is left to do.

    `resolved` has the nodes that turned out to mean something else than they say.
    """

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.types: dict[int, Type] = {}
        self.references: dict[int, Reference] = {}
        self.resolved: dict[int, Expression] = {}
        self.problems: list[Problem] = []
        self.scope = Scope(environment)
        self.bindings = Bindings()
        self.todo: list[Step] = []

    def plan(self, *steps: Step) -> None:
        """Do these next, in this order: check a node, or take a step."""
        self.todo.extend(reversed(steps))

    def type_of(self, node: Expression) -> Type:
        """The type of a node as far as it is known by now."""
        return self.bindings.settled(self.types[node.id])

    def expect(self, node: Expression, wanted: Type) -> None:
        """A node must have a type."""
        given = self.types[node.id]
        if not self.bindings.assignable((wanted,), (given,)):
            self.report(node, message.mismatch(wanted, given))

    def field(self, node: Node, of: str, name: str) -> Type:
        """The type of a field of an object type."""
        fields = self.environment.objects.get(of)
        if fields is not None and name in fields:
            return fields[name]
        self.report(node, message.unknown_object(of) if fields is None else message.undefined_field(name))
        return ERROR

    def report(self, node: Node, text: str) -> None:
        """Something is wrong at a node."""
        self.problems.append(Problem(node.offset, text))
