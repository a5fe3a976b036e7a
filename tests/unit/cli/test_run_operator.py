"""An operator in one file, run as a person runs it, on an embedded cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp

from started import started
from windlass.api import Field, ObjectMeta, Resource, Spec, Status
from windlass.client import Client
from windlass.cluster import Cluster, ClusterOptions
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from pathlib import Path

OPERATOR = """
from windlass.kinds.core.v1 import ConfigMap
from windlass.reconcile import Reconciler, Result

class Maps(Reconciler[ConfigMap]):
    async def reconcile(self, resource, ctx):
        ctx.log.info("Seen")
        return Result.ready()
"""
FLAGS = (
    "--leader-elect=true", "--leader-election-namespace=default", "--metrics-bind-address=127.0.0.1:0",
    "--health-probe-bind-address=127.0.0.1:0", "--zap-encoder=json", "--namespace=default",
)  # fmt: skip


async def fetch(address: str, path: str) -> str:
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}{path}") as response:
        return await response.text()


async def test_a_file_with_a_reconciler_is_an_operator(tmp_path: Path) -> None:
    file = tmp_path / "maps.py"
    file.write_text(OPERATOR)
    async with Cluster(ClusterOptions(port=0)) as cluster:
        operator = await started("run", str(file), f"--kubeconfig={cluster.access.kubeconfig}", *FLAGS)
        metrics = (await operator.line("Serving metrics"))["bindAddress"]
        health = (await operator.line("Serving health probes"))["bindAddress"]
        await operator.line("Starting workers")
        await Client(cluster.transport()).create(
            ConfigMap(metadata=ObjectMeta(name="a", namespace="default"))
        )
        seen = await operator.line("Seen")
        ready, counted = await fetch(health, "/readyz?verbose"), await fetch(metrics, "/metrics")
        code = await operator.stop()

    assert (seen["controllerKind"], seen["ConfigMap"]) == ("ConfigMap", {"name": "a", "namespace": "default"})
    assert ready.endswith("readyz check passed\n")
    assert 'leader_election_master_status{name="maps"} 1.0' in counted
    assert 'workqueue_adds_total{controller="configmap",name="configmap"} 1.0' in counted
    assert code == 0


TYPED = """
from windlass.api import Field, Resource, Spec, Status
from windlass.reconcile import Reconciler, Result

class AppSpec(Spec):
    size: int = 1

class AppStatus(Status):
    ready: int = 0
    url: str = ""

class App(Resource, group="demo.example.com", version="v1"):
    spec: AppSpec = Field(default_factory=AppSpec)
    status: AppStatus = Field(default_factory=AppStatus)

class Apps(Reconciler[App]):
    async def reconcile(self, resource, ctx):
        return Result.ready()
"""


class AppSpec(Spec):
    size: int = 1


class AppStatus(Status):
    ready: int = 0


class App(Resource, group="demo.example.com", version="v1"):
    spec: AppSpec = Field(default_factory=AppSpec)
    status: AppStatus = Field(default_factory=AppStatus)


async def test_a_definition_that_is_older_than_the_operator_is_said_loudly_at_the_start(
    tmp_path: Path,
) -> None:
    file = tmp_path / "apps.py"
    file.write_text(TYPED)
    async with Cluster(ClusterOptions(port=0)) as cluster:
        await install_kinds(Client(cluster.transport()), [App])
        operator = await started("run", str(file), f"--kubeconfig={cluster.access.kubeconfig}", *FLAGS)
        said = await operator.line("the cluster's definition of apps.demo.example.com (v1) does not match")
        code = await operator.stop()

    assert said["level"] == "error"
    assert "it does not know .status.url: what is written there is DROPPED without an error" in said["msg"]
    assert "windlass generate crds" in said["msg"]
    assert code == 0
