"""The kubelets of this process on a port, as a real API server looks for them.

    certificate = serving_certificate(access.authority, ["127.0.0.1"])
    async with KubeletServer(kubelet, certificate, authority=access.ca) as server:
        ...  # a Node whose InternalIP is 127.0.0.1 and whose kubeletEndpoint.Port is server.port leads here

One port serves all nodes of the process: which node is meant, follows from the pod. The API server of this
process needs none of it; it asks `Network.attach`ed kubelets by calls.
"""

from windlass.cluster.kubelet.server import KubeletServer

__all__ = ["KubeletServer"]
