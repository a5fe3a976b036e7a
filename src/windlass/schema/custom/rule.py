"""The place of `x-kubernetes-validations`: rules in CEL, which somebody else compiles and evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.schema.custom.judge import Link
    from windlass.schema.fault import Fault


class RuleEngine(Protocol):
    """Knows CEL."""

    def check(self, schema: Mapping[str, Any], path: str) -> Iterable[Fault]:
        """What is wrong with the rules of a schema that is structural; `path` is that of the schema."""

    def compile(self, schema: Mapping[str, Any]) -> Rules | None:
        """The rules of a schema that was checked; `None` if it has none."""


class Rules(Protocol):
    """The rules of one schema."""

    def faults(self, value: Any, old: Any, link: Link | None, at: str) -> Iterable[Fault]:
        """The rules that a value breaks; `at` is the path of the value, empty at the root."""
