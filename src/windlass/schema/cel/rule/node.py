"""The rules of a schema as a tree of its own, with only the nodes at or above which there are rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.adapt import adapter
from windlass.schema.cel.rule.compile import Compiler, RuleError
from windlass.schema.cel.rule.variables import Variables
from windlass.schema.cel.structure import declare, escape
from windlass.schema.custom.rule import KEYWORD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from windlass.schema.cel.rule.compile import Rule
    from windlass.schema.cel.structure import Declared
    from windlass.schema.cel.value import Value

    Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node: its rules, and the nodes below it that have any.

    `adapt` makes a value of an object one of expressions. `failures` are rules that do not compile, which no
    definition has that was checked. `keys` are those by which old items of a list are found.
    `transitional` tells that a rule here speaks of the old value; else the messages do not know it either.
    """

    type: str
    adapt: Callable[[Any], Value]
    rules: tuple[Rule, ...]
    failures: tuple[RuleError, ...]
    fields: Mapping[str, Node]
    values: Node | None
    items: Node | None
    keys: tuple[str, ...]
    transitional: bool

    def variables(self, value: Any, old: Any) -> Variables:
        """What the rules here speak of."""
        return Variables(self.adapt, value, old if self.transitional else None)


def compiled(schema: Schema, declared: Declared | None, *, resource: bool) -> Node | None:
    """The rules of a schema; `None` if there are none, or if expressions cannot speak of its values.

    `resource` tells that its values have a type and a name, whether the schema says so or not.
    """
    if declared is None:
        return None
    fields = _fields(schema, declared)
    values = _element(schema.get("additionalProperties"), declared)
    items = _element(schema.get("items"), declared)
    written = [each for each in schema.get(KEYWORD) or () if (each.get("rule") or "").strip()]
    if not (written or fields or values or items):
        return None
    rules, failures = _rules(written, Compiler(schema, declared))
    keyed = schema.get("x-kubernetes-list-type") == "map"
    return Node(
        type=schema.get("type") or "",
        adapt=adapter(schema, resource=resource),
        rules=rules,
        failures=failures,
        fields=fields,
        values=values,
        items=items,
        keys=tuple(schema.get("x-kubernetes-list-map-keys") or ()) if keyed else (),
        transitional=any(rule.transitional for rule in rules),
    )


def _fields(schema: Schema, declared: Declared) -> dict[str, Node]:
    known = declared.fields or {}
    found: dict[str, Node] = {}
    for name, child in (schema.get("properties") or {}).items():
        resource = bool(child.get("x-kubernetes-embedded-resource"))
        escaped = escape(name)
        # What expressions cannot name, they cannot select from the object; but it can have rules of its own.
        type_ = known.get(escaped) if escaped is not None else declare(child, root=resource)
        node = compiled(child, type_, resource=resource)
        if node is not None:
            found[name] = node
    return found


def _element(schema: Any, declared: Declared) -> Node | None:
    if not isinstance(schema, dict):
        return None
    return compiled(schema, declared.element, resource=bool(schema.get("x-kubernetes-embedded-resource")))


def _rules(written: Iterable[Schema], compiler: Compiler) -> tuple[tuple[Rule, ...], tuple[RuleError, ...]]:
    rules: list[Rule] = []
    failures: list[RuleError] = []
    for each in written:
        try:
            rules.append(compiler.compile(each))
        except RuleError as error:
            failures.append(error)
    return tuple(rules), tuple(failures)
