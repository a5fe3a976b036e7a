from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from windlass.api import Quantity
from windlass.client import request_token
from windlass.cluster.node.config import Config
from windlass.cluster.node.downward import Place
from windlass.cluster.node.environment import environment, service_variables, sources
from windlass.cluster.node.volume import Stock, Tokens, files, token_wishes, volume_sources
from windlass.kinds.core.v1 import Service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.client import Client
    from windlass.cluster.node.nodes import Nodes
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container


class ApiAddress(NamedTuple):
    """Where pods find the API server, and the certificate that they know it by."""

    host: str
    port: int
    authority: str

    @property
    def url(self) -> str:
        """As a kubeconfig names it."""
        return f"https://{self.host}:{self.port}"


class Outfitter:
    """Finds what a pod is given: its environment, and what is in its volumes."""

    def __init__(self, nodes: Nodes, client: Client, server: ApiAddress | None = None) -> None:
        self._nodes = nodes
        self._client = client
        self.server = server

    async def environment(
        self, pod: Pod, container: Container, given: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """The variables of a container, on top of those that it is given."""
        config = Config(pod, self._client)
        for source in sources(container):
            await config.content(source)
        outside = dict(given or {})
        if pod.spec.enable_service_links is not False:
            outside |= service_variables(await self._client.list(Service, pod.metadata.namespace))
        if self.server:
            outside |= {
                "KUBERNETES_SERVICE_HOST": self.server.host,
                "KUBERNETES_SERVICE_PORT": str(self.server.port),
                "KUBERNETES_SERVICE_PORT_HTTPS": str(self.server.port),
            }
        return environment(pod, container, self._place(pod), config.known, outside)

    async def volumes(self, pod: Pod, tokens: Tokens) -> dict[str, dict[str, bytes]]:
        """The files of each volume that the cluster knows the contents of, by the volume's name."""
        config = Config(pod, self._client)
        for source in volume_sources(pod):
            await config.content(source)
        stock = Stock(config.known, tokens, self._place(pod))
        return {volume.name: files(pod, volume, stock) for volume in pod.spec.volumes}

    async def tokens(self, pod: Pod) -> Tokens:
        """New tokens of the pod's service account, as its volumes want them."""
        made: Tokens = {}
        for wish in token_wishes(pod):
            answer = await request_token(
                self._client,
                pod.spec.service_account_name or "default",
                pod.metadata.namespace,
                (wish.audience,) if wish.audience else (),
                timedelta(seconds=wish.seconds),
            )
            made[wish] = answer.token
        return made

    async def mounted(self, pod: Pod, container: Container) -> Mapping[str, bytes]:
        """All files that a simulated container sees, by their paths."""
        content = await self.volumes(pod, await self.tokens(pod))
        return {
            f"{mount.mount_path.rstrip('/')}/{path}": data
            for mount in container.volume_mounts
            for path, data in content.get(mount.name, {}).items()
        }

    def _place(self, pod: Pod) -> Place:
        state = self._nodes.states[pod.spec.node_name or ""]
        capacity = {name: Quantity(value) for name, value in self._nodes.options.full_capacity.items()}
        return Place(self._nodes.address_of(pod) or state.address, state.address, capacity)
