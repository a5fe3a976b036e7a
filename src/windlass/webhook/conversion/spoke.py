from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

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
