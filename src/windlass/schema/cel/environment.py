"""What an expression may speak of."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from windlass.schema.cel.type import NAMED

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, MutableMapping

    from windlass.schema.cel.declare import Function, Library, Macro
    from windlass.schema.cel.evaluate import Program
    from windlass.schema.cel.type import Type

    _Mutable = MutableMapping[str, Mapping[str, Type]]


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Variables with their types, the fields of object types by the name of the type, and libraries.

    Expressions can make objects only of the types that are `constructible`.
    """

    variables: Mapping[str, Type] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    libraries: tuple[Library, ...] = ()
    constructible: Container[str] = frozenset()

    def extended(
        self, variables: Mapping[str, Type], objects: Mapping[str, Mapping[str, Type]] | None = None
    ) -> Environment:
        """The same with more variables and object types."""
        extended = replace(
            self,
            variables={**self.variables, **variables},
            objects=_joined(self.objects, objects or {}),
        )
        # The libraries are the same, and a schema with many rules is extended as often.
        vars(extended).update(functions=self.functions, types=self.types, macros=self.macros)
        return extended

    def program(self, text: str) -> Program:
        """An expression made ready for evaluation, which costs what it costs in Kubernetes.

        Raises:
            ExpressionError: the text is no expression, or its types do not fit.
            EvaluationError: it has no value whatever its variables are.
        """
        # The stages are built upon the environment, and importing it alone must stay cheap.
        from windlass.schema.cel.check import check
        from windlass.schema.cel.cost import KUBERNETES_PRICING
        from windlass.schema.cel.evaluate import Program
        from windlass.schema.cel.parse import parse

        return Program(check(parse(text, self.macros), self), self, KUBERNETES_PRICING)

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
        """Every type that an expression can name, but for those of objects."""
        found = dict(NAMED)
        for library in self.libraries:
            found.update(library.types)
        return found

    @cached_property
    def macros(self) -> tuple[Macro, ...]:
        """Every macro."""
        return tuple(macro for library in self.libraries for macro in library.macros)


def _joined(
    some: Mapping[str, Mapping[str, Type]], more: Mapping[str, Mapping[str, Type]]
) -> Mapping[str, Mapping[str, Type]]:
    """Both, as they are: a mapping may make its values only when it is asked for them."""
    if not some or not more:
        return more or some
    return ChainMap(cast("_Mutable", more), cast("_Mutable", some))  # only ever read
