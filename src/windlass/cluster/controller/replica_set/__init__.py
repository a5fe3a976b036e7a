"""Keeps as many pods as a ReplicaSet wants."""

from windlass.cluster.controller.replica_set.controller import ReplicaSetController

__all__ = ["ReplicaSetController"]
