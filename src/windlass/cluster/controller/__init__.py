"""The controllers of a cluster, written on Windlass: what kube-controller-manager does for a real one.

    manager = Manager(client, ManagerOptions(name="kube-controller-manager"))
    add_to(manager, lambda: access.ca)

Each is a `Reconciler` as any operator has them, in a module or package of its own. They know the API alone,
so that they run on any server; a real one has its own, and running both would be one too many.
"""

from windlass.cluster.controller.wiring import add_to

__all__ = ["add_to"]
