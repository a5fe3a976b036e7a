"""What the checker finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Tree
    from windlass.schema.cel.type import Type


@dataclass(frozen=True, slots=True)
class Reference:
    """What a node refers to: overloads of a function, or something with a name.

    Several overloads fit where types are not known before the values are. `constant` is the value of a name
    that is none of a variable: the type, of the name of one that values can have.
    """

    overloads: tuple[str, ...] = ()
    name: str = ""
    constant: Any = None


@dataclass(frozen=True, slots=True)
class Checked:
    """An expression whose types fit, with the type of each node and what it refers to, by the node's `id`.

    The tree says what was resolved: a name with dots that is a variable or a type is an `Identifier`, and a
    function whose name has dots (`optional.of`) is called without a target.
    """

    tree: Tree
    types: dict[int, Type]
    references: dict[int, Reference]

    @property
    def type(self) -> Type:
        """The type of the expression."""
        return self.types[self.tree.root.id]
