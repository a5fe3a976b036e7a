"""What an expression may speak of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from windlass.schema.cel.type import DURATION, NAMED, TIMESTAMP, object_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.declare import Function, Library, Macro
    from windlass.schema.cel.type import Type


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Variables with their types, the fields of object types by the name of the type, and libraries."""

    variables: Mapping[str, Type] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    libraries: tuple[Library, ...] = ()

    def extended(
        self, variables: Mapping[str, Type], objects: Mapping[str, Mapping[str, Type]] | None = None
    ) -> Environment:
        """The same with more variables and object types."""
        return replace(
            self,
            variables={**self.variables, **variables},
            objects={**self.objects, **(objects or {})},
        )

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """Every function by its name; a name in several libraries has the overloads of all of them."""
        found: dict[str, Function] = {}
        for library in self.libraries:
            for function in library.functions:
                known = found.get(function.name)
                overloads = (*(known.overloads if known else ()), *function.overloads)
                found[function.name] = replace(function, overloads=overloads)
        return found

    @cached_property
    def types(self) -> Mapping[str, Type]:
        """Every type that an expression can name."""
        found = dict(NAMED)
        for library in self.libraries:
            found.update(library.types)
        if self.objects:
            found.update({"duration": DURATION, "timestamp": TIMESTAMP})
            found.update({name: object_type(name) for name in self.objects})
        return found

    @cached_property
    def macros(self) -> tuple[Macro, ...]:
        """Every macro."""
        return tuple(macro for library in self.libraries for macro in library.macros)
