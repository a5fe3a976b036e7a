from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api import Key
from windlass.apiserver.kubelet import Kubelet, KubeletRefusal, PodName
from windlass.cluster.node.runtime import Talk
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from windlass.apiserver.kubelet import Command, Console, Duplex, LogQuery
    from windlass.client import Reader
    from windlass.cluster.node.log import RunLog
    from windlass.cluster.node.nodes import Nodes
    from windlass.cluster.node.pod import ContainerLife, PodLife
    from windlass.cluster.node.runtime import Runtime

_BAD_REQUEST: Final = 400
_NOT_FOUND: Final = 404


class NodeKubelet(Kubelet):
    """What all nodes of a process answer about their pods: logs, commands, ports."""

    def __init__(self, nodes: Nodes, runtime: Runtime, server: Reader) -> None:
        self._nodes = nodes
        self._runtime = runtime
        self._server = server

    @override
    async def logs(self, pod: PodName, container: str, query: LogQuery) -> AsyncGenerator[bytes, None]:
        found = self._log(pod, container, previous=query.previous)
        if found is not None:
            async with aclosing(found.read(query)) as pieces:
                async for piece in pieces:
                    yield piece

    @override
    async def run(self, pod: PodName, container: str, command: Command, console: Console) -> int:
        life = self._life(pod)
        each = life.containers.get(container)
        if each is None or not each.is_running:
            raise KubeletRefusal(f'container not found ("{container}")')
        found = await self._read(pod, life)
        return await self._runtime.execute(found, each, container, Talk(command, console))

    @override
    async def forward(self, pod: PodName, port: int, connection: Duplex) -> None:
        life = self._life(pod)
        if life.is_at_rest:
            raise KubeletRefusal(f"pod not found ({pod.name!r})", _NOT_FOUND)
        await self._runtime.forward(await self._read(pod, life), life, port, connection)

    def pod_at(self, address: str) -> PodName | None:
        """The pod that has an address, if it runs here."""
        lives = self._nodes.lives.items()
        return next((PodName(*pod) for pod, life in lives if life.address == address), None)

    def local_port(self, pod: PodName, port: int) -> int | None:
        """The port of this machine at which a pod answers on one of its own; None if it runs no program."""
        return self._runtime.local_port(self._life(pod), port)

    def _log(self, pod: PodName, container: str, *, previous: bool) -> RunLog | None:
        each = self._life(pod).containers.get(container)
        if each is None:
            raise KubeletRefusal(
                f'container "{container}" in pod "{pod.name}" is not available', _BAD_REQUEST
            )
        run = _run_of(each, previous=previous)
        if run:
            return self._runtime.logs.get(run)
        if previous:
            message = f'previous terminated container "{container}" in pod "{pod.name}" not found'
            raise KubeletRefusal(message, _BAD_REQUEST)
        raise KubeletRefusal(_not_yet(pod, container, each), _BAD_REQUEST)

    def _life(self, pod: PodName) -> PodLife:
        life = self._nodes.lives.get(Key(*pod))
        if life is None:
            raise _missing(pod)
        return life

    async def _read(self, pod: PodName, life: PodLife) -> Pod:
        """The pod itself, which is wanted seldom and too large to be kept for each of thousands."""
        try:
            found = await self._server.get(Pod, pod.name, pod.namespace)
        except NotFound:
            raise _missing(pod) from None
        if found.metadata.uid != life.uid:
            raise _missing(pod)
        return found


def _missing(pod: PodName) -> KubeletRefusal:
    return KubeletRefusal(f'pod "{pod.name}" not found', _NOT_FOUND)


def _run_of(life: ContainerLife, *, previous: bool) -> str:
    """Which run of a container is meant; none if there was none."""
    last = life.last.id if life.last else ""
    if previous:
        return last
    return life.id if life.started is not None else last


def _not_yet(pod: PodName, container: str, life: ContainerLife) -> str:
    reason = life.waiting.reason if life.waiting else "ContainerCreating"
    if reason in ("ErrImagePull", "ImagePullBackOff"):
        reason = "trying and failing to pull image"
    return f'container "{container}" in pod "{pod.name}" is waiting to start: {reason}'
