# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import MicroTime, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.event_source import EventSource
    from windlass.kinds.core.v1.object_reference import ObjectReference

__lazy__ = {
    "EventSource": "windlass.kinds.core.v1.event_source",
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
}


class EventSeries(Model):
    count: int
    last_observed_time: MicroTime | None = None


class Event(Resource, group="events.k8s.io", version="v1", plural="events"):
    action: str | None = None
    deprecated_count: int | None = None
    deprecated_first_timestamp: Time | None = None
    deprecated_last_timestamp: Time | None = None
    deprecated_source: "EventSource | None" = None
    event_time: MicroTime | None = None
    note: str | None = None
    reason: str | None = None
    regarding: "ObjectReference | None" = None
    related: "ObjectReference | None" = None
    reporting_controller: str | None = None
    reporting_instance: str | None = None
    series: EventSeries | None = None
    type: str | None = None
