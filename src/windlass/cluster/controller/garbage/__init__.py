"""Garbage collection: what belongs to nothing that exists any more goes, in the order that was asked for.

Owners and dependents form a graph, which metadata-only watches of every kind keep up to date. The graph
only says where to look: before anything is deleted, the object and its owners are read from the server.
"""

from windlass.cluster.controller.garbage.controller import GarbageCollector

__all__ = ["GarbageCollector"]
