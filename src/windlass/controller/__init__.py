"""Runs one reconciler: from changes in the cache, through a queue, to calls of `reconcile` and their outcome.

A manager makes controllers; an operator's own code seldom meets them. `plan` runs a reconciler once without
doing anything, and tells what it would do. What a reconciler is stands in `windlass.reconcile`.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.controller.activity import patched_paths as patched_paths
    from windlass.controller.annotation import RECONCILE_AT as RECONCILE_AT
    from windlass.controller.blocking import BlockingOptions as BlockingOptions
    from windlass.controller.breaker import Breaker as Breaker
    from windlass.controller.breaker import BreakerOptions as BreakerOptions
    from windlass.controller.breaker import Finding as Finding
    from windlass.controller.controller import Controller as Controller
    from windlass.controller.difference import FieldChange as FieldChange
    from windlass.controller.difference import field_changes as field_changes
    from windlass.controller.environment import ControllerObserver as ControllerObserver
    from windlass.controller.environment import EffectResult as EffectResult
    from windlass.controller.environment import Environment as Environment
    from windlass.controller.event import EventRecorder as EventRecorder
    from windlass.controller.event_book import EventOptions as EventOptions
    from windlass.controller.exit import Exit as Exit
    from windlass.controller.exit import error_message as error_message
    from windlass.controller.fence import NO_FENCE as NO_FENCE
    from windlass.controller.fence import Fence as Fence
    from windlass.controller.fence import FencedTransport as FencedTransport
    from windlass.controller.journal import Journal as Journal
    from windlass.controller.journal import JournalOptions as JournalOptions
    from windlass.controller.log import FIELDS as FIELDS
    from windlass.controller.log import BoundLogger as BoundLogger
    from windlass.controller.message import plain_message as plain_message
    from windlass.controller.options import ControllerOptions as ControllerOptions
    from windlass.controller.planning import Plan as Plan
    from windlass.controller.planning import plan as plan
    from windlass.controller.record import Effect as Effect
    from windlass.controller.record import Recorder as Recorder
    from windlass.controller.record import Run as Run
    from windlass.controller.record import Write as Write
    from windlass.controller.status import reporting as reporting

__lazy__ = {
    "BoundLogger": "windlass.controller.log",
    "Breaker": "windlass.controller.breaker",
    "BlockingOptions": "windlass.controller.blocking",
    "BreakerOptions": "windlass.controller.breaker",
    "Controller": "windlass.controller.controller",
    "ControllerObserver": "windlass.controller.environment",
    "ControllerOptions": "windlass.controller.options",
    "Effect": "windlass.controller.record",
    "EffectResult": "windlass.controller.environment",
    "Environment": "windlass.controller.environment",
    "EventOptions": "windlass.controller.event_book",
    "EventRecorder": "windlass.controller.event",
    "Exit": "windlass.controller.exit",
    "FIELDS": "windlass.controller.log",
    "Fence": "windlass.controller.fence",
    "FencedTransport": "windlass.controller.fence",
    "FieldChange": "windlass.controller.difference",
    "Finding": "windlass.controller.breaker",
    "Journal": "windlass.controller.journal",
    "JournalOptions": "windlass.controller.journal",
    "NO_FENCE": "windlass.controller.fence",
    "RECONCILE_AT": "windlass.controller.annotation",
    "Plan": "windlass.controller.planning",
    "Recorder": "windlass.controller.record",
    "Run": "windlass.controller.record",
    "Write": "windlass.controller.record",
    "field_changes": "windlass.controller.difference",
    "patched_paths": "windlass.controller.activity",
    "plain_message": "windlass.controller.message",
    "plan": "windlass.controller.planning",
    "reporting": "windlass.controller.status",
    "error_message": "windlass.controller.exit",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
