"""What a scalar of YAML stands for: YAML 1.1 with the habits of Go's library."""

from __future__ import annotations

import re
from typing import Any, Final

from windlass.apiserver.decode.base64 import decoded_base64
from windlass.apiserver.decode.problem import DecodeError
from windlass.schema import json_text

_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_INFINITIES: Final = re.compile(r"([+-]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_INTEGER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OCTAL: Final = re.compile(r"([+-]?)0+([0-7]+)")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")
_DIGITS: Final = re.compile(r"-?[0-9]+")
_INT64: Final = range(-(2**63), 2**64)
_PREFIX: Final = "tag:yaml.org,2002:"
_NAMES: Final = {bool: "bool", int: "int", float: "float", str: "str", type(None): "null"}


def scalar(text: str, tag: str | None, *, plain: bool) -> Any:
    """The value of a scalar. Without a tag, what is quoted is text, and the rest is what it looks like.

    Raises:
        DecodeError: it is not what its tag says, or is nothing that JSON has.
    """
    sort = (tag or "").removeprefix(_PREFIX)
    if sort == "binary":
        return _binary(text)
    if not tag:
        return resolved(text) if plain else text
    if sort not in ("bool", "float", "int", "null", "timestamp"):
        return text
    value = resolved(text)
    found = "timestamp" if isinstance(value, str) and _DATE.fullmatch(value) else _NAMES[type(value)]
    if found != sort and (found, sort) != ("int", "float"):
        raise DecodeError(f"yaml: cannot decode !!{found} `{text}` as a !!{sort}")
    return value


def resolved(text: str) -> Any:
    """What a text without quotes looks like."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INFINITIES.fullmatch(text):
        sign = "-" if text[0] == "-" else "+"
        raise DecodeError(f"json: unsupported value: {'NaN' if text[1] in 'nN' else f'{sign}Inf'}")
    number = _number(text.replace("_", ""))
    return text if number is None else number


def settled(number: float) -> int | float:
    """A float as it comes out of the JSON that the server makes of YAML: a whole one has no point."""
    text = json_text(number)
    return int(text) if _DIGITS.fullmatch(text) and int(text) in _INT64 else number


def _number(digits: str) -> int | float | None:
    if _INTEGER.fullmatch(digits):
        whole = _whole(digits)
        if whole is not None:
            return whole
    if not _FLOAT.fullmatch(digits):
        return None
    number = float(digits)
    return None if number in (float("inf"), float("-inf")) else settled(number)


def _whole(digits: str) -> int | None:
    octal = _OCTAL.fullmatch(digits)
    try:
        number = int(f"{octal[1]}0o{octal[2]}" if octal else digits, 0)
    except ValueError:  # more decimal digits than Python reads
        return None
    return number if number in _INT64 else None


def _binary(text: str) -> str:
    try:
        return decoded_base64(text).decode("utf-8", "replace")
    except ValueError:
        raise DecodeError("yaml: !!binary value contains invalid base64 data") from None
