"""The formats of text that an API server enforces; it ignores any other."""

from __future__ import annotations

import re
from calendar import monthrange
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from windlass.schema.custom.address import is_cidr, is_email, is_ipv4, is_ipv6, is_mac, is_uri
from windlass.schema.regex import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LARGEST: Final = 2**63 - 1
_LABEL_BYTES: Final = 63
_NAME_BYTES: Final = 253
_HOST_BYTES: Final = 255
_DATE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_TIME: Final = re.compile(r"(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})", re.ASCII)
_NANOSECONDS: Final[Mapping[str, int]] = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,
    "\u03bcs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_AMOUNT: Final = re.compile(rf"(\d*)(?:\.(\d*))?({'|'.join(sorted(_NANOSECONDS, reverse=True))})", re.ASCII)
_WORDY_AMOUNT: Final = re.compile(r"([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]+)")
_UNITS: Final = frozenset({"ns", "us", "\u00b5s", "ms", "s", "m", "h", "hr", "d", "w", "wk"})
_UNIT_BEGINNINGS: Final = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
_HEX: Final = "[0-9a-fA-F]"
_COLOUR: Final = r"[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*"
_BASE64: Final = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"
_CARD: Final = re.compile(
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}"
)
_SHORT_NAME: Final = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"


def judge_of(form: str) -> Callable[[str], bool] | None:
    """What tells whether a text has a format; `None` for a format that is not enforced.

    Dashes in the name of a format do not matter.
    """
    return _judges().get(form.replace("-", ""))


def is_date(text: str) -> bool:
    """A day of the calendar: `2006-01-02`."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.groups())
    # The calendar repeats itself every 400 years, and Python's has no year 0.
    return 1 <= month <= 12 and 1 <= day <= monthrange(year % 400 + 400, month)[1]  # noqa: PLR2004


def is_date_time(text: str) -> bool:
    """A date and a time of day with its zone: `2006-01-02T15:04:05Z`. What follows another T is ignored."""
    date, *rest = text.lower().split("t")
    found = _TIME.fullmatch(rest[0]) if rest else None
    if found is None or not is_date(date):
        return False
    hour, minute, second = found.groups()
    return hour <= "23" and minute <= "59" and second <= "59"


def is_duration(text: str) -> bool:
    """A duration as Go writes it (`1h5m`), or in words (`3 days`)."""
    return _is_go_duration(text) or _is_wordy_duration(text)


def is_isbn10(text: str) -> bool:
    """A book's number of ten digits, whose last may be an X."""
    digits = re.sub(r"[\t\n\f\r -]+", "", text)
    if not re.fullmatch("[0-9]{9}[0-9X]", digits):
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(place * value for place, value in enumerate(values, 1)) % 11 == 0


def is_isbn13(text: str) -> bool:
    """A book's number of thirteen digits."""
    digits = re.sub(r"[\t\n\f\r -]+", "", text)
    if not re.fullmatch("[0-9]{13}", digits):
        return False
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0


def is_credit_card(text: str) -> bool:
    """The number of a credit card, with anything between its digits."""
    digits = re.sub("[^0-9]+", "", text)
    if not _CARD.fullmatch(digits):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value // 10 + value % 10 for value in doubled) % 10 == 0


def is_hostname(text: str) -> bool:
    """The name of a host; symbols and letters of any script are taken."""
    size = len(text.encode())
    return size <= _HOST_BYTES and _is_host_name(text)


def _is_host_name(text: str) -> bool:
    within = r"[a-zA-Z0-9\p{S}\p{L}]"
    single = rf"{within}(-?{within}{{0,62}})?"
    label = rf"{within}([a-zA-Z0-9-\p{{S}}\p{{L}}]{{0,61}}{within})?"
    shape = compiled(rf"^({single}|({label}\.)+[a-zA-Z\p{{L}}]{{2,63}})$")
    return shape.search(text) and all(len(part.encode()) <= _LABEL_BYTES for part in text.split("."))


def _is_go_duration(text: str) -> bool:
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if unsigned == "0":
        return True
    at, total = 0, Fraction(0)
    while at < len(unsigned):
        found = _AMOUNT.match(unsigned, at)
        if found is None or not (found[1] or found[2]):
            return False
        total += Fraction(f"{found[1] or 0}.{found[2] or 0}") * _NANOSECONDS[found[3]]
        at = found.end()
    return bool(unsigned) and int(total) <= _LARGEST + text.startswith("-")


def _is_wordy_duration(text: str) -> bool:
    known = False
    for amount, written in _WORDY_AMOUNT.findall(text):
        unit = written.lower()
        if int(amount) > _LARGEST:
            return False
        known = known or unit in _UNITS or unit.startswith(_UNIT_BEGINNINGS)
    return known


def _uuid(middle: str) -> Callable[[str], bool]:
    return _matching(f"{_HEX}{{8}}-?{_HEX}{{4}}-?{middle}-?{_HEX}{{12}}")


def _matching(pattern: str, most: int | None = None) -> Callable[[str], bool]:
    expression = re.compile(pattern, re.ASCII)
    return lambda text: (most is None or len(text) <= most) and expression.fullmatch(text) is not None


@cache
def _judges() -> Mapping[str, Callable[[str], bool]]:
    return {
        "bsonobjectid": _matching(f"{_HEX}{{24}}"),
        "uri": is_uri,
        "email": is_email,
        "hostname": is_hostname,
        "ipv4": is_ipv4,
        "ipv6": is_ipv6,
        "cidr": is_cidr,
        "mac": is_mac,
        "uuid": _uuid(f"{_HEX}{{4}}-?{_HEX}{{4}}"),
        "uuid3": _uuid(f"3{_HEX}{{3}}-?{_HEX}{{4}}"),
        "uuid4": _uuid(f"4{_HEX}{{3}}-?[89abAB]{_HEX}{{3}}"),
        "uuid5": _uuid(f"5{_HEX}{{3}}-?[89abAB]{_HEX}{{3}}"),
        "isbn": lambda text: is_isbn10(text) or is_isbn13(text),
        "isbn10": is_isbn10,
        "isbn13": is_isbn13,
        "creditcard": is_credit_card,
        "ssn": _matching(r"\d{3}[- ]\d{2}[- ]\d{4}"),
        "hexcolor": _matching(f"#?({_HEX}{{3}}|{_HEX}{{6}})"),
        "rgbcolor": _matching(rf"rgb\({_COLOUR},{_COLOUR},{_COLOUR}\)"),
        "byte": _matching(_BASE64),
        "password": lambda _text: True,
        "date": is_date,
        "datetime": is_date_time,
        "duration": is_duration,
        "k8sshortname": _matching(_SHORT_NAME, _LABEL_BYTES),
        "k8slongname": _matching(rf"{_SHORT_NAME}(?:\.{_SHORT_NAME})*", _NAME_BYTES),
    }
