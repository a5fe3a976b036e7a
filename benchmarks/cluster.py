"""A whole cluster: how long it takes until the pods of Deployments run on simulated nodes."""

from benchmarks.result import Row, row
from benchmarks.server import LIMIT, Environment, ran

NODES = 1_000
PODS = 10_000
CPU_LIMIT = 10.0
"""Milliseconds for each pod: server, cache, controllers, scheduler and node together."""
MEMORY_LIMIT = 1_000.0


def cluster(environment: Environment) -> list[Row]:
    """A thousand nodes, and ten thousand pods that become ready on them."""
    found = ran("whole", environment, str(NODES), str(PODS))
    per_pod = found["cpu"] / PODS * 1000
    return [
        row("10k pods on 1k nodes: CPU a pod", "ms", LIMIT, (per_pod, CPU_LIMIT)),
        row("10k pods on 1k nodes: memory", "MB", LIMIT, (found["mb"], MEMORY_LIMIT)),
        row("10k pods on 1k nodes: wall", "s", "its CPU", (found["wall"], found["cpu"]), None),
    ]
