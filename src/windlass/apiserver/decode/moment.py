"""Times as Go reads and writes them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

_SECONDS: Final = "2006-01-02T15:04:05Z07:00"
_MICROSECONDS: Final = "2006-01-02T15:04:05.000000Z07:00"
_FOUR_DIGITS: Final = re.compile(r"[0-9]{4}")
_TWO_DIGITS: Final = re.compile(r"[0-9]{2}")
_ONE_OR_TWO: Final = re.compile(r"[0-9]{1,2}")
_FRACTION: Final = re.compile(r"[.,]([0-9]+)")
_SIX_DIGITS: Final = re.compile(r"[.,]([0-9]{6})")
_ZONE: Final = re.compile(r"([+-])([0-9]{2}):([0-9]{2})")
_PARTS: Final = (
    ("", "2006", _FOUR_DIGITS, "", range(10_000)),
    ("-", "01", _TWO_DIGITS, "month", range(1, 13)),
    ("-", "02", _TWO_DIGITS, "day", range(100)),
    ("T", "15", _ONE_OR_TWO, "hour", range(24)),
    (":", "04", _TWO_DIGITS, "minute", range(60)),
    (":", "05", _TWO_DIGITS, "second", range(60)),
)
"""What stands before each part of a time, how Go's layout shows the part, its form, name and range."""


@lru_cache(maxsize=1024)
def canonical_time(text: str, *, micro: bool = False) -> str:
    """A time in UTC: to the second, or with six digits after it, which then the text must have.

    Raises:
        ValueError: the text is no time; the message is Go's.
    """
    reading = _Reading(text, _MICROSECONDS if micro else _SECONDS)
    numbers = [reading.number(*part) for part in _PARTS]
    fraction = reading.fraction(required=micro)
    ahead = reading.zone()
    year, month, day = numbers[:3]
    if reading.rest:
        raise reading.wrong(f"extra text: {_quoted(reading.rest)}")
    if not 1 <= day <= monthrange(max(year, 1), month)[1]:
        raise reading.wrong("day out of range")
    if year == 0:  # Go knows the year 0 and Python does not; nobody means it
        raise reading.wrong("year out of range")
    try:
        moment = datetime(*numbers, tzinfo=UTC) - ahead  # type: ignore[misc,arg-type]
    except OverflowError:
        raise reading.wrong("year out of range") from None
    return f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}{'.' + fraction if micro else ''}Z"


class _Reading:
    """One pass over a text, part by part."""

    def __init__(self, text: str, layout: str) -> None:
        self._text = text
        self._layout = layout
        self.rest = text

    def number(self, before: str, shown: str, form: re.Pattern[str], name: str, valid: range) -> int:
        """The next number."""
        if not self.rest.startswith(before):
            raise self._unlike(before)
        self.rest = self.rest.removeprefix(before)
        match = form.match(self.rest)
        if match is None:
            raise self._unlike(shown)
        self.rest = self.rest[match.end() :]
        number = int(match[0])
        if number not in valid:
            raise self.wrong(f"{name} out of range")
        return number

    def fraction(self, *, required: bool) -> str:
        """The digits after the second."""
        match = (_SIX_DIGITS if required else _FRACTION).match(self.rest)
        if match is None:
            if required:
                raise self._unlike(".000000")
            return ""
        self.rest = self.rest[match.end() :]
        return match[1]

    def zone(self) -> timedelta:
        """How far ahead of UTC the time is."""
        if self.rest.startswith("Z"):
            self.rest = self.rest[1:]
            return timedelta()
        match = _ZONE.match(self.rest)
        if match is None:
            raise self._unlike("Z07:00")
        hours, minutes = int(match[2]), int(match[3])
        if hours > 24:  # noqa: PLR2004 - 24 and 60 are allowed
            raise self.wrong("time zone offset hour out of range")
        if minutes > 60:  # noqa: PLR2004
            raise self.wrong("time zone offset minute out of range")
        self.rest = self.rest[match.end() :]
        ahead = timedelta(hours=hours, minutes=minutes)
        return ahead if match[1] == "+" else -ahead

    def _unlike(self, shown: str) -> ValueError:
        text, rest = _quoted(self._text), _quoted(self.rest)
        return ValueError(f'parsing time {text} as "{self._layout}": cannot parse {rest} as "{shown}"')

    def wrong(self, why: str) -> ValueError:
        """The text has the form of a time, but is none."""
        return ValueError(f"parsing time {_quoted(self._text)}: {why}")


def _quoted(text: str) -> str:
    """A text as Go's `time` quotes it: every byte that is not plain ASCII by its number."""
    shown = "".join(
        f"\\{character}"
        if character in '"\\'
        else character
        if " " <= character < "\x7f"
        else _bytes(character)
        for character in text
    )
    return f'"{shown}"'


def _bytes(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode())
