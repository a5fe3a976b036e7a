"""Numbers: their range, bounds and multiples, with the quirks of 64-bit arithmetic."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.judge.complaint import Complaint, Sort
from windlass.schema.golang import LARGEST, SMALLEST, is_integer, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from windlass.schema.custom.judge.check import Check

_EXACT: Final = 2**53 - 1
_NEARLY: Final = 1e-9
_INT32: Final = (-(2**31), 2**31 - 1)
_INT64: Final = (SMALLEST, LARGEST)
_BEYOND_FLOAT32: Final = 2.0**128 - 2.0**103
NUMBER_FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "integer": ("int32", "int64"),
    "number": ("float", "double"),
}


def is_whole(value: float) -> bool:
    """Whether a double passes for an integer: exactly, or nearly so above zero, but not beyond 53 bits."""
    if not math.isfinite(value) or abs(value) > _EXACT:
        return False
    whole = math.trunc(value)
    if value == whole:
        return True
    return whole > 0 and (value - whole) / (value + whole) < _NEARLY


def number_check(schema: Mapping[str, Any], types: Sequence[str]) -> Check | None:
    """What a schema asks of a number; `None` if that is nothing."""
    kind = types[0] if len(types) == 1 and types[0] in NUMBER_FORMATS else ""
    form = schema.get("format", "")
    form = form if form in NUMBER_FORMATS.get(kind, ()) else ""
    limits = [limit for name, limit in _LIMITS.items() if schema.get(name) is not None]
    if not limits and (kind != "integer" and form != "float"):
        return None
    low, high = _span(schema, kind, form)

    def check(value: Any, _link: Any, _tally: Any) -> Sequence[Complaint]:
        if type(value) is int and low <= value <= high:
            return ()
        found = list(_misfit("Checked", value, kind, form))
        for limit in limits:
            found += limit(schema, value, kind, form)
        return found

    return check


def _span(schema: Mapping[str, Any], kind: str, form: str) -> tuple[int, int]:
    """Integers between these are right without a closer look; there may be none."""
    low, high = _INT32 if form == "int32" else _INT64
    least, most = schema.get("minimum"), schema.get("maximum")
    if schema.get("multipleOf") is not None or form == "float":
        return 0, -1
    for limit in (least, most):
        if limit is not None and (not _fits(limit, kind, form) or not low <= limit <= high):
            return 0, -1
    if least is not None:
        low = math.trunc(least) + bool(schema.get("exclusiveMinimum"))
    if most is not None:
        high = math.trunc(most) - bool(schema.get("exclusiveMaximum"))
    return low, high


def _fits(value: float, kind: str, form: str) -> bool:
    if kind == "integer":
        low, high = _INT32 if form == "int32" else _INT64
        # A double is taken for what its shortest text says, which is beyond 64 bits for the largest ones.
        exact = value if type(value) is int else Decimal(repr(value))
        return low <= exact <= high and value == math.trunc(value)
    return form != "float" or abs(value) < _BEYOND_FLOAT32


def _misfit(what: str, value: float, kind: str, form: str) -> Iterator[Complaint]:
    if not _fits(value, kind, form):
        size = f"with format {form}" if form else "(default format)"
        yield Complaint.general(f"{what} value must be of type {kind} {size} in ")


def _multiple_of(schema: Mapping[str, Any], value: float, kind: str, form: str) -> Iterator[Complaint]:
    factor: float = schema["multipleOf"]
    yield from (misfits := list(_misfit("MultipleOf", factor, kind, form)))
    value, factor = _comparable(value, factor, natively=not misfits)
    if factor <= 0:
        complaint = Complaint(Sort.VALUE, f" must be positive: {number(factor)}", factor)
        complaint.before = "factor MultipleOf declared for "
        yield complaint
    elif not _is_multiple(value, factor):
        yield Complaint(Sort.VALUE, f" in body should be a multiple of {number(factor)}", value)


def _minimum(schema: Mapping[str, Any], value: float, kind: str, form: str) -> Iterator[Complaint]:
    limit, exclusive = schema["minimum"], schema.get("exclusiveMinimum", False)
    yield from (misfits := list(_misfit("Minimum boundary", limit, kind, form)))
    value, limit = _comparable(value, limit, natively=not misfits)
    if value <= limit if exclusive else value < limit:
        words = "greater than" if exclusive else "greater than or equal to"
        yield Complaint(Sort.VALUE, f" in body should be {words} {number(limit)}", value)


def _maximum(schema: Mapping[str, Any], value: float, kind: str, form: str) -> Iterator[Complaint]:
    limit, exclusive = schema["maximum"], schema.get("exclusiveMaximum", False)
    yield from (misfits := list(_misfit("Maximum boundary", limit, kind, form)))
    value, limit = _comparable(value, limit, natively=not misfits)
    if value >= limit if exclusive else value > limit:
        words = "less than" if exclusive else "less than or equal to"
        yield Complaint(Sort.VALUE, f" in body should be {words} {number(limit)}", value)


def _comparable(value: float, limit: float, *, natively: bool) -> tuple[float, float]:
    """A number and its limit, both as integers or both as doubles.

    An integer is compared with a limit without its fraction; beyond 64 bits that is the smallest integer.
    """
    if not natively or not is_integer(value):
        return float(value), float(limit)
    whole = math.trunc(limit)
    return value, whole if SMALLEST <= whole <= LARGEST else SMALLEST


def _is_multiple(value: float, factor: float) -> bool:
    if type(value) is int:
        return value % factor == 0
    return is_whole(1 / factor * value if factor < 1 else value / factor)


_LIMITS: Final[Mapping[str, Callable[[Mapping[str, Any], float, str, str], Iterator[Complaint]]]] = {
    "multipleOf": _multiple_of,
    "minimum": _minimum,
    "maximum": _maximum,
}
