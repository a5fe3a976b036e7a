"""Functions on text: cel-go's extension library in its version 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.interpolate import interpolated
from windlass.schema.cel.library.signature import function, method, plain
from windlass.schema.cel.operation import shown
from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.type import DYN, INT, STRING, list_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.value import Value

_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_LONGEST: Final = 50_000_000
_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER: Final = {lower: upper for upper, lower in _LOWER.items()}
_QUOTED: Final = str.maketrans(
    {
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\v": "\\v",
        "\\": "\\\\",
        '"': '\\"',
    }
)


def trimmed(text: str) -> str:
    """Without the white space around it, which is Unicode's and not quite Python's."""
    return text.strip(_SPACE)


def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise EvaluationError(f"index out of range: {index}")
    return text[index : index + 1]


def _index_of(text: str, part: str, offset: int = 0) -> int:
    if not part:
        return offset
    if offset < 0:
        raise EvaluationError(f"index out of range: {offset}")
    return text.find(part, offset)


def _last_index_of(text: str, part: str) -> int:
    return text.rfind(part)


def _last_index_from(text: str, part: str, offset: int) -> int:
    if not part:
        return offset
    if offset < 0:
        raise EvaluationError(f"index out of range: {offset}")
    if offset >= len(text):
        return -1
    return text.rfind(part, 0, offset + len(part))


def _lower(text: str) -> str:
    return text.translate(_LOWER)


def _upper(text: str) -> str:
    return text.translate(_UPPER)


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    found = text.count(old) if count < 0 else min(text.count(old), count)
    _bound(len(text) + found * (len(new) - len(old)))
    return text.replace(old, new, found)


def _bound(size: int) -> None:
    """Refuse what no limit on costs allows, before the memory is gone."""
    if size > _LONGEST:
        raise CostError


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    if 0 < count < len(text):
        return [*text[: count - 1], text[count - 1 :]]
    return list(text)


def _substring(text: str, start: int) -> str:
    if not 0 <= start <= len(text):
        raise EvaluationError(f"index out of range: {start}")
    return text[start:]


def _substring_range(text: str, start: int, end: int) -> str:
    if start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, end):
        if not 0 <= index <= len(text):
            raise EvaluationError(f"index out of range: {index}")
    return text[start:end]


def _join(texts: Sequence[Value], separator: str = "") -> str:
    for text in texts:
        if not isinstance(text, str):
            raise EvaluationError(f"join: invalid input: {shown(text)}")
    _bound(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


def _quote(text: str) -> str:
    return f'"{text.translate(_QUOTED)}"'


STRINGS: Final = Library(
    "cel.lib.ext.strings",
    (
        function("charAt", method("string_char_at_int", (STRING, INT), STRING, _char_at)),
        function(
            "indexOf",
            method("string_index_of_string", (STRING, STRING), INT, _index_of),
            method("string_index_of_string_int", (STRING, STRING, INT), INT, _index_of),
        ),
        function(
            "lastIndexOf",
            method("string_last_index_of_string", (STRING, STRING), INT, _last_index_of),
            method("string_last_index_of_string_int", (STRING, STRING, INT), INT, _last_index_from),
        ),
        function("lowerAscii", method("string_lower_ascii", (STRING,), STRING, _lower)),
        function("upperAscii", method("string_upper_ascii", (STRING,), STRING, _upper)),
        function(
            "replace",
            method("string_replace_string_string", (STRING, STRING, STRING), STRING, _replace),
            method("string_replace_string_string_int", (STRING, STRING, STRING, INT), STRING, _replace),
        ),
        function(
            "split",
            method("string_split_string", (STRING, STRING), list_of(STRING), _split),
            method("string_split_string_int", (STRING, STRING, INT), list_of(STRING), _split),
        ),
        function(
            "substring",
            method("string_substring_int", (STRING, INT), STRING, _substring),
            method("string_substring_int_int", (STRING, INT, INT), STRING, _substring_range),
        ),
        function("trim", method("string_trim", (STRING,), STRING, trimmed)),
        function("format", method("string_format", (STRING, list_of(DYN)), STRING, interpolated)),
        function("strings.quote", plain("strings_quote", (STRING,), STRING, _quote)),
        function(
            "join",
            method("list_join", (list_of(STRING),), STRING, _join),
            method("list_join_string", (list_of(STRING), STRING), STRING, _join),
        ),
    ),
)
