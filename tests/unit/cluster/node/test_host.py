"""Programs in the place of containers, on a clock that the test moves; the programs are real."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from on_node import is_ready, main, pod
from polling import until
from windlass.aio import ManualClock
from windlass.apiserver import World
from windlass.client import Client, ClientOptions, MergePatch
from windlass.cluster import Cluster, ClusterOptions
from windlass.cluster.node import NodeOptions, Program
from windlass.kinds.core.v1 import ConfigMap, Node, Pod, ServiceAccount

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

FOLDER = "/etc/given"
IMAGES = {
    "local": Program(("env",)),
    "echoing": Program(("sh", "-c", f"echo {FOLDER} $1; exec sleep 600", "sh")),
}
OPTIONS = NodeOptions(count=1, moment=timedelta(), heartbeat=None, images=IMAGES)


@asynccontextmanager
async def running() -> AsyncIterator[tuple[Cluster, Client, ManualClock]]:
    """A cluster with a node that runs programs, and time that stands still."""
    clock = ManualClock()
    async with Cluster(ClusterOptions(nodes=OPTIONS, world=World(clock=clock))) as cluster:
        client = Client(cluster.transport(), ClientOptions(namespace="default"))
        await until(lambda: client.list(Node), lambda found: len(found) == 1)
        await client.create(ServiceAccount.from_wire({"metadata": {"name": "default"}}))
        await client.create(ConfigMap.from_wire({"metadata": {"name": "settings"}, "data": {"mode": "fast"}}))
        yield cluster, client, clock


def _program(*args: str, **container: Any) -> Pod:
    sources = [
        {"serviceAccountToken": {"path": "token", "expirationSeconds": 1000}},
        {"configMap": {"name": "settings"}},
    ]
    mounts = [{"name": "given", "mountPath": FOLDER}]
    made = {"name": "main", "image": "local", "args": list(args), "volumeMounts": mounts, **container}
    volumes = [{"name": "given", "projected": {"sources": sources}}]
    return pod("web", containers=[made], volumes=volumes, serviceAccountName="default")


async def _log(cluster: Cluster, name: str = "web") -> str:
    from windlass.apiserver.kubelet import LogQuery, PodName

    state = cluster.nodes.states["node-1"]
    kubelet = cluster.server.world.network.kubelet(f"{state.address}:10250")
    assert kubelet is not None
    return b"".join(
        [each async for each in kubelet.logs(PodName("default", name), "main", LogQuery())]
    ).decode()


async def _folder(cluster: Cluster) -> Path:
    log = await until(lambda: _log(cluster), lambda found: "\n" in found)
    return Path(log.split()[0])


async def test_tokens_are_replaced_before_they_expire_and_changes_arrive() -> None:
    async with running() as (cluster, client, clock):
        await client.create(_program("sh", "-c", f"echo {FOLDER}; exec sleep 600"))
        await until(lambda: client.get(Pod, "web"), is_ready)
        folder = await _folder(cluster)
        token = (folder / "token").read_text()
        assert token.count(".") == 2
        await client.patch(ConfigMap, "settings", MergePatch({"data": {"mode": "slow"}}))

        async def later(name: str) -> str:
            await clock.advance(timedelta(seconds=10))
            return (folder / name).read_text()

        await until(lambda: later("mode"), lambda found: found == "slow")
        assert (folder / "token").read_text() == token
        began = clock.monotonic()
        await until(lambda: later("token"), lambda found: found != token)
        assert clock.monotonic() - began > 600
    assert not folder.exists()


async def test_a_path_of_a_program_is_one_of_the_machine_and_that_of_an_argument_one_of_the_pod() -> None:
    async with running() as (cluster, client, _):
        await client.create(_program(f"{FOLDER}/mode", image="echoing"))
        await until(lambda: client.get(Pod, "web"), is_ready)
        of_program, of_argument = (await until(lambda: _log(cluster), lambda log: "\n" in log)).split()

        assert of_program == FOLDER
        assert Path(of_argument).read_text(encoding="utf-8") == "fast"  # noqa: ASYNC240


async def test_a_lost_node_ends_its_programs_and_starts_them_anew_when_it_is_back() -> None:
    async with running() as (cluster, client, _):
        await client.create(_program("sh", "-c", "echo $$$$; exec sleep 600"))
        await until(lambda: client.get(Pod, "web"), is_ready)
        pid = int((await until(lambda: _log(cluster), bool)).split()[0])
        cluster.nodes.lose("node-1")
        await until(lambda: _is_gone(pid))
        assert is_ready(await client.get(Pod, "web"))  # nobody has said otherwise
        cluster.nodes.restore("node-1")
        again = await until(lambda: client.get(Pod, "web"), lambda found: main(found).restart_count == 1)
        last = main(again).last_state
        assert last is not None
        assert last.terminated is not None
        assert last.terminated.reason == "ContainerStatusUnknown"


async def _is_gone(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or ") Z " in state.read_text()  # noqa: ASYNC240


async def test_a_port_that_a_manifest_says_for_other_nodes_is_a_free_one_here() -> None:
    said = [{"name": "WINDLASS_PORT_8080", "value": "8080"}]
    async with running() as (cluster, client, _):
        command = ("sh", "-c", "echo $(WINDLASS_PORT_8080) $WINDLASS_PORT_8080; exec sleep 600")
        await client.create(_program(*command, ports=[{"containerPort": 8080}], env=said))
        await until(lambda: client.get(Pod, "web"), is_ready)
        in_argument, in_variable = (await until(lambda: _log(cluster), lambda log: "\n" in log)).split()
        assert in_argument == in_variable
        assert in_argument != "8080"


async def test_a_probe_that_runs_a_command_decides_on_readiness() -> None:
    probe = {"exec": {"command": ["sh", "-c", "test -e $FLAG"]}, "periodSeconds": 5, "failureThreshold": 1}
    scratch = {"name": "FLAG", "value": f"{FOLDER}/flag"}
    async with running() as (cluster, client, clock):
        await client.create(
            _program("sh", "-c", f"echo {FOLDER}; exec sleep 600", readinessProbe=probe, env=[scratch])
        )
        await until(lambda: client.get(Pod, "web"), lambda found: found.status.phase == "Running")
        folder = await _folder(cluster)
        assert not is_ready(await client.get(Pod, "web"))
        await client.patch(ConfigMap, "settings", MergePatch({"data": {"flag": "up"}}))

        async def later() -> Pod:
            await clock.advance(timedelta(seconds=1))
            return await client.get(Pod, "web")

        await until(later, is_ready)
        assert (folder / "flag").exists()
        await client.patch(ConfigMap, "settings", MergePatch({"data": {"flag": None}}))
        await until(later, lambda found: not is_ready(found))
