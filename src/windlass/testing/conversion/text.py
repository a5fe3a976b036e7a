"""Texts by chance, of the formats and patterns that schemas know."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from windlass.api import format_duration, format_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json

_LONGEST: Final = 12
_DAYS: Final = 365


def texts(schema: Json) -> st.SearchStrategy[str]:
    """Texts that a schema of type string takes, or that nearly are."""
    least: int = schema.get("minLength", 0)
    most: int = schema.get("maxLength", max(_LONGEST, least + _LONGEST))
    if "pattern" in schema:
        found = st.from_regex(_python(schema["pattern"]), alphabet=_characters())
        return found.filter(lambda text: least <= len(text) <= most)
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]()
    return st.text(_characters(), min_size=least, max_size=most)


def durations() -> st.SearchStrategy[str]:
    """Durations as Go writes them: `1h30m0s`."""
    return st.timedeltas(timedelta(), timedelta(days=_DAYS)).map(format_duration)


def _python(pattern: str) -> str:
    """A pattern of the API server for Python, whose `$` would let a line break follow."""
    ends = pattern.endswith("$") and not pattern.endswith("\\$")
    return f"{pattern[:-1]}\\Z" if ends else pattern


def _characters() -> st.SearchStrategy[str]:
    """All but those that JSON or YAML cannot carry: surrogates, and control characters."""
    return st.characters(exclude_categories=("Cs", "Cc"))


def _moments() -> st.SearchStrategy[str]:
    start, end = datetime(1970, 1, 1), datetime(2100, 1, 1)  # noqa: DTZ001 - hypothesis adds the zone
    found = st.datetimes(start, end, timezones=st.just(UTC))
    return found.map(lambda moment: format_time(moment.replace(microsecond=0)))


def _hosts() -> st.SearchStrategy[str]:
    return st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){0,2}", fullmatch=True)


_FORMATS: Final[Mapping[str, Callable[[], st.SearchStrategy[Any]]]] = {
    "byte": lambda: st.binary(max_size=_LONGEST).map(lambda value: b64encode(value).decode()),
    "date": lambda: st.dates().map(str),
    "date-time": _moments,
    "datetime": _moments,
    "duration": durations,
    "email": lambda: st.emails(domains=st.just("example.com")),
    "hostname": _hosts,
    "ipv4": lambda: st.ip_addresses(v=4).map(str),
    "ipv6": lambda: st.ip_addresses(v=6).map(str),
    "uri": lambda: _hosts().map(lambda name: f"https://{name}/"),
    "uuid": lambda: st.uuids().map(str),
}
