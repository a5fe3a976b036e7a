"""Runs reconcilers: from sources through a queue to `reconcile`, and no write but by who leads."""

from windlass.controller.fence import NO_FENCE, Fence, FencedTransport

__all__ = ["NO_FENCE", "Fence", "FencedTransport"]
