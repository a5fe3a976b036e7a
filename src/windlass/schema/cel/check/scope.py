"""The names that an expression can use, from the environment and from the comprehensions around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.ast import Identifier, Select
from windlass.schema.cel.type import DURATION, TIMESTAMP, object_type, type_of_type

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.environment import Environment
    from windlass.schema.cel.type import Type

_WITH_OBJECTS: Final = {"duration": DURATION, "timestamp": TIMESTAMP}


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a name is; with its value if that is known, as most types are."""

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
        if known is not None:
            return Declaration(name, type_of_type(known), known)
        known = self._declared(name)
        return None if known is None else Declaration(name, type_of_type(known))

    def _declared(self, name: str) -> Type | None:
        """A type that comes with those of objects. It has a name, but is no value that could be compared."""
        objects = self._environment.objects
        if name in objects:
            return object_type(name)
        return _WITH_OBJECTS.get(name) if objects else None


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
