"""Simulated nodes: any number in one process, which run pods on the embedded server or on a real one.

    nodes = Nodes(NodeOptions(count=3))
    async with nodes_running(transport, nodes):
        ...

What a simulated container does is data (`Behaviour`), by its image or by annotations of its pod; for an image
that has a `Program`, a real process of this machine runs. docs/design/nodes.md says how.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.cluster.node.behaviour import ENTRYPOINT as ENTRYPOINT
    from windlass.cluster.node.behaviour import OWN_IMAGES as OWN_IMAGES
    from windlass.cluster.node.behaviour import RUN_IN as RUN_IN
    from windlass.cluster.node.behaviour import SOURCE as SOURCE
    from windlass.cluster.node.behaviour import Behaviour as Behaviour
    from windlass.cluster.node.behaviour import Program as Program
    from windlass.cluster.node.desired import PROJECT as PROJECT
    from windlass.cluster.node.desired import can_run as can_run
    from windlass.cluster.node.desired import is_simulated as is_simulated
    from windlass.cluster.node.nodes import Nodes as Nodes
    from windlass.cluster.node.options import NodeOptions as NodeOptions
    from windlass.cluster.node.outfit import ApiAddress as ApiAddress
    from windlass.cluster.node.running import Surroundings as Surroundings
    from windlass.cluster.node.running import nodes_running as nodes_running

__lazy__ = {
    "ApiAddress": "windlass.cluster.node.outfit",
    "Behaviour": "windlass.cluster.node.behaviour",
    "ENTRYPOINT": "windlass.cluster.node.behaviour",
    "NodeOptions": "windlass.cluster.node.options",
    "OWN_IMAGES": "windlass.cluster.node.behaviour",
    "Nodes": "windlass.cluster.node.nodes",
    "PROJECT": "windlass.cluster.node.desired",
    "Program": "windlass.cluster.node.behaviour",
    "RUN_IN": "windlass.cluster.node.behaviour",
    "SOURCE": "windlass.cluster.node.behaviour",
    "Surroundings": "windlass.cluster.node.running",
    "can_run": "windlass.cluster.node.desired",
    "is_simulated": "windlass.cluster.node.desired",
    "nodes_running": "windlass.cluster.node.running",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
