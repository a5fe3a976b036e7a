"""The names that an expression can use, from the environment and from the comprehensions around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.ast import Identifier, Select
from windlass.schema.cel.type import object_type, type_of_type

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.environment import Environment
    from windlass.schema.cel.type import Type


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a name is; with its value if that is known, as a type's is."""

    name: str
    type: Type
    constant: Any = None


class Scope:
    """Names, innermost first."""

    __slots__ = ("_environment", "_inner")

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._inner: list[dict[str, Type]] = []

    def enter(self, names: dict[str, Type]) -> None:
        """Add names that hide others."""
        self._inner.append(names)

    def leave(self) -> None:
        """Forget the names that were added last."""
        self._inner.pop()

    def find(self, name: str) -> Declaration | None:
        """What a name is, written with a leading dot or without."""
        name = name.removeprefix(".")
        for names in reversed(self._inner):
            if name in names:
                return Declaration(name, names[name])
        variable = self._environment.variables.get(name)
        if variable is not None:
            return Declaration(name, variable)
        known = self._environment.types.get(name)
        if known is None and name in self._environment.objects:
            known = object_type(name)
        return None if known is None else Declaration(name, type_of_type(known), known)


def qualified(node: Expression) -> str | None:
    """The name that a node spells if it is nothing but names and dots."""
    parts: list[str] = []
    while isinstance(node, Select):
        if node.test:
            return None
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Identifier):
        return None
    return ".".join((node.name, *reversed(parts)))
