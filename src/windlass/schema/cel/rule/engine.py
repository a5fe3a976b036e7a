from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.rule import limit
from windlass.schema.cel.rule.definition import DefinitionCheck
from windlass.schema.cel.rule.judgement import Case, Judgement, OutOfBudgetError
from windlass.schema.cel.rule.node import compiled
from windlass.schema.cel.rule.ratchet import Ratchet
from windlass.schema.cel.structure import declare

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from windlass.schema.cel.rule.node import Node
    from windlass.schema.custom.judge import Link
    from windlass.schema.fault import Fault


class CelEngine:
    """The rules of schemas, written in CEL. They may cost as much as `budget` on one object."""

    def __init__(self, budget: int = limit.OBJECT) -> None:
        self._budget = budget

    def check(self, schema: Mapping[str, Any], path: str, broken: Collection[str] = ()) -> Iterable[Fault]:
        """What is wrong with the rules of a structural schema, but for nodes at or above a `broken` path."""
        return DefinitionCheck(broken).faults(schema, path)

    def compile(self, schema: Mapping[str, Any], *, resource: bool = True) -> CelRules | None:
        """The rules of a schema; `None` if it has none."""
        node = compiled(schema, declare(schema, root=resource), resource=resource)
        return None if node is None else CelRules(node, self._budget)


class CelRules:
    """The rules of one schema."""

    def __init__(self, node: Node, budget: int) -> None:
        self._node = node
        self._budget = budget

    def faults(self, value: Any, old: Any, link: Link | None, at: str) -> Iterable[Fault]:
        """The rules that a value breaks, but for those that an update, by its link, broke before."""
        return self.judged(value, old, link, at).faults

    def excused(self, value: Any, old: Any, link: Link) -> Iterable[Fault]:
        """The rules that an update breaks as the object did before."""
        return self.judged(value, old, link, "").excused

    def judged(self, value: Any, old: Any, link: Link | None, at: str) -> Judgement:
        """All that the rules say."""
        judgement = Judgement(self._budget)
        with suppress(OutOfBudgetError):
            judgement.visit(self._node, Case(value, old, Ratchet(link), at))
        return judgement
