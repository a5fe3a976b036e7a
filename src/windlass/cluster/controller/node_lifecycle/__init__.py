"""What becomes of nodes and their pods: a node that falls silent is lost, and its pods are sent elsewhere.

Conditions become taints that keep pods away, or drive those off that do not tolerate them for longer. All of
it is taken back when the node is there again.
"""

from windlass.cluster.controller.node_lifecycle.controller import NodeLifecycle
from windlass.cluster.controller.node_lifecycle.options import NodeLifecycleOptions

__all__ = ["NodeLifecycle", "NodeLifecycleOptions"]
