"""Plans for the nodes that are no calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.evaluate.attribute import Path
from windlass.schema.cel.evaluate.literal import list_code, map_code, object_code
from windlass.schema.cel.evaluate.loop import Loop, accumulator_code, loop_code, variable_code
from windlass.schema.cel.evaluate.plan import Plan, always, folded, resolved
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import TypeKind

if TYPE_CHECKING:
    from windlass.schema.cel import ast
    from windlass.schema.cel.evaluate.compile import Compiler
    from windlass.schema.cel.evaluate.frame import Code, Frame
    from windlass.schema.cel.value import Value


def literal_plan(_compiler: Compiler, node: ast.Literal) -> Plan:
    """A constant."""
    return always(node.value)


def identifier_plan(compiler: Compiler, node: ast.Identifier) -> Plan:
    """A variable, or the name of a type."""
    reference = compiler.reference(node)
    if reference is not None and reference.constant is not None:
        return always(reference.constant)
    name = (reference.name if reference is not None else "") or node.name.removeprefix(".")
    type_ = compiler.type_of(node)
    if type_ is not None and type_.kind is TypeKind.TYPE:
        # cel-go takes every name of this type for the name of a type, be it that of a variable.
        raise EvaluationError(f"reference to undefined type: {name}")
    return resolved(Path(compiler.scope.get(node.name) or _variable(name)))


def list_plan(compiler: Compiler, node: ast.ListLiteral) -> Plan:
    """A list."""
    plans = list(map(compiler.plan, node.elements))
    return folded(list_code([each.code for each in plans], node.optional), plans)


def map_plan(compiler: Compiler, node: ast.MapLiteral) -> Plan:
    """A map."""
    keys = [compiler.plan(entry.key) for entry in node.entries]
    values = [compiler.plan(entry.value) for entry in node.entries]
    entries = [
        (key.code, value.code, entry.optional)
        for key, value, entry in zip(keys, values, node.entries, strict=True)
    ]
    return folded(map_code(entries), [*keys, *values])


def object_plan(compiler: Compiler, node: ast.ObjectLiteral) -> Plan:
    """An object."""
    fields = [(field.name, compiler.plan(field.value).code, field.optional) for field in node.fields]
    return Plan(object_code(node.name, fields, known=node.name in compiler.constructible))


def comprehension_plan(compiler: Compiler, node: ast.Comprehension) -> Plan:
    """A loop, whose variables hide those outside of it; its result does not see that of the elements."""
    over, start = compiler.plan(node.range), compiler.plan(node.start)
    variable = compiler.reserve(3)
    second, accumulator = variable + 1, variable + 2
    total = {**compiler.scope, node.accumulator: accumulator_code(accumulator, start.code)}
    element = {node.variable: variable_code(variable)} | (
        {node.second: variable_code(second)} if node.second else {}
    )
    inner = {**compiler.scope, **element, node.accumulator: total[node.accumulator]}
    loop = Loop(
        variable=variable,
        second=second if node.second else None,
        accumulator=accumulator,
        over=over.code,
        condition=compiler.plan_within(inner, node.condition).code,
        step=compiler.plan_within(inner, node.step).code,
        result=compiler.plan_within(total, node.result).code,
    )
    return Plan(loop_code(loop))


def _variable(name: str) -> Code:
    def read(frame: Frame) -> Value:
        try:
            return frame.variables[name]
        except KeyError as error:
            raise EvaluationError(f"no such attribute(s): {name}") from error

    return read
