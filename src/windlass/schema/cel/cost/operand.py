"""What a price may ask about a node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.schema.cel.cost.bounds import UNKNOWN, Range
from windlass.schema.cel.type import Type, TypeKind

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Expression

Path = tuple[str, ...]
Sizes = Callable[[Path], Range | None]
"""The size of what is at a path: the name of a variable, then fields, `@items`, `@keys` or `@values`."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument of a call, or an element of one: where it comes from, and what is known of its size."""

    type: Type
    path: Path
    size: Range | None
    expression: Expression | None = None

    @property
    def bounds(self) -> Range:
        """The size, if need be between nothing and everything."""
        return UNKNOWN if self.size is None else self.size

    @property
    def is_text(self) -> bool:
        """Whether it is text or bytes."""
        return self.type.kind in (TypeKind.STRING, TypeKind.BYTES)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of one overload, whose price is asked."""

    function: str
    overload: str
    target: Operand | None
    arguments: tuple[Operand, ...]
    sizes: Sizes

    def element(self) -> Operand | None:
        """An element of the target, if that is a list; else nothing."""
        if self.target is None or not self.target.type.parameters:
            return None
        path = (*self.target.path, "@items") if self.target.path else ()
        return Operand(self.target.type.parameters[0], path, self.sizes(path) if path else None)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a call costs beside its arguments, and how large its result can be, if that is known."""

    cost: Range
    size: Range | None = None
