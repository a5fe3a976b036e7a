"""To which objects a quota applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Object = dict[str, Any]


class Scope(NamedTuple):
    """One condition on objects: a name that says what is looked at, and what is to be found there."""

    name: str
    operator: str = "Exists"
    values: tuple[str, ...] = ()

    def selects(self, value: str) -> bool:
        """Whether a value is what is to be found; an empty one is none."""
        if self.operator == "Exists":
            return bool(value)
        if self.operator == "DoesNotExist":
            return not value
        return (self.operator == "In") == (value in self.values)

    def selects_any(self, values: Iterable[str]) -> bool:
        """Whether one of several values is what is to be found, or, where there is none, that."""
        return any(self.selects(value) for value in [*values] or [""])


def scopes_of(quota: Mapping[str, Any]) -> list[Scope]:
    """The conditions of a quota, all of which must hold."""
    spec = quota.get("spec", {})
    selector = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
    return [
        *(Scope(name) for name in spec.get("scopes") or ()),
        *(Scope(each["scopeName"], each["operator"], tuple(each.get("values") or ())) for each in selector),
    ]
