"""Whether a pod may lie on a node: the rules of node selectors, node affinity and taints, as pure functions.

    if matches_node_selector(pod.spec, node) and tolerates(pod.spec.tolerations, node.spec.taints):
        ...

Whoever places pods needs them: the scheduler, and a daemon set, which has to know the nodes it will get. They
look at one pod and one node; what other pods there are, and what room is left, is the scheduler's own affair.
"""

from windlass.cluster.placement.node_selector import (
    matches_node_selector,
    matches_terms,
    preference,
)
from windlass.cluster.placement.taint import (
    EVICTING,
    REPELLING,
    tolerates,
    untolerated,
)

__all__ = [
    "EVICTING",
    "REPELLING",
    "matches_node_selector",
    "matches_terms",
    "preference",
    "tolerates",
    "untolerated",
]
