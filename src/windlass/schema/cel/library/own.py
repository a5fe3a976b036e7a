"""Values of a library's own types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.problem import EvaluationError

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value


class Own:
    """A value that is comparable with others of its type only."""

    __slots__ = ()

    def equals(self, other: Value) -> bool:
        """Whether it is equal to another.

        Raises:
            EvaluationError: the other is of another type.
        """
        if type(other) is not type(self):
            raise EvaluationError("no such overload")
        return bool(self == other)
