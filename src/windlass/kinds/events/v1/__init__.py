"""The kinds of events/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.events.v1.event import Event as Event
    from windlass.kinds.events.v1.event import EventSeries as EventSeries

__lazy__ = {
    "Event": "windlass.kinds.events.v1.event",
    "EventSeries": "windlass.kinds.events.v1.event",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
