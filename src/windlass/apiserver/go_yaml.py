"""YAML as the real server writes it, which readers of YAML 1.1 and 1.2 alike take for what it is.

Text that one of them could take for something else stands in double quotes, text of several lines as a block;
keys are in an order in which numbers count as numbers.
"""

from __future__ import annotations

import re
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any, ClassVar, Final

import yaml

from windlass.schema import printed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yaml.representer import SafeRepresenter

_TEXT: Final = "tag:yaml.org,2002:str"
_MAP: Final = "tag:yaml.org,2002:map"
_WORDS: Final = frozenset(
    spelled
    for word in ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
    for spelled in (word, word.capitalize(), word.upper())
) | {"", "~"}
_DATE: Final = r"[0-9]{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01])"
_TIME: Final = r"([01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9]([.,][0-9]+)?"
_NUMBER: Final = re.compile(
    r"([-+]_*)?(\.[0-9][0-9_]*|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9_]+)?"
    r"|[-+]?0_*([xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
    r"|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
    rf"|{_DATE}([Tt]{_TIME}(Z|[-+][0-9]{{2}}:[0-9]{{2}})| {_TIME})?"
)


def yaml_text(value: Any) -> str:
    """A value in YAML."""
    text: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False)
    return text


def _integer(dumper: SafeRepresenter, value: int) -> yaml.Node:
    return dumper.represent_scalar(_TEXT, str(value))


def _scalar(dumper: SafeRepresenter, value: Any) -> yaml.Node:
    return dumper.represent_scalar(_TEXT, "null" if value is None else printed(value))


def _text(dumper: SafeRepresenter, value: str) -> yaml.Node:
    style = '"' if value in _WORDS or _NUMBER.fullmatch(value) else None
    return dumper.represent_scalar(_TEXT, value, style="|" if "\n" in value else style)


def _mapping(dumper: SafeRepresenter, value: dict[str, Any]) -> yaml.Node:
    return dumper.represent_mapping(_MAP, [(key, value[key]) for key in _ordered(value)])


_Written: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_Written):  # type: ignore[valid-type, misc] # one of two
    """Writes what the functions above say: no text is taken for anything else by its looks."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}
    yaml_representers: ClassVar[dict[type, Any]] = _Written.yaml_representers | {
        **dict.fromkeys((bool, float, type(None)), _scalar),
        int: _integer,
        str: _text,
        dict: _mapping,
    }

    def ignore_aliases(self, _: Any) -> bool:
        """Whether a value is written each time that it occurs."""
        return True


def _ordered(keys: Iterable[str]) -> list[str]:
    """Keys in order: letters after everything else, and digits by the number that they are."""
    return sorted(keys, key=cmp_to_key(_compared))


def _compared(one: str, other: str) -> int:
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    if at is None:
        return len(one) - len(other)
    ours, theirs = one[at], other[at]
    if ours.isalpha() or theirs.isalpha():
        same = ours.isalpha() and theirs.isalpha()
        return ord(ours) - ord(theirs) if same else ours.isalpha() - theirs.isalpha()
    lead = "1" if "0" in (ours, theirs) and _before(one, at).strip("0") else ""
    mine, its = _digits(one, at), _digits(other, at)
    numbers = _number(lead + mine) - _number(lead + its)
    return numbers or len(mine) - len(its) or ord(ours) - ord(theirs)


def _number(digits: str) -> int:
    """The number that digits are in 64 bits, of which those before the last 64 digits change nothing."""
    return (int(digits[-64:] or 0) + 2**63) % 2**64 - 2**63


def _before(text: str, at: int) -> str:
    """The digits that end at a place."""
    return text[len(text[:at].rstrip("0123456789")) : at]


def _digits(text: str, at: int) -> str:
    """The digits that begin at a place."""
    rest = text[at:]
    return rest[: len(rest) - len(rest.lstrip("0123456789"))]
