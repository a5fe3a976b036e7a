"""The embedded control plane: an API server in this process, on a port if one wants, and the way to reach it.

    async with Cluster() as cluster:
        client = Client(cluster.transport())
        print(await client.list(Namespace))

You need it to run, show and test operators with nothing but Python. It is not a production control plane:
objects live in memory, unless `ClusterOptions.data` names a folder to keep them in, and the page
`docs/design/limits.md` says what it does not do.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.cluster.access import ADMIN as ADMIN
    from windlass.cluster.access import KUBECONFIG as KUBECONFIG
    from windlass.cluster.access import Access as Access
    from windlass.cluster.cluster import Cluster as Cluster
    from windlass.cluster.cluster import ClusterOptions as ClusterOptions
    from windlass.cluster.transport import InProcessTransport as InProcessTransport

__lazy__ = {
    "ADMIN": "windlass.cluster.access",
    "Access": "windlass.cluster.access",
    "KUBECONFIG": "windlass.cluster.access",
    "Cluster": "windlass.cluster.cluster",
    "ClusterOptions": "windlass.cluster.cluster",
    "InProcessTransport": "windlass.cluster.transport",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
