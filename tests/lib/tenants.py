"""Collectors, and an operator that serves them in a test: by a stand-in for Helm, or by the program itself."""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import orjson

from chart_archives import chart_archive
from windlass.api import Key, ObjectMeta, find_condition
from windlass.client import Client
from windlass.errors import AlreadyExists
from windlass.helm import HelmProgram
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Secret, Service
from windlass.kinds.rbac.v1 import ClusterRole, PolicyRule, RoleBinding, RoleRef, Subject
from windlass.manager import Manager, ManagerOptions
from windlass.operators.collector import (
    ClusterSource,
    Collector,
    CollectorController,
    CollectorOptions,
    Tenancy,
)
from windlass.testing import TrialOptions, install_kinds
from windlass.testing.helm import StandInHelm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from windlass.api import Json, Resource
    from windlass.helm import Blueprint, Helm
    from windlass.helm.source import Charts
    from windlass.testing import Starter, Trial

WHO = f"process-{os.getpid()}-{uuid4().hex[:8]}"
"""A label of this process's Collectors: on a cluster that tests share, each operator serves its own."""

REPOSITORY = "https://c.example.com"
LENIENT = Tenancy(namespaces={"*": ("{namespace}-*",)}, repositories=(REPOSITORY,), namespace_role="admin")
"""Namespaces of which the name begins with the Collector's own; their ServiceAccounts may do all that is in them."""

RELEASE = "cisco-amp-collector-main"
MONITORING = "monitoring.coreos.com/v1"


def collector(name: str, tenant: str, *, instance: str = "main", **spec: Any) -> Collector:
    """A Collector as manifests have always been written."""
    given = {"name": "cisco-amp-collector", **spec.pop("collector", {})}
    body = {"collector": given, "tenant": {"id": "4711", "reference": tenant, "instance": instance}, **spec}
    return Collector.from_wire({"metadata": {"name": name, "labels": {"served-by": WHO}}, "spec": body})


def encoded(values: Json) -> str:
    """Values as `collector.configuration` has them; JSON is YAML."""
    return b64encode(orjson.dumps(values)).decode()


def standing_in(blueprint: Blueprint, revision: int) -> list[Json]:
    """What the chart that ships renders, in short."""
    release, values = blueprint.release.name, blueprint.values
    labels = {"app.kubernetes.io/instance": release}
    image = values.get("image", {})
    container = {"name": "collector", "image": f"{image.get('repository')}:{image.get('tag', 'latest')}"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    config = orjson.dumps(values.get("config", {}), option=orjson.OPT_SORT_KEYS)
    objects: list[Json] = [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": release},
            "data": {"config.yaml": b64encode(config).decode()},
        },
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": f"{release}-private"},
            "spec": {"selector": labels, "ports": [{"port": 8080}]},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": release},
            "spec": {
                "replicas": values.get("replicaCount", 1),
                "selector": {"matchLabels": labels},
                "template": template,
            },
        },
    ]
    monitored = values.get("serviceMonitor", {}).get("enabled", True)
    if monitored and MONITORING in blueprint.capabilities.api_versions:
        spec = {"selector": {"matchLabels": labels}, "endpoints": [{"path": "/metrics"}]}
        objects.append(
            {"apiVersion": MONITORING, "kind": "ServiceMonitor", "metadata": {"name": release}, "spec": spec}
        )
    return objects


def unhurried(**options: Any) -> CollectorOptions:
    """Options for clusters that run no pods, of which there may be none, and that tests share."""
    source = {"otherwise": ClusterSource(values={"serviceMonitor": {"enabled": False}}), **options}
    tenancy = {"tenancy": LENIENT, **source}
    return CollectorOptions(wait=None, selector=f"served-by={WHO}", **tenancy)


@dataclass
class Collecting:
    """How the operator of a test is started: `collecting()` and `collecting(options=…)`."""

    operator: Starter
    program: Path | None
    parts: dict[str, Any] = field(default_factory=dict)
    make: Callable[[Manager], Helm] | None = None

    def helm(self, manager: Manager) -> Helm:
        """The program where the run has it, else what stands in for it; or what the test makes."""
        if self.make is not None:
            return self.make(manager)
        if self.program is not None:
            return HelmProgram(manager.client, program=self.program)
        return StandInHelm(manager.client, {"collector": standing_in, **self.parts})

    @asynccontextmanager
    async def __call__(
        self, options: CollectorOptions | None = None, charts: Charts | None = None, **trial: Any
    ) -> AsyncIterator[Trial]:
        """The operator, until the block is left; its Collectors go first."""
        chosen = options or unhurried()

        def add(manager: Manager) -> None:
            manager.add(CollectorController(self.helm(manager), chosen, charts))

        everywhere = {"manager": ManagerOptions(name="collector-operator")}
        settings = TrialOptions(**{**everywhere, **trial})
        async with self.operator(add, options=settings) as running:
            await grant(running.client, running.namespace)
            yield running
            for each in await running.client.list(Collector, running.namespace):
                await running.client.delete(Collector, each.metadata.name)
                await running.gone(Collector, each.metadata.name)


async def grant(client: Client, namespace: str, account: str = "default", role: str = "admin") -> None:
    """Let a ServiceAccount of a namespace do there what a ClusterRole allows; monitors belong to `admin`."""
    monitors = PolicyRule(api_groups=["monitoring.coreos.com"], resources=["servicemonitors"], verbs=["*"])
    aggregated = ObjectMeta(
        name="tenants-monitors", labels={"rbac.authorization.k8s.io/aggregate-to-admin": "true"}
    )
    for obj in (
        ClusterRole(metadata=aggregated, rules=[monitors]),
        RoleBinding(
            metadata=ObjectMeta(name=f"{role}-{account}", namespace=namespace),
            role_ref=RoleRef(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name=role),
            subjects=[Subject(kind="ServiceAccount", name=account, namespace=namespace)],
        ),
    ):
        with suppress(AlreadyExists):
            await client.create(obj)


@asynccontextmanager
async def serving(
    trial: Trial,
    collecting: Collecting,
    manager: Manager | None = None,
    options: CollectorOptions | None = None,
    charts: Charts | None = None,
) -> AsyncIterator[Manager]:
    """A process of the operator beside a trial that has none, until the block is left."""
    await install_kinds(trial.client, [Collector])
    await grant(trial.client, trial.namespace)
    manager = manager or Manager(Client(trial.network), ManagerOptions(name="collector-operator"))
    manager.add(CollectorController(collecting.helm(manager), options or unhurried(), charts))
    async with asyncio.TaskGroup() as group:
        running = group.create_task(manager.run())
        yield manager
        running.cancel()


async def deployed(trial: Trial, release: Key) -> Deployment | None:
    """The Deployment of a release, if it is there."""
    found = await trial.client.list(Deployment, release.namespace)
    return next((each for each in found if each.metadata.name == release.name), None)


async def left(trial: Trial, release: Key) -> list[str]:
    """What is there of a release: its objects, and its records."""
    found = []
    kinds: tuple[type[Resource], ...] = (Deployment, Secret, Service)
    for kind in kinds:
        for each in await trial.client.list(kind, release.namespace):
            own = each.metadata.name in (release.name, f"{release.name}-private")
            if own or each.metadata.labels.get("name") == release.name:
                found.append(f"{kind.__kind__.name} {each.metadata.name}")
    return found


def release_in(trial: Trial) -> Key:
    """The release of a Collector whose tenant has the namespace of the test."""
    return Key(trial.namespace, RELEASE)


def condition(resource: Collector, type_: str) -> str:
    """What a condition says; empty where it is not there."""
    found = find_condition(resource.status.conditions, type_)
    return found.status if found else ""


def reason(resource: Collector) -> str:
    """Why it is ready, or not."""
    found = find_condition(resource.status.conditions, "Ready")
    return found.reason if found else ""


_KEPT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kept\ndata:\n  version: {{ .Chart.Version | quote }}\n"
_DROPPED = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: dropped\n"
MAPS = {
    ("maps", "1.0.0"): chart_archive("maps", "1.0.0", {"a.yaml": _KEPT, "b.yaml": _DROPPED}),
    ("maps", "2.0.0"): chart_archive("maps", "2.0.0", {"a.yaml": _KEPT}),
}
"""Two versions of a chart: the second one makes less."""


def maps(blueprint: Blueprint, revision: int) -> list[Json]:
    """What that chart renders."""
    version = blueprint.chart.version
    kept = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kept"},
        "data": {"version": version},
    }
    dropped = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dropped"}}
    return [kept, dropped] if version == "1.0.0" else [kept]
