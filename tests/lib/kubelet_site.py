"""A pod on a node with a kubelet, on whichever API server the contract suite runs."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contract import Api, pod
from contract_target import transport_to
from fake_kubelet import FakeKubelet
from windlass.client import HttpTransport, load_config
from windlass.cluster import Cluster, ClusterOptions
from windlass.cluster.kubelet import KubeletServer
from windlass.pki import serving_certificate
from windlass.testing.namespace import create_namespace, delete_namespace
from wire import open_in_process, open_socket

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from windlass.apiserver import ApiServer
    from windlass.testing import Access
    from wire import Asking, Opened

_PORT = 10250
CONTAINERS = [{"name": name, "image": "example.com/app:1"} for name in ("main", "other")]


@dataclass(frozen=True)
class Site:
    """A pod, `a`, of two containers: `main` runs, `other` does not."""

    access: Access
    api: Api
    namespace: str
    kubelet: FakeKubelet
    server: ApiServer | None = None

    @property
    def pod(self) -> str:
        """The path of the pod."""
        return f"/api/v1/namespaces/{self.namespace}/pods/a"

    def open(self, asking: Asking, user: str = "admin") -> AbstractAsyncContextManager[Opened]:
        """Ask for a connection."""
        token = self.access.token(user)
        if self.server is not None:
            return open_in_process(self.server, token, asking)
        return open_socket(self.access, token, asking)


@asynccontextmanager
async def embedded_site(folder: Path, *, port: bool, audit_log: Path | None = None) -> AsyncIterator[Site]:
    """On a server of this event loop, with or without a port, which asks its kubelets by calls."""
    options = ClusterOptions(port=0 if port else None, upkeep=False, audit_log=audit_log)
    async with Cluster(options) as cluster:
        transport = HttpTransport(load_config(cluster.access.kubeconfig)) if port else cluster.transport()
        kubelet = FakeKubelet(folder)
        cluster.server.world.network.attach(f"127.0.0.1:{_PORT}", kubelet)
        site = Site(cluster.access, Api(transport), "default", kubelet, None if port else cluster.server)
        await _furnish(site, _PORT)
        yield site
        await transport.close()


@asynccontextmanager
async def real_site(access: Access, folder: Path, features: tuple[str, ...] = ()) -> AsyncIterator[Site]:
    """On a real server, which asks its kubelets over HTTPS."""
    namespace, kubelet = create_namespace(access), FakeKubelet(folder)
    certificate = serving_certificate(access.authority, ["127.0.0.1"])
    transport = transport_to(access)
    async with KubeletServer(kubelet, certificate, authority=access.ca) as server:
        site = Site(access, Api(transport), namespace, kubelet)
        await _furnish(site, server.port, features)
        yield site
        await site.api.delete(f"/api/v1/nodes/{namespace}")
    await transport.close()
    delete_namespace(access, namespace)


async def _furnish(site: Site, port: int, features: tuple[str, ...] = ()) -> None:
    """Make the node, which has the name of the namespace, and the pod."""
    name = site.namespace
    (await site.api.create("/api/v1/nodes", {"metadata": {"name": name}})).ok()
    status: dict[str, Any] = {
        "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        "declaredFeatures": list(features),
    }
    (await site.api.patch(f"/api/v1/nodes/{name}/status", {"status": status})).ok()
    made = pod("a", nodeName=name, containers=CONTAINERS)
    (await site.api.create(f"/api/v1/namespaces/{name}/pods", made)).ok()
    (await site.api.patch(f"{site.pod}/status", {"status": {"phase": "Running"}})).ok()
