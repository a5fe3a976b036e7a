"""StatefulSets: pods that have a name, a place in an order and volumes of their own, and keep them."""

from windlass.cluster.controller.stateful_set.controller import StatefulSetController

__all__ = ["StatefulSetController"]
