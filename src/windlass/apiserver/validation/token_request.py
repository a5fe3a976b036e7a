"""TokenRequest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SHORTEST: Final = 600
_LONGEST: Final = 2**32


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:  # noqa: ARG001 - the form of all kinds
    """A TokenRequest: how long the token is to live."""
    seconds = obj.get("spec", {}).get("expirationSeconds", 0)
    for problem in token_life(seconds):
        yield Fault.invalid(Path("spec").child("expirationSeconds"), seconds, problem)


def token_life(seconds: int) -> Sequence[str]:
    """What is wrong with the life of a token."""
    if seconds < _SHORTEST:
        return ["may not specify a duration less than 10 minutes"]
    return ["may not specify a duration larger than 2^32 seconds"] if seconds > _LONGEST else ()
