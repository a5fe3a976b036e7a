"""What runs containers: simulated ones by the clock alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from windlass.api import Key
from windlass.cluster.node.behaviour import Behaviour, behaviour_of
from windlass.cluster.node.pod import Look, Pace
from windlass.cluster.node.simulated import look

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from windlass.cluster.node.nodes import Nodes
    from windlass.cluster.node.pod import PodLife, Stop
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container


class Runtime(Protocol):
    """Runs containers, and tells what becomes of them."""

    def looks(self, pod: Pod, life: PodLife, now: datetime) -> Mapping[str, Look]:
        """What is seen of each container that runs."""

    def unpullable(self, pod: Pod) -> Mapping[str, str]:
        """Why images cannot be pulled, by the names of their containers."""

    def adopt(self, pod: Pod, life: PodLife) -> None:
        """Take over a pod that ran before."""

    async def start(self, pod: Pod, life: PodLife, name: str) -> None:
        """Start a container."""

    async def stop(self, pod: Pod, life: PodLife, stop: Stop) -> None:
        """Ask a container to end, and see that it does."""

    async def abandon(self, life: PodLife) -> None:
        """End everything of a pod at once."""


class SimulatedRuntime(Runtime):
    """Containers that are nothing but what is said of them."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._pace = Pace(nodes.options.moment, nodes.options.backoff)

    @override
    def looks(self, pod: Pod, life: PodLife, now: datetime) -> Mapping[str, Look]:
        return {
            container.name: look(pod, container, each, self._behaviour(pod, container), (now, self._pace))
            for container in containers_of(pod)
            if (each := life.containers.get(container.name)) is not None and each.is_running
        }

    @override
    def unpullable(self, pod: Pod) -> Mapping[str, str]:
        behaviours = ((each.name, self._behaviour(pod, each)) for each in containers_of(pod))
        return {name: each.pull_error for name, each in behaviours if each.pull_error}

    @override
    def adopt(self, pod: Pod, life: PodLife) -> None:
        """There is nothing to take over: what a container does follows from when it was started."""

    @override
    async def start(self, pod: Pod, life: PodLife, name: str) -> None:
        """There is nothing to start."""

    @override
    async def stop(self, pod: Pod, life: PodLife, stop: Stop) -> None:
        """There is nothing to stop."""

    @override
    async def abandon(self, life: PodLife) -> None:
        """There is nothing to end."""

    def _behaviour(self, pod: Pod, container: Container) -> Behaviour:
        said = self._nodes.behaviour(Key(pod.metadata.namespace, pod.metadata.name))
        return said or behaviour_of(pod, container, self._nodes.options.images)


def containers_of(pod: Pod) -> Iterator[Container]:
    """All containers of a pod, those that people put into it later too."""
    yield from pod.spec.init_containers
    yield from pod.spec.containers
    yield from pod.spec.ephemeral_containers  # type: ignore[misc]  # all that counts of them, a container has too
