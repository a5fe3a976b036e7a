from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache, total_ordering
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic_core import core_schema

_NANO: Final = 10**9
_LARGEST: Final = (2**63 - 1) * _NANO
_BINARY: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_DECIMAL: Final = {-9: "n", -6: "u", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
_EXPONENT_OF: Final = {suffix: exponent for exponent, suffix in _DECIMAL.items()}
_GRAMMAR: Final = (
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?"
    r"(?:(?P<suffix>[KMGTPE]i|[numkMGTPE])|[eE](?P<exponent>[+-]?[0-9]+))?"
)


@total_ordering
class Quantity:
    """An amount of a resource: `500m`, `1Gi`, `0.5`, `12e6`. Immutable, and exact.

    It counts in billionths, as Kubernetes does: anything finer is rounded away from zero, anything beyond
    2^63-1 is capped. `str()` is the canonical form, in which `1000m` is `1`; the text that a quantity was
    read from is kept and goes back on the wire unchanged. Two quantities are equal when their amounts are;
    a quantity equals a number of the same amount, exactly, and a text that says the same.

        >>> Quantity("1.5Gi") + Quantity("512Mi")
        Quantity('2Gi')
        >>> Quantity("100m") * 15
        Quantity('1500m')
    """

    __slots__ = ("_format", "_nano", "_text")

    _nano: int
    _format: str
    _text: str

    def __init__(self, value: str | float | Decimal | Quantity) -> None:
        """Read a quantity; a float is taken at its shortest decimal form.

        Raises:
            ValueError: the text is not a quantity.
        """
        if isinstance(value, Quantity):
            self._nano, self._format, self._text = value._nano, value._format, value._text
            return
        self._text = format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)
        self._nano, self._format = _parse(self._text)

    @classmethod
    def _of(cls, nano: int, form: str) -> Quantity:
        made = cls.__new__(cls)
        made._nano = max(-_LARGEST, min(_LARGEST, nano))
        made._format = form
        made._text = _canonical(made._nano, form)
        return made

    def to_wire(self) -> str:
        """The text that goes on the wire: the one that was read, or the canonical form of a result."""
        return self._text

    def __str__(self) -> str:
        return _canonical(self._nano, self._format)

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"

    def __int__(self) -> int:
        """The amount, rounded away from zero as Kubernetes does."""
        return _round_up(self._nano, _NANO)

    def __float__(self) -> float:
        return self._nano / _NANO

    def to_decimal(self) -> Decimal:
        """The exact amount."""
        return Decimal(f"{self._nano}e-9")  # exact whatever the decimal context says

    def __bool__(self) -> bool:
        return self._nano != 0

    def __hash__(self) -> int:
        return hash(self.to_decimal())  # the hash of every equal number

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, float, Decimal)):
            return self.to_decimal() == other
        if isinstance(other, str):
            try:
                other = Quantity(other)
            except ValueError:
                return False
        return self._nano == other._nano if isinstance(other, Quantity) else NotImplemented

    def __lt__(self, other: Quantity | str | float | Decimal) -> bool:
        if isinstance(other, (int, float, Decimal)):
            return self.to_decimal() < other
        return self._nano < Quantity(other)._nano

    def __add__(self, other: Quantity | str | int) -> Quantity:
        addend = Quantity(other)
        return self._of(self._nano + addend._nano, self._format if self._nano else addend._format)

    __radd__ = __add__

    def __sub__(self, other: Quantity | str | int) -> Quantity:
        return self + -Quantity(other)

    def __rsub__(self, other: str | int) -> Quantity:
        return Quantity(other) - self

    def __neg__(self) -> Quantity:
        return self._of(-self._nano, self._format)

    def __mul__(self, factor: int | Decimal) -> Quantity:
        numerator, denominator = factor.as_integer_ratio()
        return self._of(_round_up(self._nano * numerator, denominator), self._format)

    __rmul__ = __mul__

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> core_schema.CoreSchema:
        from pydantic_core import core_schema  # here, so that a server that has no models does not load it

        return core_schema.no_info_plain_validator_function(_validate)


def _validate(value: Any) -> Quantity:
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal, Quantity)):
        raise ValueError(f"{value!r} is not a quantity such as 500m or 1Gi")  # noqa: TRY004 - pydantic's contract
    return Quantity(value)


@lru_cache(maxsize=2048)  # a cluster has few amounts, and each of its pods is read again and again
def _parse(text: str) -> tuple[int, str]:
    """The amount in billionths, and the format (`binary`, `decimal` or `exponent`) that it is written in."""
    match = re.fullmatch(_GRAMMAR, text)
    if match is None or not (match["whole"] or match["fraction"]):
        raise ValueError(f"{text!r} is not a quantity such as 500m, 1.5 or 1Gi")
    fraction = match["fraction"] or ""
    digits = int((match["whole"] + fraction) or 0) * _NANO
    suffix, form, exponent = match["suffix"] or "", "decimal", 0
    if suffix.endswith("i"):
        form = "binary"
        digits *= 1024 ** _BINARY.index(suffix)
    elif match["exponent"] is not None:
        form = "exponent"
        exponent = int(match["exponent"])
    else:
        exponent = _EXPONENT_OF[suffix]
    nano = min(_scale(digits, exponent - len(fraction)), _LARGEST)
    return (-nano if match["sign"] == "-" else nano), form


def _scale(digits: int, exponent: int) -> int:
    """`digits` times ten to the `exponent`, rounded up; bounded, so that `1e999999999` costs nothing."""
    if digits == 0:
        return 0
    if exponent >= 0:
        return _LARGEST if exponent > 30 else digits * 10**exponent  # noqa: PLR2004 - past any cap
    return 1 if -exponent > len(str(digits)) else _round_up(digits, 10**-exponent)


def _round_up(numerator: int, denominator: int) -> int:
    """The quotient, rounded away from zero."""
    quotient = -(-abs(numerator) // denominator)
    return -quotient if numerator < 0 else quotient


def _canonical(nano: int, form: str) -> str:
    if form == "binary" and abs(nano) >= 1024 * _NANO and nano % _NANO == 0:
        return _canonical_binary(nano)
    amount, exponent = nano, -9
    while amount and amount % 10 == 0:
        amount //= 10
        exponent += 1
    shift = exponent % 3
    amount, exponent = amount * 10**shift, exponent - shift
    if amount == 0:
        return "0"
    if form == "exponent":
        return f"{amount}e{exponent}" if exponent else str(amount)
    return f"{amount}{_DECIMAL[exponent]}"


def _canonical_binary(nano: int) -> str:
    amount, power = nano // _NANO, 0
    while amount % 1024 == 0 and power < len(_BINARY) - 1:
        amount //= 1024
        power += 1
    return f"{amount}{_BINARY[power]}"
