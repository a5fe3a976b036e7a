"""What an update may not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import IMMUTABLE
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_SEALED: Final = "field is immutable when `immutable` is set"


def validate_unchanged(new: Any, old: Any, path: Path | str) -> Iterator[Fault]:
    """A value that must be what it was; empty and absent are the same."""
    if new != old and (new or old):
        yield Fault.invalid(path, new, IMMUTABLE)


def validate_seal(new: Mapping[str, Any], old: Mapping[str, Any], names: Iterable[str]) -> Iterator[Fault]:
    """An object whose old self says `immutable`: it goes on saying so, and the named fields stay."""
    if not old.get("immutable"):
        return
    if not new.get("immutable"):
        yield Fault.forbidden("immutable", _SEALED)
    for name in names:
        if (new.get(name) or {}) != (old.get(name) or {}):
            yield Fault.forbidden(name, _SEALED)
