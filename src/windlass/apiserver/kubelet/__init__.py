"""What the server asks of the kubelet of a node: what a container wrote, a command in it, a port of a pod.

A kubelet is known to the server's network by the address that its Node object has: `Network.attach`. To a
real API server the same kubelet is served over HTTPS.
"""

from windlass.apiserver.kubelet.protocol import (
    Command,
    Console,
    Duplex,
    Kubelet,
    KubeletRefusal,
    LogQuery,
    PodName,
)

__all__ = [
    "Command",
    "Console",
    "Duplex",
    "Kubelet",
    "KubeletRefusal",
    "LogQuery",
    "PodName",
]
