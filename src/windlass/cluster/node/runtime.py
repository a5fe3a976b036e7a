"""What runs containers: simulated ones by the clock alone, and programs where an image has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Key
from windlass.cluster.node.behaviour import (
    Behaviour,
    Program,
    behaviour_of,
    deployed_program,
    image_of,
)
from windlass.cluster.node.carry import carry, run_beside, serve_page
from windlass.cluster.node.log import Logs
from windlass.cluster.node.pod import Ended, Look, Pace, Told, containers_of
from windlass.cluster.node.process import ProcessHost
from windlass.cluster.node.shell import Shell
from windlass.cluster.node.simulated import KILLED, look
from windlass.cluster.node.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime, timedelta

    from windlass.aio import Clock
    from windlass.apiserver.kubelet import Command, Console, Duplex
    from windlass.cluster.node.nodes import Nodes
    from windlass.cluster.node.outfit import Outfitter
    from windlass.cluster.node.pod import ContainerLife, PodLife
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container

_UNKNOWN: Final = "ContainerStatusUnknown"
_LOCATED: Final = "The container could not be located when the pod was terminated"


class Talk(NamedTuple):
    """A command, and the person who wants it run."""

    command: Command
    console: Console


class Runtime:
    """Runs containers, and tells what becomes of them."""

    def __init__(self, nodes: Nodes, outfitter: Outfitter, clock: Clock) -> None:
        self._nodes = nodes
        self._outfitter = outfitter
        self._clock = clock
        self._pace = Pace(nodes.options.moment, nodes.options.backoff)
        self.logs = Logs()
        self.processes = ProcessHost(nodes, outfitter, clock, self.logs)

    def looks(self, pod: Pod, life: PodLife, now: datetime) -> Mapping[str, Look]:
        """What is seen of each container that runs."""
        found = {
            container.name: self._look(pod, container, each, now)
            for container in containers_of(pod)
            if (each := life.containers.get(container.name)) is not None and each.is_running
        }
        for name, seen in found.items():
            if seen.ended is not None:
                self.logs.end(life.containers[name].id)
        return found

    def told(self, life: PodLife) -> Iterator[Told]:
        """What probes have to complain of, once."""
        for each in life.containers.values():
            if each.is_running and self.processes.find(each.id):
                complaints = self.processes.health(each.id).complaints
                while complaints:
                    yield Told("Unhealthy", complaints.pop(0), warning=True)

    def unpullable(self, pod: Pod) -> Mapping[str, str]:
        """Why images cannot be pulled, by the names of their containers."""
        behaviours = ((each.name, self._behaviour(pod, each)) for each in containers_of(pod))
        return {name: each.pull_error for name, each in behaviours if each.pull_error}

    async def start(self, pod: Pod, life: ContainerLife, name: str) -> None:
        """Start a container."""
        container = _named(pod, name)
        log = self.logs.begin(life.id, (pod.metadata.uid, name))
        program = self._program(pod, container)
        if program is not None:
            await self.processes.start(pod, container, life, program)
            return
        for line in self._behaviour(pod, container).log:
            log.write(self._clock.now(), line.encode())

    async def stop(self, life: ContainerLife, grace: timedelta) -> None:
        """Ask a container to end, and see that it does; a simulated one does by itself."""
        await self.processes.stop(life.id, grace)

    async def abandon(self, life: PodLife) -> None:
        """End everything of a pod at once, and let go of what it wrote."""
        await self.processes.remove(life.uid, life.containers)
        for name in life.containers:
            self.logs.forget((life.uid, name))

    async def execute(self, pod: Pod, life: ContainerLife, name: str, talk: Talk) -> int:
        """Run a command in a container; returns its exit code."""
        container = _named(pod, name)
        process = self.processes.find(life.id)
        if process is not None:
            return await run_beside(process.plan, talk.command, talk.console)
        environment = await self._outfitter.environment(pod, container)
        files = await self._outfitter.mounted(pod, container)
        shell = Shell(pod.metadata.name, self._clock, {"HOSTNAME": pod.metadata.name, **environment}, files)
        argv = talk.command.argv or ("cat",)  # one who attaches to what runs hears nothing but themselves
        console = Terminal(talk.console) if talk.command.tty else talk.console
        return await shell.run(argv, console, stdin=talk.command.stdin)

    async def forward(self, pod: Pod, life: PodLife, port: int, connection: Duplex) -> None:
        """Carry a connection to a port of a pod."""
        local = self.local_port(life, port)
        if local is None:
            await serve_page(pod, port, connection)
        else:
            await carry(local, connection)

    def local_port(self, life: PodLife, port: int) -> int | None:
        """The port of this machine that is one of a pod; None for a pod that runs no program."""
        processes = [each for one in life.containers.values() if (each := self.processes.find(one.id))]
        if not processes:
            return None
        return next((each.plan.ports[port] for each in processes if port in each.plan.ports), port)

    def _look(self, pod: Pod, container: Container, life: ContainerLife, now: datetime) -> Look:
        if self._program(pod, container) is None:
            return look(pod, container, life, self._behaviour(pod, container), (now, self._pace))
        process = self.processes.find(life.id)
        if process is None:  # it ran before this process did
            return Look(ended=Ended(life.id, life.started or now, now, KILLED, _UNKNOWN, _LOCATED))
        health = self.processes.health(life.id)
        return Look(ended=process.ended, passed=health.passed, ready=health.ready, unhealthy=health.unhealthy)

    def _program(self, pod: Pod, container: Container) -> Program | None:
        options = self._nodes.options
        image = image_of(container.image or "", options.images)
        return image if isinstance(image, Program) else deployed_program(pod, container, options.project)

    def _behaviour(self, pod: Pod, container: Container) -> Behaviour:
        said = self._nodes.behaviours.get(Key(pod.metadata.namespace, pod.metadata.name))
        return said or behaviour_of(pod, container, self._nodes.options.images)


def _named(pod: Pod, name: str) -> Container:
    return next(each for each in containers_of(pod) if each.name == name)
