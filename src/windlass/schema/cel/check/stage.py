"""The stage between the tree and its evaluation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from windlass.schema.cel import ast
from windlass.schema.cel.check.aggregate import list_literal, map_literal, object_literal
from windlass.schema.cel.check.call import call
from windlass.schema.cel.check.checked import Checked
from windlass.schema.cel.check.comprehension import comprehension
from windlass.schema.cel.check.literal import literal_problems
from windlass.schema.cel.check.name import identifier, select
from windlass.schema.cel.check.rewrite import rewritten
from windlass.schema.cel.check.state import State
from windlass.schema.cel.check.unify import IntricateError
from windlass.schema.cel.problem import ExpressionError, Problem
from windlass.schema.cel.value import type_of

if TYPE_CHECKING:
    from windlass.schema.cel.environment import Environment


def check(tree: ast.Tree, environment: Environment) -> Checked:
    """Find the types of an expression.

    Raises:
        ExpressionError: the types do not fit, or a literal cannot be what it stands for.
    """
    state = State(environment)
    try:
        _run(state, tree.root)
    except IntricateError as error:
        problem = Problem(tree.root.offset, "the types of the expression are too intricate")
        raise ExpressionError(tree.text, [problem]) from error
    if state.problems:
        raise ExpressionError(tree.text, state.problems)
    root = rewritten(tree.root, state.resolved)
    checked = Checked(replace(tree, root=root), state.types, state.references)
    if problems := literal_problems(checked, environment):
        raise ExpressionError(tree.text, problems)
    return checked


def _run(state: State, root: ast.Expression) -> None:
    state.plan(root)
    while state.todo:
        step = state.todo.pop()
        if isinstance(step, ast.Node):
            _visit(state, step)
        else:
            step()
    if not state.problems:
        settled = state.bindings.settled
        state.types = {key: settled(each, close=True) for key, each in state.types.items()}


def _visit(state: State, node: ast.Expression) -> None:
    match node:
        case ast.Literal():
            state.types[node.id] = type_of(node.value)
        case ast.Identifier():
            identifier(state, node)
        case ast.Select():
            select(state, node)
        case ast.Call():
            call(state, node)
        case ast.ListLiteral():
            list_literal(state, node)
        case ast.MapLiteral():
            map_literal(state, node)
        case ast.ObjectLiteral():
            object_literal(state, node)
        case ast.Comprehension():
            comprehension(state, node)
