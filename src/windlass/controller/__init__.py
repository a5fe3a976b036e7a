"""Runs one reconciler: from changes in the cache, through a queue, to calls of `reconcile` and their outcome.

A manager makes controllers; an operator's own code seldom meets them. `plan` runs a reconciler once without
doing anything, and tells what it would do. What a reconciler is stands in `windlass.reconcile`.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.controller.fence import NO_FENCE as NO_FENCE
    from windlass.controller.fence import Fence as Fence
    from windlass.controller.fence import FencedTransport as FencedTransport

__lazy__ = {
    "NO_FENCE": "windlass.controller.fence",
    "Fence": "windlass.controller.fence",
    "FencedTransport": "windlass.controller.fence",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
