"""Quantities of resources, with what Kubernetes can and cannot tell of them.

`windlass.api.Quantity` has the amounts; here it matters too how Kubernetes holds one. Small amounts are 64
bits and a power of ten, as written: `1000m` is no integer. All others are decimals without bounds, and no
integers either, however whole they are: `1Pi` for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context
from typing import ClassVar, Final

from typing_extensions import override

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.own import Own
from windlass.schema.cel.library.remember import remembered
from windlass.schema.cel.library.signature import function, method, plain
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, DOUBLE, INT, STRING, Type, object_type
from windlass.schema.cel.value import INT_MAX, INT_MIN

QUANTITY: Final = object_type("kubernetes.Quantity")
_EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_NANO: Final = 9
_MOST_DIGITS: Final = 18
"""What surely fits into 64 bits."""

_LARGEST_POWER: Final = 4000
"""Kubernetes has no such bound, and would be busy for long."""

_LONGEST: Final = 4000
_SYNTAX: Final = re.compile(r"([+-]?)(0*+)([0-9]*+)(?:\.([0-9]*+))?+([eEinumkKMGTP]*+[-+]?[0-9]*+)", re.ASCII)
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)", re.ASCII)
_WRONG_FORM: Final = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
_WRONG_NUMBER: Final = "unable to parse numeric part of quantity"
_WRONG_SUFFIX: Final = "unable to parse quantity's suffix"


@dataclass(frozen=True, slots=True, eq=False)
class Amount(Own):
    """`unscaled` times ten to the `scale`; `small` while Kubernetes holds it in 64 bits."""

    cel_type: ClassVar[Type] = QUANTITY
    unscaled: int
    scale: int
    small: bool = True

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and self.compare(other) == 0

    @override
    def __hash__(self) -> int:
        return hash(_EXACT.scaleb(_EXACT.create_decimal(self.unscaled), self.scale))

    def compare(self, other: Amount) -> int:
        """Minus one, zero or one."""
        left, right = (
            _EXACT.scaleb(_EXACT.create_decimal(each.unscaled), each.scale) for each in (self, other)
        )
        return (left > right) - (left < right)

    def as_integer(self) -> int | None:
        """The amount, if Kubernetes can tell it as an integer."""
        if not self.small or self.scale < 0 or (self.unscaled and self.scale > _MOST_DIGITS):
            return None
        amount = self.unscaled * 10 ** min(self.scale, _MOST_DIGITS)
        return amount if INT_MIN <= amount <= INT_MAX else None

    def plus(self, other: Amount) -> Amount:
        """The sum, held in 64 bits if it and both of them are."""
        if self.small and other.small:
            if not other.unscaled:
                return self
            if not self.unscaled:
                return other
        scale = min(self.scale, other.scale)
        if max(self.scale, other.scale) - scale > 2 * _LARGEST_POWER:
            raise EvaluationError("quantities are too far apart to be added")
        terms = [each.unscaled * 10 ** (each.scale - scale) for each in (self, other)]
        fits = all(INT_MIN <= each <= INT_MAX for each in (*terms, sum(terms)))
        return Amount(sum(terms), scale, self.small and other.small and fits)

    def minus(self, other: Amount) -> Amount:
        """The difference."""
        return self.plus(Amount(-other.unscaled, other.scale, other.small))


@remembered
def parse_quantity(text: str) -> Amount:
    """A quantity.

    Raises:
        EvaluationError: it is none; the message is the server's.
    """
    found = _SYNTAX.fullmatch(text)
    if not text or found is None:
        raise EvaluationError(_WRONG_FORM)
    if len(text) > _LONGEST:
        raise EvaluationError(_WRONG_NUMBER)
    sign, zeros, number, fraction, suffix = found.groups()
    fraction = fraction or ""
    base, exponent = _suffix(suffix)
    digits = (number or "0") + fraction
    value = -int(digits) if sign == "-" else int(digits)
    if base == 10:  # noqa: PLR2004
        scale = exponent - len(fraction)
        if len(digits) <= _MOST_DIGITS and scale >= -_NANO:
            return Amount(value, scale)
    elif not fraction and len(number or "0") + exponent * 3 // 10 < 15:  # noqa: PLR2004 - a guess at the digits
        return Amount(value << exponent, 0)
    if not zeros + number + fraction:
        raise EvaluationError(_WRONG_NUMBER)
    if base == 10:  # noqa: PLR2004
        return _decimal(value, exponent - len(fraction))
    large = _decimal(value << exponent, -len(fraction))
    capped = large.compare(Amount(INT_MAX if value > 0 else -INT_MAX, 0))
    return Amount(INT_MAX if value > 0 else -INT_MAX, 0, small=False) if capped * value > 0 else large


def _suffix(suffix: str) -> tuple[int, int]:
    """The base and the exponent that a suffix stands for."""
    if suffix in _DECIMAL:
        return 10, _DECIMAL[suffix]
    if suffix in _BINARY:
        return 2, _BINARY[suffix]
    found = _EXPONENT.fullmatch(suffix)
    exponent = int(found[1]) if found else INT_MAX + 1
    if not INT_MIN <= exponent <= INT_MAX:
        raise EvaluationError(_WRONG_SUFFIX)
    return 10, (exponent + 2**31) % 2**32 - 2**31  # the server drops the upper bits


def _decimal(unscaled: int, scale: int) -> Amount:
    """An amount in billionths, rounded away from zero."""
    if not unscaled:
        return Amount(0, scale, small=False)
    power = scale + _NANO
    if power > _LARGEST_POWER:
        raise EvaluationError(_WRONG_NUMBER)
    if power >= 0:
        return Amount(unscaled * 10**power, -_NANO, small=False)
    size = -(-abs(unscaled) // 10 ** min(-power, _LONGEST))
    return Amount(size if unscaled > 0 else -size, -_NANO, small=False)


def _is_quantity(text: str) -> bool:
    try:
        parse_quantity(text)
    except EvaluationError:
        return False
    return True


def _sign(amount: Amount) -> int:
    return (amount.unscaled > 0) - (amount.unscaled < 0)


def _is_greater(left: Amount, right: Amount) -> bool:
    return left.compare(right) > 0


def _is_less(left: Amount, right: Amount) -> bool:
    return left.compare(right) < 0


def _as_float(amount: Amount) -> float:
    try:
        base = float(amount.unscaled)
    except OverflowError:
        base = float("inf") if amount.unscaled > 0 else float("-inf")
    power = float(f"1e{min(abs(amount.scale), 400)}")
    return base * (power if amount.scale >= 0 else 1 / power)


def _as_integer(amount: Amount) -> int:
    whole = amount.as_integer()
    if whole is None:
        raise EvaluationError("cannot convert value to integer")
    return whole


def _is_integer(amount: Amount) -> bool:
    return amount.as_integer() is not None


def _add_integer(amount: Amount, addend: int) -> Amount:
    return amount.plus(Amount(addend, 0))


def _sub_integer(amount: Amount, subtrahend: int) -> Amount:
    return amount.minus(Amount(subtrahend, 0))


_BOTH: Final = (QUANTITY, QUANTITY)
QUANTITIES: Final = Library(
    "kubernetes.quantity",
    (
        function("quantity", plain("string_to_quantity", (STRING,), QUANTITY, parse_quantity)),
        function("isQuantity", plain("is_quantity_string", (STRING,), BOOL, _is_quantity)),
        function("sign", plain("quantity_sign", (QUANTITY,), INT, _sign)),
        function("isGreaterThan", method("quantity_is_greater_than", _BOTH, BOOL, _is_greater)),
        function("isLessThan", method("quantity_is_less_than", _BOTH, BOOL, _is_less)),
        function("compareTo", method("quantity_compare_to", _BOTH, INT, Amount.compare)),
        function("asApproximateFloat", method("quantity_get_float", (QUANTITY,), DOUBLE, _as_float)),
        function("asInteger", method("quantity_get_int", (QUANTITY,), INT, _as_integer)),
        function("isInteger", method("quantity_is_integer", (QUANTITY,), BOOL, _is_integer)),
        function(
            "add",
            method("quantity_add", _BOTH, QUANTITY, Amount.plus),
            method("quantity_add_int", (QUANTITY, INT), QUANTITY, _add_integer),
        ),
        function(
            "sub",
            method("quantity_sub", _BOTH, QUANTITY, Amount.minus),
            method("quantity_sub_int", (QUANTITY, INT), QUANTITY, _sub_integer),
        ),
    ),
)
