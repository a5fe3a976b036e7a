"""Numbers, and the values that are a number or a percentage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import percent, port_name
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

NEGATIVE: Final = "must be greater than or equal to 0"
NOT_POSITIVE: Final = "must be greater than zero"
LARGEST_INT32: Final = 2**31 - 1

_LARGEST_PORT: Final = 65535
_WHOLE: Final = 100
_MOST_DIGITS: Final = 19  # of what is too large in any case; `int` does not read texts of any length


def nonnegative(fields: Mapping[str, Any], names: Iterable[str], path: Path) -> Iterator[Fault]:
    """Those of the named fields that are below zero; an absent one is not."""
    for name in names:
        value = fields.get(name, 0)
        if value < 0:
            yield Fault.invalid(path.child(name), value, NEGATIVE)


def between(value: int, low: int, high: int) -> Sequence[str]:
    """What is wrong with a number that must lie in a range, both ends included."""
    return () if low <= value <= high else [f"must be between {low} and {high}, inclusive"]


def port_number(value: int) -> Sequence[str]:
    """What is wrong with the number of a port."""
    return between(value, 1, _LARGEST_PORT)


def identity(value: int) -> Sequence[str]:
    """What is wrong with a user's or a group's number."""
    return between(value, 0, LARGEST_INT32)


def validate_port(port: int | str, path: Path) -> Iterator[Fault]:
    """A port by its number or by its name."""
    for problem in port_name(port) if isinstance(port, str) else port_number(port):
        yield Fault.invalid(path, port, problem)


def validate_share(value: int | str, path: Path) -> Iterator[Fault]:
    """A number of things that is not negative, or a percentage of them."""
    if isinstance(value, str):
        for problem in percent(value):
            yield Fault.invalid(path, value, problem)
    elif value < 0:
        yield Fault.invalid(path, value, NEGATIVE)


def validate_at_most_all(value: int | str, path: Path) -> Iterator[Fault]:
    """A percentage of at most 100."""
    if isinstance(value, str) and share(value) > _WHOLE and not percent(value):
        yield Fault.invalid(path, value, "must not be greater than 100%")


def share(value: int | str) -> int:
    """The number in a number or percentage; zero for a text that is neither."""
    if isinstance(value, int):
        return value
    digits = value.removesuffix("%")
    if not (digits.isascii() and digits.isdigit()):
        return 0
    return int(digits.lstrip("0")[:_MOST_DIGITS] or 0)
