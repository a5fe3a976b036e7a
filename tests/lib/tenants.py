"""Collectors, and an operator that serves them in a test: by a stand-in for Helm, or by the program itself."""

from __future__ import annotations

from base64 import b64encode
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from windlass.api import Key, ObjectMeta
from windlass.helm import HelmProgram
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Secret, Service
from windlass.manager import ManagerOptions
from windlass.operators.collector import Collector, CollectorController, CollectorOptions
from windlass.testing import TrialOptions
from windlass.testing.helm import StandInHelm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.api import Json
    from windlass.helm import Blueprint, Helm
    from windlass.manager import Manager
    from windlass.operators.collector.source import Charts
    from windlass.testing import Starter, Trial

MONITORING = "monitoring.coreos.com/v1"


def collector(name: str, tenant: str, *, instance: str = "main", **spec: Any) -> Collector:
    """A Collector as manifests have always been written."""
    given = {"name": "cisco-amp-collector", **spec.pop("collector", {})}
    body = {"collector": given, "tenant": {"id": "4711", "reference": tenant, "instance": instance}, **spec}
    return Collector.from_wire({"metadata": {"name": name}, "spec": body})


def encoded(values: Json) -> str:
    """Values as `collector.configuration` has them; JSON is YAML."""
    return b64encode(orjson.dumps(values)).decode()


def standing_in(blueprint: Blueprint, revision: int) -> list[Json]:  # noqa: ARG001 - the same for each
    """What the chart that ships renders, in short."""
    release, values = blueprint.release.name, blueprint.values
    labels = {"app.kubernetes.io/instance": release}
    image = values.get("image", {})
    container = {"name": "collector", "image": f"{image.get('repository')}:{image.get('tag', 'latest')}"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    config = orjson.dumps(values.get("config", {}), option=orjson.OPT_SORT_KEYS)
    objects: list[Json] = [
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": release}, "data": {"config.yaml": b64encode(config).decode()}},
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": f"{release}-private"}, "spec": {"selector": labels, "ports": [{"port": 8080}]}},
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": release},
            "spec": {"replicas": values.get("replicaCount", 1), "selector": {"matchLabels": labels}, "template": template},
        },
    ]
    if MONITORING in blueprint.capabilities.api_versions:
        spec = {"selector": {"matchLabels": labels}, "endpoints": [{"path": "/metrics"}]}
        objects.append({"apiVersion": MONITORING, "kind": "ServiceMonitor", "metadata": {"name": release}, "spec": spec})
    return objects


@dataclass
class Collecting:
    """How the operator of a test is started: `collecting()` and `collecting(options=…)`."""

    operator: Starter
    program: Path | None
    parts: dict[str, Any] = field(default_factory=dict)

    def helm(self, manager: Manager) -> Helm:
        """The program where the run has it, else what stands in for it."""
        if self.program is not None:
            return HelmProgram(manager.client, program=self.program)
        return StandInHelm(manager.client, {"collector": standing_in, **self.parts})

    @asynccontextmanager
    async def __call__(
        self, options: CollectorOptions | None = None, charts: Charts | None = None, **trial: Any
    ) -> AsyncIterator[Trial]:
        """The operator, until the block is left; its Collectors go first."""
        chosen = options or CollectorOptions(wait=None)

        def add(manager: Manager) -> None:
            manager.add(CollectorController(self.helm(manager), chosen, charts))

        settings = TrialOptions(manager=ManagerOptions(name="collector-operator"), **trial)
        async with self.operator(add, options=settings) as running:
            yield running
            for each in await running.client.list(Collector, running.namespace):
                await running.client.delete(Collector, each.metadata.name)
                await running.gone(Collector, each.metadata.name)


async def deployed(trial: Trial, release: Key) -> Deployment | None:
    """The Deployment of a release, if it is there."""
    found = await trial.client.list(Deployment, release.namespace)
    return next((each for each in found if each.metadata.name == release.name), None)


async def left(trial: Trial, release: Key) -> list[str]:
    """What is there of a release: its objects, and its records."""
    found = []
    for kind in (Deployment, Secret, Service):
        for each in await trial.client.list(kind, release.namespace):
            own = each.metadata.name in (release.name, f"{release.name}-private")
            if own or each.metadata.labels.get("name") == release.name:
                found.append(f"{kind.__kind__.name} {each.metadata.name}")
    return found


def named(name: str) -> ObjectMeta:
    """The metadata of an object of the test's namespace."""
    return ObjectMeta(name=name)
