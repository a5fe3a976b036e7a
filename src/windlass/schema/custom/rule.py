"""The place of `x-kubernetes-validations`: rules in CEL, which somebody else compiles and evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from windlass.schema.custom.judge import Link
    from windlass.schema.fault import Fault

KEYWORD: Final = "x-kubernetes-validations"


class RuleEngine(Protocol):
    """Knows CEL."""

    def check(self, schema: Mapping[str, Any], path: str, broken: Collection[str] = ()) -> Iterable[Fault]:
        """What is wrong with the rules of a schema that is structural; `path` is that of the schema.

        Rules of nodes that have a fault already, or have one below them, are not looked at; `broken` are the
        paths of these faults.
        """

    def compile(self, schema: Mapping[str, Any], *, resource: bool = True) -> Rules | None:
        """The rules of a schema that was checked; `None` if it has none.

        `resource` tells that its values have a type and a name, whether the schema says so or not.
        """


class Rules(Protocol):
    """The rules of one schema."""

    def faults(self, value: Any, old: Any, link: Link | None, at: str) -> Iterable[Fault]:
        """The rules that a value breaks; `at` is the path of the value, empty at the root."""

    def excused(self, value: Any, old: Any, link: Link) -> Iterable[Fault]:
        """The rules that a value breaks as it did before, which `faults` leaves out."""


def has_rules(schema: Mapping[str, Any]) -> bool:
    """Whether there are rules anywhere in a schema."""
    if schema.get(KEYWORD):
        return True
    children = (
        schema.get("items"),
        schema.get("additionalProperties"),
        *(schema.get("properties") or {}).values(),
    )
    return any(has_rules(each) for each in children if isinstance(each, dict))
