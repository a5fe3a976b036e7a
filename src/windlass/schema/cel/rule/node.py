"""The rules of a schema as a tree of its own, with only the nodes at or above which there are rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.rule.compile import Compiler, RuleError
from windlass.schema.cel.structure import structure_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.rule.compile import Rule
    from windlass.schema.cel.structure import Structure

    Schema = Mapping[str, Any]

_KEYWORD: Final = "x-kubernetes-validations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node: its rules, and the nodes below it that have any.

    `structure` is `None` where there are no rules. `failures` are rules that do not compile, which cannot be
    in a definition that was checked.
    """

    type: str
    structure: Structure | None
    rules: tuple[Rule, ...]
    failures: tuple[RuleError, ...]
    fields: Mapping[str, Node]
    values: Node | None
    items: Node | None
    keys: tuple[str, ...]

    @property
    def transitional(self) -> bool:
        """Whether any rule here asks for the old value."""
        return any(rule.transitional for rule in self.rules)


def has_rules(schema: Schema) -> bool:
    """Whether there are rules anywhere in a schema."""
    if schema.get(_KEYWORD):
        return True
    children = [*(schema.get("properties") or {}).values(), schema.get("items"), schema.get("additionalProperties")]
    return any(has_rules(each) for each in children if isinstance(each, dict))


def compiled(schema: Schema, *, resource: bool) -> Node | None:
    """The rules of a schema; `None` if there are none. `resource` tells that it has a type and a name."""
    if not has_rules(schema):
        return None
    rules, failures, structure = _rules(schema, resource=resource)
    values, items = schema.get("additionalProperties"), schema.get("items")
    fields = {name: _below(child) for name, child in (schema.get("properties") or {}).items()}
    return Node(
        type=schema.get("type") or "",
        structure=structure,
        rules=rules,
        failures=failures,
        fields={name: node for name, node in fields.items() if node is not None},
        values=_below(values),
        items=_below(items),
        keys=_keys(schema),
    )


def _below(schema: Any) -> Node | None:
    if not isinstance(schema, dict):
        return None
    return compiled(schema, resource=bool(schema.get("x-kubernetes-embedded-resource")))


def _keys(schema: Schema) -> tuple[str, ...]:
    """The keys by which old items are found."""
    return tuple(schema.get("x-kubernetes-list-map-keys") or ()) if _is_keyed(schema) else ()


def _is_keyed(schema: Schema) -> bool:
    return schema.get("type") == "array" and schema.get("x-kubernetes-list-type") == "map"


def _rules(
    schema: Schema, *, resource: bool
) -> tuple[tuple[Rule, ...], tuple[RuleError, ...], Structure | None]:
    written = schema.get(_KEYWORD) or ()
    structure = structure_of(schema, resource=resource) if written else None
    if structure is None:
        return (), (), None
    compiler = Compiler(structure, schema)
    rules: list[Rule] = []
    failures: list[RuleError] = []
    for each in written:
        if not each["rule"].strip():
            continue
        try:
            rules.append(compiler.compile(each))
        except RuleError as error:
            failures.append(error)
    return tuple(rules), tuple(failures), structure
