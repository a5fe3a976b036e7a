"""What the compiler makes of a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.evaluate.frame import Frame
from windlass.schema.cel.value import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.schema.cel.evaluate.attribute import Attribute
    from windlass.schema.cel.evaluate.frame import Code


@dataclass(frozen=True, slots=True)
class Plan:
    """Code that computes a value.

    `constant` is the value if it is always the same; `attribute` is what the code resolves, if it is a
    variable or a part of something, of which a part can be taken in turn.
    """

    code: Code
    constant: Any = ABSENT
    attribute: Attribute | None = None

    @property
    def is_constant(self) -> bool:
        """Whether the value is always the same."""
        return self.constant is not ABSENT


def always(value: Any) -> Plan:
    """A constant, which costs nothing."""
    return Plan(lambda _frame: value, value)


def folded(code: Code, parts: Iterable[Plan]) -> Plan:
    """A plan that is a constant if all of its parts are.

    Raises:
        EvaluationError: they are, and there is no such constant.
    """
    return always(code(Frame({}, 0, None))) if all(part.is_constant for part in parts) else Plan(code)


def resolved(attribute: Attribute) -> Plan:
    """A plan that resolves an attribute."""
    return Plan(attribute.resolver(int(attribute.priced)), attribute=attribute)
