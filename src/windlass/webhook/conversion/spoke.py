from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from windlass import _declaration as declaration
from windlass.api import Resource

if TYPE_CHECKING:
    from collections.abc import Callable

H = TypeVar("H", bound=Resource)
S = TypeVar("S", bound=Resource)


@dataclass(frozen=True)
class Spoke(Generic[S, H]):
    """One version of a kind, and the way from it to the hub and back. Both are pure functions.

    They need not care for metadata, which is carried over; one that returns labels or annotations changes
    those. `lacks` names the fields of the hub that this version cannot say, and `only` the fields of this
    version that the hub cannot: they are kept in an annotation, as is whatever else gets lost. To name them
    is to say that their loss is meant, which `check_conversion` wants to know. Paths are those on the wire:
    `spec.strategy`, `spec.ports[].appProtocol`, `spec.backends.*.weight`; each stands for all below it.
    """

    of: type[S]
    _: KW_ONLY
    to_hub: Callable[[S], H]
    from_hub: Callable[[H], S]
    lacks: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        of: object = self.of
        if not (isinstance(of, type) and issubclass(of, Resource) and hasattr(of, "__kind__")):
            raise TypeError(f"Spoke({of!r}): write Spoke(v1beta1.WebApp, …), with the class of a version")
        owner = f"Spoke({self.of.__kind__})"
        declaration.check_words(owner, "lacks", self.lacks, "spec.strategy")
        declaration.check_words(owner, "only", self.only, "spec.strategy")
        for name, function in (("to_hub", self.to_hub), ("from_hub", self.from_hub)):
            if iscoroutinefunction(function) or not declaration.takes(function, 1) or not callable(function):
                named = getattr(function, "__qualname__", repr(function))
                raise TypeError(f"{owner}: {name} is {named}: write a plain function of one object")

    def check_types(self, hub: type[Resource]) -> None:
        """See that the functions are annotated for this version and the hub, and not the other way round.

        Raises:
            TypeError: they are not; the message has the line to write.
        """
        for name, function, types in (
            ("to_hub", self.to_hub, (self.of, hub)),
            ("from_hub", self.from_hub, (hub, self.of)),
        ):
            source, target = types
            given, made = declaration.parameter(function, 0), declaration.annotation(function, "return")
            if _is_another(given, source) or _is_another(made, target):
                raise TypeError(
                    f"Spoke({self.of.__kind__}): {name} makes {_versioned(target)} of {_versioned(source)}, "
                    f"and {function.__qualname__} is annotated otherwise: "
                    "exchange to_hub and from_hub, or correct the annotations"
                )


def _is_another(said: Any, wanted: type[Resource]) -> bool:
    """Whether an annotation names the type of another version for certain."""
    told = isinstance(said, type) and issubclass(said, Resource) and hasattr(said, "__kind__")
    return told and said.__kind__ != wanted.__kind__


def _versioned(kind: type[Resource]) -> str:
    return f"{kind.__kind__.version}.{kind.__name__}"
