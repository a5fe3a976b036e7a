"""From the text of a body to a value: quickly, or carefully where it matters how something was written."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, Final

import orjson

from windlass.apiserver.decode.problem import Number, Repeated
from windlass.apiserver.patch.syntax import DEEPEST, NotJsonError, parse

_SPACED_COLON: Final = re.compile(rb'"[ \t\r\n]+:')
_AFTER_QUOTE: Final = (b'" ', b'"\n', b'"\t', b'"\r')
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_DEPTHS: Final = bytes.maketrans(b"[{]}", b"\x02\x02\x00\x00")
_LONGEST_INTEGER: Final = 100


def parse_quickly(body: bytes) -> Any:
    """The value of a text; of repeated fields the last counts.

    Raises:
        NotJsonError: it has none; the message is Go's.
    """
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _parse_oddly(body)
    if body.count(b"{") + body.count(b"[") > DEEPEST and _depth(body) > DEEPEST:
        raise NotJsonError("exceeded max depth")
    return value


def _parse_oddly(body: bytes) -> Any:
    """The value of a text that is no JSON, or holds what orjson refuses: half characters, endless numbers."""
    try:
        return parse(body)
    except orjson.JSONDecodeError:
        return parse_carefully(body)


def parse_carefully(body: bytes) -> Any:
    """The same, with repeated fields and the digits of numbers. The text must be known to be JSON."""
    value = json.loads(
        body.decode("utf-8", "replace"),
        object_pairs_hook=_object,
        parse_float=Number,
        parse_int=lambda text: int(text) if len(text) < _LONGEST_INTEGER else Number(text),
    )
    return _without_surrogates(value) if b"\\u" in body else value


def has_repeated_fields(body: bytes, value: Any) -> bool:
    """Whether some object in a text has a key twice; `value` is what the text was read as.

    Each key ends in `":`. A value that lost none has as many of these as its text, if the text has no spaces
    before colons and spells no quotes by their number; such texts are read again instead.
    """
    if any(pair in body for pair in _AFTER_QUOTE) and _SPACED_COLON.search(body):
        return _repeats(parse_carefully(body))
    if b"\\u0022" in body:
        return _repeats(parse_carefully(body))
    return body.count(b'":') != orjson.dumps(value, default=float).count(b'":')


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = Repeated(found)
    repeated.pairs = pairs
    return repeated


def _repeats(value: Any) -> bool:
    match value:
        case Repeated():
            return True
        case dict():
            return any(_repeats(item) for item in value.values())
        case list():
            return any(_repeats(item) for item in value)
    return False


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


def _depth(body: bytes) -> int:
    """How deeply the brackets nest."""
    brackets = _STRING.sub(b"", body).translate(_DEPTHS, _NO_BRACKETS)
    return max(accumulate(step - 1 for step in brackets), default=0)
