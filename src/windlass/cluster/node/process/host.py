from __future__ import annotations

import asyncio
import os
import socket
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.cluster.node.environment import expand
from windlass.cluster.node.log import RunLog
from windlass.cluster.node.process.beside import beside
from windlass.cluster.node.process.folder import PodFolder
from windlass.cluster.node.process.kubeconfig import kubeconfig
from windlass.cluster.node.process.probe import LOOPBACK, ask
from windlass.cluster.node.process.prober import Prober
from windlass.cluster.node.process.process import Plan, Process
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.cluster.node.behaviour import Program
    from windlass.cluster.node.log import Logs
    from windlass.cluster.node.nodes import Nodes
    from windlass.cluster.node.outfit import Outfitter
    from windlass.cluster.node.pod import ContainerLife
    from windlass.cluster.node.process.prober import Health
    from windlass.cluster.node.volume import Tokens
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container, Probe

ROOT: Final = "WINDLASS_POD_ROOT"
_PORT: Final = "WINDLASS_PORT_"
_INHERITED: Final = ("PATH", "HOME", "LANG", "TMPDIR")
_ROTATION: Final = 0.8  # of the life of a token


@dataclass
class _Running:
    process: Process
    prober: Prober
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


class ProcessHost:
    """Runs programs in the place of containers, with everything that their pods give them.

    `open` makes one that ends them all when its block is left.
    """

    def __init__(self, nodes: Nodes, outfitter: Outfitter, clock: Clock, logs: Logs) -> None:
        self._nodes = nodes
        self._outfitter = outfitter
        self._clock = clock
        self._logs = logs
        self._runs: dict[str, _Running] = {}
        self._latest: dict[tuple[str, str], str] = {}
        self._folders: dict[str, PodFolder] = {}
        self._upkeep: dict[str, asyncio.Task[None]] = {}

    _disk: ExitStack
    _group: asyncio.TaskGroup

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Let programs be started inside of the block; at its end none is left."""
        with ExitStack() as self._disk:
            async with asyncio.TaskGroup() as self._group:
                try:
                    yield
                finally:
                    for task in self._upkeep.values():
                        task.cancel()
                    for run in tuple(self._runs.values()):
                        run.process.kill()
                        for task in run.tasks[1:]:
                            task.cancel()

    def find(self, run: str) -> Process | None:
        """The program that is this run of a container."""
        found = self._runs.get(run)
        return found.process if found else None

    def health(self, run: str) -> Health:
        """What probes have found out about a run."""
        return self._runs[run].prober.health

    async def start(self, pod: Pod, container: Container, life: ContainerLife, program: Program) -> None:
        """Start a program in the place of a container; one that was started before goes on."""
        if life.id in self._runs:
            return
        owner = (pod.metadata.uid, container.name)
        self._runs.pop(self._latest.get(owner, ""), None)
        self._latest[owner] = life.id
        folder = await self._prepared(pod)
        plan = await self._plan(pod, container, program, folder)
        process = await Process.start(life.id, plan, self._clock)
        key = Key(pod.metadata.namespace, pod.metadata.name)

        async def asked(probe: Probe) -> str:
            return await ask(probe, container, plan.ports, lambda argv: self.output(plan, argv))

        prober = Prober(container, asked, self._clock, lambda: self._nodes.wake_pod.send(key, "probed"))
        running = self._runs[life.id] = _Running(process, prober)
        running.tasks.append(self._group.create_task(self._follow(life.id, running, key)))
        running.tasks.append(self._group.create_task(prober.run()))
        for inside, outside in plan.ports.items():
            self._nodes.lead(pod, inside, f"{LOOPBACK}:{outside}")

    async def stop(self, run: str, grace: timedelta) -> None:
        """Ask a program to end, and see that it does."""
        running = self._runs.get(run)
        if running is not None:
            running.tasks.append(self._group.create_task(running.process.stop(grace, self._clock)))

    async def remove(self, uid: str, containers: Iterable[str]) -> None:
        """Kill what is left of a pod, and remove its folder."""
        for name in containers:
            running = self._runs.pop(self._latest.pop((uid, name), ""), None)
            if running is not None:
                running.process.kill()
                await asyncio.wait([running.tasks[0]])
        if uid in self._upkeep:
            self._upkeep.pop(uid).cancel()
        folder = self._folders.pop(uid, None)
        if folder is not None:
            await asyncio.to_thread(folder.remove)

    async def output(self, plan: Plan, argv: tuple[str, ...]) -> tuple[int, bytes]:
        """Run a command beside a program; returns how it ended, and what it said."""
        async with beside(plan, argv, stderr=asyncio.subprocess.STDOUT) as child:
            said, _ = await child.communicate()
            return await child.wait(), said

    async def _follow(self, run: str, running: _Running, key: Key) -> None:
        await running.process.follow(self._logs.get(run) or RunLog(), self._clock)
        for task in running.tasks[1:]:
            task.cancel()
        self._nodes.wake_pod.send(key, "ended")

    async def _prepared(self, pod: Pod) -> PodFolder:
        """The folder of a pod, with what its volumes have in them, which is kept up to date."""
        uid = pod.metadata.uid
        if uid not in self._folders:
            folder = PodFolder(self._base / uid)
            tokens = await self._outfitter.tokens(pod)
            await asyncio.to_thread(folder.write, await self._outfitter.volumes(pod, tokens))
            self._folders[uid] = folder
            self._upkeep[uid] = self._group.create_task(self._keep(pod, folder, tokens))
        return self._folders[uid]

    @cached_property
    def _base(self) -> Path:
        """The folder of all pods, made for the first one."""
        made = TemporaryDirectory(prefix="windlass-pods-", ignore_cleanup_errors=True)
        return Path(self._disk.enter_context(made))

    async def _keep(self, pod: Pod, folder: PodFolder, tokens: Tokens) -> None:
        """Let changes of ConfigMaps and Secrets arrive, and tokens be replaced before they expire."""
        renewed = self._clock.monotonic()
        while True:
            await self._clock.sleep(self._nodes.options.backoff)
            lives = min((each.seconds for each in tokens), default=0) * _ROTATION
            with suppress(WindlassError, OSError):  # it is tried again soon
                if tokens and self._clock.monotonic() - renewed >= lives:
                    tokens, renewed = await self._outfitter.tokens(pod), self._clock.monotonic()
                await asyncio.to_thread(folder.write, await self._outfitter.volumes(pod, tokens))

    async def _plan(self, pod: Pod, container: Container, program: Program, folder: PodFolder) -> Plan:
        root = await asyncio.to_thread(folder.mount, pod, container)
        ports = _ports(container, program)
        given = {f"{_PORT}{inside}": str(outside) for inside, outside in ports.items()}
        # A manifest for real nodes too says what such a variable is there; here the node knows better.
        env = [each for each in container.env if each.name not in given]
        said = await self._outfitter.environment(pod, container.model_copy(update={"env": env}), given)
        words = container.args if program.command else (*container.command, *container.args)
        command = (
            *(expand(each, said) for each in program.command),  # its paths are those of this machine
            *(folder.located(expand(each, said), container) for each in words),
        )
        variables = {name: folder.located(value, container) for name, value in said.items()}
        ours = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        variables = {
            **ours,
            "HOSTNAME": pod.metadata.name,
            **self._access(pod, folder),
            **variables,
            ROOT: str(root),
        }
        start = program.folder if program.folder and program.folder.is_dir() else root
        return Plan(command=command, environment=variables, folder=start, ports=ports)

    def _access(self, pod: Pod, folder: PodFolder) -> Mapping[str, str]:
        """How the program finds the API server, if the pod has a token for it."""
        server = self._outfitter.server
        token = next(
            (
                folder.path / "volumes" / volume.name / each.service_account_token.path
                for volume in pod.spec.volumes
                if volume.projected
                for each in volume.projected.sources
                if each.service_account_token and not each.service_account_token.audience
            ),
            None,
        )
        if server is None or token is None:
            return {}
        return {
            "KUBECONFIG": str(folder.private("kubeconfig", kubeconfig(server, token, pod.metadata.namespace)))
        }


def _ports(container: Container, program: Program) -> dict[int, int]:
    """Where the ports of a container are on this machine: as they say, unless a free one can be taken."""
    spoken = " ".join((*program.command, *container.args, *(each.value or "" for each in container.env)))
    return {
        each.container_port: _free() if f"$({_PORT}{each.container_port})" in spoken else each.container_port
        for each in container.ports
    }


def _free() -> int:
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return int(found.getsockname()[1])
