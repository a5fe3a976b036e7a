from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.custom import has_rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from windlass.schema import Fault
    from windlass.schema.custom import Rules


class LazyRules:
    """Rules in CEL, which is loaded with the first definition that has any: most have none."""

    def check(self, schema: Mapping[str, Any], path: str, broken: Collection[str] = ()) -> Iterable[Fault]:
        """What is wrong with the rules of a structural schema, but for nodes at or above a `broken` path."""
        if not has_rules(schema):
            return ()
        from windlass.schema.cel.rule import CelEngine

        return CelEngine().check(schema, path, broken)

    def compile(self, schema: Mapping[str, Any], *, resource: bool = True) -> Rules | None:
        """The rules of a schema; `None` if it has none."""
        if not has_rules(schema):
            return None
        from windlass.schema.cel.rule import CelEngine

        return CelEngine().compile(schema, resource=resource)
