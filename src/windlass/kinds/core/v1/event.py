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
    count: int | None = None
    last_observed_time: MicroTime | None = None


class Event(Resource, group="", version="v1", plural="events"):
    action: str | None = None
    count: int | None = None
    event_time: MicroTime | None = None
    first_timestamp: Time | None = None
    involved_object: "ObjectReference"
    last_timestamp: Time | None = None
    message: str | None = None
    reason: str | None = None
    related: "ObjectReference | None" = None
    reporting_component: str | None = None
    reporting_instance: str | None = None
    series: EventSeries | None = None
    source: "EventSource | None" = None
    type: str | None = None
