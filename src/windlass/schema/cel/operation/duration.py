"""Durations as Go reads and writes them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.value import INT_MAX, INT_MIN, Duration

if TYPE_CHECKING:
    from collections.abc import Mapping

SECOND: Final = 10**9
_UNITS: Final[Mapping[str, int]] = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,
    "\u03bcs": 10**3,
    "ms": 10**6,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
}
_AMOUNT: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)")
_WORDY: Final = re.compile(r"([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]+)")
_WORDS: Final = (
    (1, ("ns",), "nano"),
    (10**3, ("us", "\u00b5s"), "micro"),
    (10**6, ("ms",), "milli"),
    (SECOND, ("s",), "sec"),
    (60 * SECOND, ("m",), "min"),
    (3600 * SECOND, ("h", "hr"), "hour"),
    (24 * 3600 * SECOND, ("d",), "day"),
    (7 * 24 * 3600 * SECOND, ("w", "wk"), "week"),
)
_MANY_DIGITS: Final = 30


def parse_duration(text: str) -> Duration | None:
    """A duration such as `1h30m`, `-1.5s` or `0`; `None` if it is none."""
    negative = text.startswith("-")
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return Duration(0)
    total, at = 0, 0
    while at < len(rest):
        found = _AMOUNT.match(rest, at)
        if found is None or not (found[1] or found[2]) or found[3] not in _UNITS:
            return None
        total += _amount(found[1], found[2] or "", _UNITS[found[3]])
        at = found.end()
    total = -total if negative else total
    return Duration(total) if rest and INT_MIN <= total <= INT_MAX else None


def _amount(whole: str, fraction: str, unit: int) -> int:
    # Go takes the fraction with the precision of a double, and cuts off what is left.
    part, scale = 0, 1.0
    for digit in fraction:
        if part > INT_MAX // 10 or part * 10 + int(digit) > INT_MAX + 1:
            break
        part, scale = part * 10 + int(digit), scale * 10
    return _whole(whole) * unit + int(part * (unit / scale))


def _whole(digits: str) -> int:
    """A number, or one that is too large anyway."""
    significant = digits.lstrip("0")
    return int(significant or 0) if len(significant) < _MANY_DIGITS else INT_MAX * 2


def parse_wordy_duration(text: str) -> Duration | None:
    """A duration as a schema's format `duration` takes it: as Go writes it, or `3 days 2 hours`."""
    strict = parse_duration(text)
    if strict is not None:
        return strict
    total, known = 0, False
    for amount, written in _WORDY.findall(text):
        unit = written.lower()
        count = _whole(amount)
        if count > INT_MAX:
            return None
        for size, names, beginning in _WORDS:
            if unit in names or unit.startswith(beginning):
                known = True
                total += count * size
    wrapped = (total - INT_MIN) % 2**64 + INT_MIN
    return Duration(wrapped) if known else None


def duration_text(duration: Duration) -> str:
    """A duration in seconds: `90s`, `0.5s`."""
    seconds, rest = divmod(abs(duration.nanoseconds), SECOND)
    size = float(seconds) + rest / 1e9
    text = format(Decimal(repr(size)).normalize(), "f")
    return f"{'-' if duration.nanoseconds < 0 else ''}{text}s"
