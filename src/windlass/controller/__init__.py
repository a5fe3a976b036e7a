"""Runs one reconciler: from changes in the cache, through a queue, to calls of `reconcile` and their outcome.

A manager makes controllers; an operator's own code seldom meets them. `plan` runs a reconciler once without
doing anything, and tells what it would do. What a reconciler is stands in `windlass.reconcile`.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.controller.controller import Controller as Controller
    from windlass.controller.environment import ControllerObserver as ControllerObserver
    from windlass.controller.options import ControllerOptions as ControllerOptions
    from windlass.controller.environment import Environment as Environment
    from windlass.controller.event import EventRecorder as EventRecorder
    from windlass.controller.exit import Exit as Exit
    from windlass.controller.journal import Journal as Journal
    from windlass.controller.breaker import BreakerOptions as BreakerOptions
    from windlass.controller.log import BoundLogger as BoundLogger
    from windlass.controller.log import FIELDS as FIELDS
    from windlass.controller.fence import NO_FENCE as NO_FENCE
    from windlass.controller.fence import Fence as Fence
    from windlass.controller.fence import FencedTransport as FencedTransport

__lazy__ = {
    "Controller": "windlass.controller.controller",
    "ControllerObserver": "windlass.controller.environment",
    "ControllerOptions": "windlass.controller.options",
    "Environment": "windlass.controller.environment",
    "EventRecorder": "windlass.controller.event",
    "Exit": "windlass.controller.exit",
    "Journal": "windlass.controller.journal",
    "BreakerOptions": "windlass.controller.breaker",
    "BoundLogger": "windlass.controller.log",
    "FIELDS": "windlass.controller.log",
    "NO_FENCE": "windlass.controller.fence",
    "Fence": "windlass.controller.fence",
    "FencedTransport": "windlass.controller.fence",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
