"""Namespaces that are deleted: what lies in them goes first, pods before everything else."""

from windlass.cluster.controller.namespace.controller import NamespaceController

__all__ = ["NamespaceController"]
