"""Event, as the group events.k8s.io shows it: stricter, and only its series changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import OBJECT_REFERENCE, as_declared
from windlass.apiserver.validation.event import validate_event
from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_OLD_NAMES: Final = {
    "regarding": "involvedObject",
    "note": "message",
    "reportingController": "reportingComponent",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
}
_REFERENCES: Final = {
    "involvedObject": OBJECT_REFERENCE,
    "related": OBJECT_REFERENCE,
    "source": {"component": "", "host": ""},
}
_KEPT: Final = {
    "involvedObject": "involvedObject",
    "reason": "reason",
    "message": "message",
    "source": "source",
    "firstTimestamp": "firstTimestamp",
    "lastTimestamp": "lastTimestamp",
    "count": "count",
    "type": "type",
    "eventTime": "eventTime",
    "action": "action",
    "related": "related",
    "reportingComponent": "reportingController",
    "reportingInstance": "reportingInstance",
}
"""What stays, and where a change is complained about."""

_LEAST: Final = 2


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An Event of the newer group; the faults stand at the names that the core group uses."""
    event = {_OLD_NAMES.get(name, name): value for name, value in obj.items()}
    if old is None:
        yield from validate_event(event, "reportingController")
        yield from validate_object_meta(obj, old, dns_subdomain)
        yield from _validate_series(event)
        yield from _validate_new(event)
        return
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from validate_event(event, "reportingController")
    if obj.get("series") != old.get("series"):
        yield from _validate_series(event)
    yield from _validate_same(event, {_OLD_NAMES.get(name, name): value for name, value in old.items()})


def _validate_series(event: Object) -> Iterator[Fault]:
    series = event.get("series")
    if series is None:
        return
    if series.get("count", 0) < _LEAST:
        yield Fault.invalid("series.count", "", f"should be at least {_LEAST}")
    if not series.get("lastObservedTime"):
        yield Fault.required("series.lastObservedTime")


def _validate_new(event: Object) -> Iterator[Fault]:
    if not event.get("eventTime"):
        yield Fault.required("eventTime")
    kind = event.get("type", "")
    if kind not in ("Normal", "Warning"):
        yield Fault.invalid("type", "", f"has invalid value: {kind}")
    for name in ("firstTimestamp", "lastTimestamp", "count", "source"):
        if event.get(name):
            yield Fault.invalid(name, "", "needs to be unset")


def _validate_same(event: Object, old: Object) -> Iterator[Fault]:
    for name, blamed in _KEPT.items():
        new, was = event.get(name), old.get(name)
        structure = _REFERENCES.get(name)
        if structure is not None and new != was:
            new = None if new is None else as_declared(new, structure)
        if new is None and name not in ("related", "firstTimestamp", "lastTimestamp", "eventTime"):
            new = 0 if name == "count" else ""
            was = new if was is None else was
        yield from validate_unchanged(new, was, blamed)
