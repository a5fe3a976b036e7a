"""The form of an Event, and the limits that the API server has for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from windlass.client import MergePatch
    from windlass.controller.event_book import Series
    from windlass.kinds.events.v1 import Event

_LONGEST_NOTE = 1024  # bytes
_LONGEST_WORD = 128
_LONGEST_NAME = 253
_ELSEWHERE = "default"  # where events about cluster-wide objects lie


def event_name(about: str, random: Random) -> str:
    """A name for an event about an object of this name that no other event is likely to have."""
    suffix = f".{random.getrandbits(64):016x}"
    return about[: _LONGEST_NAME - len(suffix)].rstrip(".-") + suffix


def short(note: str) -> str:
    """As much of a note as fits into an event."""
    encoded = note.encode()
    if len(encoded) <= _LONGEST_NOTE:
        return note
    return encoded[: _LONGEST_NOTE - len("…".encode())].decode(errors="ignore") + "…"


def reason_of(reason: str) -> str:
    """A reason that an event may have."""
    return reason[:_LONGEST_WORD] or "Unknown"


def event_of(series: Series, process: str) -> Event:
    """The event that tells of a series so far; `process` tells several of one reporter apart."""
    from windlass.api import ObjectMeta
    from windlass.kinds.core.v1 import ObjectReference
    from windlass.kinds.events.v1 import Event, EventSeries

    report, about = series.report, series.report.about
    event = Event(
        metadata=ObjectMeta(name=series.name, namespace=about.namespace or _ELSEWHERE),
        event_time=series.first,
        type=report.type,
        reason=report.reason,
        action=report.reason,
        note=report.note,
        regarding=ObjectReference(
            api_version=about.api_version,
            kind=about.kind,
            namespace=about.namespace or None,
            name=about.name,
            uid=about.uid or None,
        ),
        reporting_controller=report.reporter,
        reporting_instance=f"{report.reporter}-{process}"[:_LONGEST_WORD],
    )
    if series.count > 1:
        event.series = EventSeries(count=series.count, last_observed_time=series.last)
    return event


def update_of(series: Series) -> MergePatch:
    """What brings an event up to date that the server has."""
    from windlass.api import format_micro_time
    from windlass.client import MergePatch

    last = format_micro_time(series.last)
    return MergePatch({"series": {"count": series.count, "lastObservedTime": last}})
