from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from windlass.api import Resource

if TYPE_CHECKING:
    from collections.abc import Callable

H = TypeVar("H", bound=Resource)
S = TypeVar("S", bound=Resource)


@dataclass(frozen=True)
class Spoke(Generic[S, H]):
    """One version of a kind, and the way from it to the hub and back. Both are pure functions."""

    of: type[S]
    to_hub: Callable[[S], H]
    from_hub: Callable[[H], S]


@dataclass(frozen=True, kw_only=True)
class Conversion(Generic[H]):
    """The versions of a kind: one is the hub, and every other one, a spoke, knows the way to it and back.

    So n versions need n - 1 pairs of functions, and any can be made of any other.
    """

    hub: type[H]
    spokes: tuple[Spoke[Any, H], ...]
    path: str = "/convert"
