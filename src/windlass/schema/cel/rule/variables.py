"""The variables of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.value import NONE, Optional

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

NEW: Final = "self"
OLD: Final = "oldSelf"


class Variables(dict[str, Any]):
    """`self` and, unless it is `None`, `oldSelf`, as expressions see them.

    Each is adapted when a rule first asks for it: an old value need not be what the schema says by now, which
    is a fault of the rules that speak of it and of no other.
    """

    __slots__ = ("_adapt", "_old", "_optional", "_value")

    def __init__(
        self, adapt: Callable[[Any], Value], value: Any, old: Any, *, optional: bool = False
    ) -> None:
        super().__init__()
        self._adapt = adapt
        self._value = value
        self._old = old
        self._optional = optional

    def with_optional(self) -> Variables:
        """The same for a rule to which the old value may be absent."""
        return Variables(self._adapt, self._value, self._old, optional=True)

    def __missing__(self, name: str) -> Value:
        if name == NEW:
            found = self._adapt(self._value)
        elif name != OLD or (self._old is None and not self._optional):
            raise KeyError(name)
        elif self._old is None:
            found = NONE
        else:
            found = Optional(self._adapt(self._old)) if self._optional else self._adapt(self._old)
        self[name] = found
        return found
