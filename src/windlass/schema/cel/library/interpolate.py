"""`"%d of %s".format([1, "x"])`: cel-go's formatting of text, in its first version."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.operation import duration_text, is_list, shown, timestamp_text, type_name
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import Type, TypeKind
from windlass.schema.cel.value import Duration, Timestamp, type_of
from windlass.schema.golang import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel.value import Value

DEFAULT_PRECISION: Final = 6
_LARGEST_NUMBER: Final = 1_000_000
_TOO_LARGE: Final = "%!(NOVERB)"
"""What Go writes for a clause with a larger number."""

_SUPERSCRIPT: Final = str.maketrans("-0123456789", "\u207b⁰¹²³⁴⁵⁶⁷⁸⁹")
_WRITTEN_NUMBERS: Final = ("NaN", "Infinity", "-Infinity")
_PRECISION: Final = re.compile(r"\.([0-9]*)")
_LONGEST_INTEGER: Final = 2**63 - 1
_MOST_DIGITS: Final = 1000
"""Python refuses to read numbers that are much longer."""


WANTED: Final[Mapping[str, str]] = {
    "s": (
        "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
        "durations, and timestamps, was given {}"
    ),
    "d": "decimal clause can only be used on integers, was given {}",
    "f": "fixed-point clause can only be used on doubles, was given {}",
    "e": "scientific clause can only be used on doubles, was given {}",
    "b": "only integers and bools can be formatted as binary, was given {}",
    "x": "only integers, byte buffers, and strings can be formatted as hex, was given {}",
    "X": "only integers, byte buffers, and strings can be formatted as hex, was given {}",
    "o": "octal clause can only be used on integers, was given {}",
}
"""What is said of a value that a clause does not take."""


def interpolated(template: str, arguments: Sequence[Value]) -> str:
    """A template with its clauses replaced by what they make of the arguments, in turn.

    Raises:
        EvaluationError: a clause is none, or does not take its argument, or has none.
    """
    made: list[str] = []
    at = used = 0
    while (found := template.find("%", at)) >= 0:
        made.append(template[at:found])
        if template.startswith("%%", found):
            made.append("%")
            at = found + 2
            continue
        if used >= len(arguments):
            raise EvaluationError(f"index {used} out of range")
        verb, precision, at = clause(template, found + 1)
        try:
            made.append(_WRITERS[verb](arguments[used], precision))
        except EvaluationError as error:
            raise EvaluationError(f"error during formatting: {error}") from None
        used += 1
    return "".join((*made, template[at:]))


def clause(template: str, at: int) -> tuple[str, int | None, int]:
    """The verb and the precision of the clause whose `%` is before a position, and where it ends.

    Raises:
        EvaluationError: there is no clause.
    """
    if at >= len(template):
        raise EvaluationError("unexpected end of string")
    precision: int | None = None
    found = _PRECISION.match(template, at)
    if found is not None:
        at = found.end()
        if at >= len(template):
            raise _no_precision("could not find end of precision specifier")
        precision = _precision(found[1])
    verb = template[at]
    if verb not in WANTED:
        # Go looks at bytes, not at characters.
        raise EvaluationError(
            f'could not parse formatting clause: unrecognized formatting clause "{chr(verb.encode()[0])}"'
        )
    return verb, precision, at + 1


def _precision(digits: str) -> int:
    if not digits or len(digits) > _MOST_DIGITS or int(digits) > _LONGEST_INTEGER:
        what = "value out of range" if digits else "invalid syntax"
        raise _no_precision(
            f'error while converting precision to integer: strconv.Atoi: parsing "{digits}": {what}'
        )
    return int(digits)


def _no_precision(why: str) -> EvaluationError:
    return EvaluationError(f"could not parse formatting clause: error while parsing precision: {why}")


def _refused(verb: str, value: Value) -> EvaluationError:
    return EvaluationError(WANTED[verb].format(type_name(value)))


def _text(value: Value, _precision: int | None) -> str:
    if isinstance(value, Mapping):
        return _map(value)
    if is_list(value):
        return _list(value)
    if not isinstance(value, Type) and type_of(value).kind in (TypeKind.OBJECT, TypeKind.OPAQUE):
        raise _refused("s", value)
    return _scalar(value)


def _scalar(value: Value) -> str:
    match value:
        case None:
            return "null"
        case Duration():
            return duration_text(value)
        case Timestamp():
            return timestamp_text(value)
        case bytes():
            return _decoded(value)
    return shown(value)


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        message = 'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string'
        raise EvaluationError(message) from None


def _decimal(value: Value, _precision: int | None) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(int(value))
    raise _refused("d", value)


def _number(value: Value, verb: str) -> float:
    if isinstance(value, str) and value in _WRITTEN_NUMBERS:
        return float(value)
    if isinstance(value, float):
        return value
    raise _refused(verb, value)


def _fixed(value: Value, precision: int | None) -> str:
    number = _number(value, "f")
    if precision is not None and precision > _LARGEST_NUMBER:
        return _TOO_LARGE
    if not math.isfinite(number):
        return _not_finite(number)
    digits = DEFAULT_PRECISION if precision is None else precision % 256  # Go keeps a byte of it
    return f"{number or 0.0:,.{digits}f}"


def _scientific(value: Value, precision: int | None) -> str:
    # cel-go makes a width of the precision by mistake, so there are always six digits.
    number = _number(value, "e")
    width = DEFAULT_PRECISION if precision is None else precision
    if width > _LARGEST_NUMBER:
        return _TOO_LARGE
    if not math.isfinite(number):
        return _not_finite(number).rjust(width)
    mantissa, _, exponent = f"{number or 0.0:.{DEFAULT_PRECISION}e}".partition("e")
    power = exponent.removeprefix("+").translate(_SUPERSCRIPT)
    return f"{mantissa}\u00d710{power}".rjust(width)


def _not_finite(number: float) -> str:
    return "NaN" if math.isnan(number) else "∞" if number > 0 else "-∞"


def _binary(value: Value, _precision: int | None) -> str:
    if isinstance(value, int):
        return format(int(value), "b")
    raise _refused("b", value)


def _octal(value: Value, _precision: int | None) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return format(int(value), "o")
    raise _refused("o", value)


def _hexadecimal(value: Value, _precision: int | None) -> str:
    if isinstance(value, str):
        return value.encode().hex()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int) and not isinstance(value, bool):
        return format(int(value), "x")
    raise _refused("x", value)


def _upper_hexadecimal(value: Value, precision: int | None) -> str:
    return _hexadecimal(value, precision).upper()


def _list(values: Sequence[Value]) -> str:
    return f"[{', '.join(map(_literal, values))}]"


def _map(values: Mapping[Value, Value]) -> str:
    members = sorted((_key(key), _literal(value)) for key, value in values.items())
    return f"{{{', '.join(f'{key}:{value}' for key, value in members)}}}"


def _key(key: Value) -> str:
    if not isinstance(key, (str, int)):
        raise EvaluationError(f"no formatting function for map key of type {type_name(key)}")
    return _literal(key)


def _literal(value: Value) -> str:
    """A value within a list or a map, as an expression would have it."""
    kind = type_of(value).kind
    match kind:
        case TypeKind.STRING:
            return quoted(value)
        case TypeKind.BYTES:
            return f"b{quoted(_decoded(value))}"
        case TypeKind.TIMESTAMP | TypeKind.DURATION:
            return f"{kind.name.lower()}({quoted(_scalar(value))})"
        case TypeKind.DOUBLE:
            return f"{value:.{DEFAULT_PRECISION}f}" if math.isfinite(value) else quoted(_go_float(value))
        case TypeKind.OBJECT | TypeKind.OPAQUE:
            raise EvaluationError(f"no formatting function for {type_name(value)}")
    return _text(value, None)


def _go_float(value: float) -> str:
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


_WRITERS: Final[Mapping[str, Callable[[Value, int | None], str]]] = {
    "s": _text,
    "d": _decimal,
    "f": _fixed,
    "e": _scientific,
    "b": _binary,
    "x": _hexadecimal,
    "X": _upper_hexadecimal,
    "o": _octal,
}
