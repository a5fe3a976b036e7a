"""From a text to its value: quickly, or carefully where it matters how something was written."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from windlass.apiserver.go_json.syntax import DEEPEST, NotJsonError, check_syntax
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PROBLEMS: Final = 100
"""How many problems with the fields of a body the server tells of."""

_SPACED_COLON: Final = re.compile(rb'"[ \t\r\n]+:')
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_ONE_SORT: Final = bytes.maketrans(b"{}", b"[]")
_LONGEST_INTEGER: Final = 20
_INEXACT: Final = re.compile(rb"[0-9][.eE]|[0-9]{19}")
_INTEGERS: Final = range(-(2**63), 2**64)
_LARGEST: Final = 2**63 - 1


class Number(float):
    """A number as it was written, where a float would not tell."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Self:
        """Keep the digits."""
        made = super().__new__(cls, text)
        made.text = text
        return made


class Repeated(dict[str, Any]):
    """An object that has a key more than once: the last of each, and all pairs in their order."""

    __slots__ = ("pairs",)

    pairs: list[tuple[str, Any]]


def parse(text: bytes) -> Any:
    """The value of a text; of repeated fields the last counts.

    Raises:
        NotJsonError: it has none, or has a number that no float can be.
    """
    value, careful = _parsed(text)
    return plain(value) if careful else value


def parse_for_types(text: bytes) -> Any:
    """The same, but a number that no float can be is kept, for a type to say whether it wants it.

    Raises:
        NotJsonError: the text has no value.
    """
    return _parsed(text)[0]


def parse_carefully(text: bytes) -> Any:
    """The value of a text, with repeated fields and the digits of numbers. It must be known to be JSON."""
    value = json.loads(
        text.decode("utf-8", "replace"),
        object_pairs_hook=_object,
        parse_float=Number,
        parse_int=_whole,
    )
    return _without_surrogates(value) if b"\\u" in text else value


def parse_exactly(text: bytes) -> Any:
    """The value of a text with the digits of its numbers where they matter; of repeated fields the last.

    Raises:
        NotJsonError: it has none, or has a number that no float can be.
    """
    value = parse(text)
    return parse_carefully(text) if _INEXACT.search(text) else value


def written(value: Any, option: int = 0) -> bytes:
    """A value as JSON; numbers that were read carefully keep their digits."""
    return orjson.dumps(value, default=_as_it_was, option=option)


def plain(value: Any) -> Any:
    """A value that was read carefully, without what a quick reading would not have told.

    Raises:
        NotJsonError: it has a number that no float can be.
    """
    match value:
        case str():
            return value
        case dict():
            return {name: plain(item) for name, item in value.items()} if value else value
        case list():
            return [plain(item) for item in value]
        case Number():
            if value in (float("inf"), float("-inf")):
                raise NotJsonError(
                    f"json: cannot unmarshal number {value.text} into Go value of type float64"
                )
            return float(value)
    return value


def unstructured(value: Any) -> Any:
    """A value as Go has it without a type for it: each number is an integer of 64 bits or a float.

    A float that Go writes like an integer of 64 bits without a sign is one here, too.

    Raises:
        NotJsonError: it has a number that no float can be.
    """
    match value:
        case dict():
            return {name: unstructured(item) for name, item in value.items()}
        case list():
            return [unstructured(item) for item in value]
        case int():
            return _rounded(float(value)) if value > _LARGEST else value
        case float():
            return _rounded(plain(value))
    return value


def _rounded(number: float) -> float:
    """A float beyond the integers of Go in the digits that Go gives it, which are an integer to Python."""
    if not _LARGEST < number < _INTEGERS.stop:
        return number
    digits = int(Decimal(repr(number)))
    return digits if digits in _INTEGERS else number


def has_repeated_fields(text: bytes, value: Any) -> bool:
    """Whether some object in a text has a key twice; `value` is what the text was read as.

    Each key ends in `":`. A value that lost none has as many of these as its text, if the text has no spaces
    before colons and spells no quotes by their number; such texts are read again instead.
    """
    spaced = b'" ' in text or b'"\n' in text or b'"\t' in text or b'"\r' in text
    if spaced and _SPACED_COLON.search(text):
        return _repeats(parse_carefully(text))
    if b"\\u0022" in text:
        return _repeats(parse_carefully(text))
    return text.count(b'":') != orjson.dumps(value, default=float).count(b'":')


def duplicates(text: bytes, value: Any) -> tuple[str, ...]:
    """What field validation says of the fields that a text, read as `value`, gives more than once."""
    if not has_repeated_fields(text, value):
        return ()
    found = dict.fromkeys(
        f"duplicate field {quoted(path)}" for path in repeated_fields(parse_carefully(text))
    )
    return tuple(found)[:MOST_PROBLEMS]


def repeated_fields(value: Any, path: str = "") -> Iterator[str]:
    """The paths of the fields that a carefully read value has more than once, each time that it does."""
    match value:
        case dict():
            seen: set[str] = set()
            for name, item in value.pairs if isinstance(value, Repeated) else value.items():
                below = f"{path}.{name}" if path else name
                if name in seen:
                    yield below
                seen.add(name)
                yield from repeated_fields(item, below)
        case list():
            for place, item in enumerate(value):
                yield from repeated_fields(item, f"{path}[{place}]")


def _parsed(text: bytes) -> tuple[Any, bool]:
    """The value of a text, and whether it had to be read carefully."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        check_syntax(text)
        # It is JSON, but holds what orjson refuses: half characters, endless numbers.
        return parse_carefully(text), True
    if text.count(b"{") + text.count(b"[") > DEEPEST and is_too_deep(text):
        raise NotJsonError("exceeded max depth")
    return value, False


def is_too_deep(text: bytes) -> bool:
    """Whether the values of a text, which must be JSON, nest more deeply than `DEEPEST`."""
    # Outside of strings stands what is between an even number of quotes.
    outside = text.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')[::2]
    brackets = b"".join(outside).translate(_ONE_SORT, _NO_BRACKETS)
    for _ in range(DEEPEST):  # each turn takes the innermost level away
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


def _whole(digits: str) -> int | Number:
    number = int(digits) if len(digits) <= _LONGEST_INTEGER else None
    return number if number is not None and number in _INTEGERS else Number(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = Repeated(found)
    repeated.pairs = pairs
    return repeated


def _as_it_was(number: Number) -> orjson.Fragment:
    return orjson.Fragment(number.text.encode())


def _repeats(value: Any) -> bool:
    return next(repeated_fields(value), None) is not None


def _without_surrogates(value: Any) -> Any:
    """Halves of characters, which Go replaces."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case Repeated():
            return _object(
                [(_without_surrogates(name), _without_surrogates(item)) for name, item in value.pairs]
            )
        case dict():
            return {_without_surrogates(name): _without_surrogates(item) for name, item in value.items()}
        case list():
            return [_without_surrogates(item) for item in value]
    return value
