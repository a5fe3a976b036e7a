"""PeerPodConfigs, and nodes that are nobody else's, for an operator that serves them in a test."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from windlass.api import find_condition
from windlass.client import DeleteOptions, MergePatch
from windlass.kinds.core.v1 import ConfigMap, Node, Pod, Secret
from windlass.operators.peerpod import VM_RESOURCE, PeerPodConfig, PeerPodConfigController, PeerPodOptions
from windlass.operators.peerpod.desired import CONFIG

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.kinds.apps.v1 import DaemonSet, Deployment
    from windlass.kinds.core.v1 import PodSpec
    from windlass.testing import Starter, Trial, TrialOptions

NAME = "peer-pods"
POOL = "example.com/pool"
BROUGHT_BY = "example.com/brought-by"
_PATIENCE = timedelta(seconds=60)
SERVED_BY = "example.com/served-by"
WHO = f"process-{uuid4().hex[:8]}"
"""A label of this process's configs, for an operator that looks at all namespaces of a cluster that tests share."""

NODES_ALONE = {"daemonSet": False, "runtimeClass": False, "webhook": False}
"""Components for tests of the capacity alone."""


def config(pool: str, name: str = NAME, **spec: Any) -> PeerPodConfig:
    """A config that selects the nodes of a pool, and makes nothing else unless it is asked to."""
    spec = {"nodeSelector": {POOL: pool}, "components": NODES_ALONE, **spec}
    metadata = {"name": name, "labels": {SERVED_BY: WHO}}
    return PeerPodConfig.from_wire({"metadata": metadata, "spec": spec})


def node(name: str, pool: str, test: str = "", **annotations: str) -> Node:
    """A node of a pool, which a test brings."""
    metadata = {"name": name, "labels": {POOL: pool, BROUGHT_BY: test}, "annotations": annotations}
    return Node.from_wire({"metadata": metadata})


def vm_pod(name: str, node_name: str, count: int = 1, resource: str = VM_RESOURCE) -> Pod:
    """A pod on a node that takes virtual machines."""
    amounts = {resource: str(count)}
    resources = {"requests": amounts, "limits": amounts}
    container = {"name": "app", "image": "app:1", "resources": resources}
    return Pod.from_wire(
        {"metadata": {"name": name}, "spec": {"nodeName": node_name, "containers": [container]}}
    )


def pod_of(made: DaemonSet | Deployment) -> PodSpec:
    """The pods that a workload makes."""
    spec = made.spec.template.spec
    assert spec is not None
    return spec


def advertised(found: Node, resource: str = VM_RESOURCE) -> int | None:
    """What a node offers."""
    amount = found.status.capacity.get(resource)
    return None if amount is None else int(amount)


def offering(amount: int | None) -> Callable[[Node], bool]:
    """Whether a node offers this much."""
    return lambda found: advertised(found) == amount


def condition(found: PeerPodConfig, type_: str) -> tuple[str, str]:
    """What a condition says, and why."""
    said = find_condition(found.status.conditions, type_)
    return (said.status, said.reason) if said else ("", "")


@dataclass
class Peers:
    """An operator on trial, with nodes whose names and labels are the test's own."""

    trial: Trial
    name: str
    nodes: list[str] = field(default_factory=list)

    @property
    def pool(self) -> str:
        """The label of the test's nodes."""
        return self.trial.namespace

    def named(self, short: str) -> str:
        """What a node is called that the test calls `short`."""
        return f"{self.trial.namespace}-{short}"

    async def join(self, *shorts: str, pool: str = "", **annotations: str) -> None:
        """Bring nodes into the cluster."""
        for short in shorts:
            self.nodes.append(self.named(short))
            made = node(self.named(short), pool or self.pool, self.trial.namespace, **annotations)
            await self.trial.client.create(made)

    async def settings(self, provider: str = "aws", namespace: str = "") -> None:
        """The Secret and the ConfigMap that the cloud-api-adaptor needs."""
        place = {"namespace": namespace or self.trial.namespace}
        secret = {"metadata": {"name": "peer-pods-secret", **place}, "stringData": {"KEY": "value"}}
        settings = {"metadata": {"name": "peer-pods-cm", **place}, "data": {"CLOUD_PROVIDER": provider}}
        await self.trial.client.create(Secret.from_wire(secret))
        await self.trial.client.create(ConfigMap.from_wire(settings))

    async def use(self, name: str, short: str, count: int = 1) -> None:
        """Have a pod on a node take virtual machines."""
        await self.trial.client.create(vm_pod(name, self.named(short), count))

    async def free(self, name: str) -> None:
        """Have a pod go at once, since no kubelet ends it."""
        await self.trial.client.delete(Pod, name, options=DeleteOptions(grace_period=timedelta()))

    async def set_capacity(self, short: str, value: str | None) -> None:
        """Write to a node what it offers, as others do."""
        patch = MergePatch({"status": {"capacity": {VM_RESOURCE: value}}})
        await self.trial.client.status.patch(Node, self.named(short), patch)

    async def change(self, name: str = NAME, **spec: Any) -> None:
        """Change a config."""
        await self.trial.client.patch(PeerPodConfig, name, MergePatch({"spec": spec}))

    async def offers(self, **wanted: int | None) -> None:
        """Wait until nodes offer what is wanted; None for nothing at all."""
        for short, amount in wanted.items():
            await self.trial.until(Node, self.named(short), offering(amount))

    async def mark(self, short: str) -> str | None:
        """In whose name a node offers something."""
        found = await self.trial.client.get(Node, self.named(short))
        return found.metadata.annotations.get(CONFIG)

    async def ready(self, name: str = NAME) -> PeerPodConfig:
        """The config, once it is ready."""
        return await self.trial.ready(PeerPodConfig, name)

    async def says(self, type_: str, status: str, reason: str, name: str = NAME) -> PeerPodConfig:
        """The config, once a condition says this of its present generation."""
        return await self.trial.until(
            PeerPodConfig,
            name,
            lambda found: (
                condition(found, type_) == (status, reason)
                and found.status.observed_generation == found.metadata.generation
            ),
        )

    async def leave(self) -> None:
        """Take all nodes away that the test brought."""
        await self.trial.client.delete_collection(Node, labels=f"{BROUGHT_BY}={self.trial.namespace}")


@dataclass
class Peering:
    """How the operator of a test is started: `peering()` and `peering(PeerPodOptions(…))`."""

    operator: Starter

    @asynccontextmanager
    async def __call__(
        self,
        options: PeerPodOptions | None = None,
        trial: TrialOptions | None = None,
        *,
        name_by_test: bool = False,
    ) -> AsyncIterator[Peers]:
        """The operator, until the block is left; its configs and nodes go first.

        `name_by_test` lets it have names of its own for what lies in no namespace, which tests share.
        """
        name = f"peers-{uuid4().hex[:8]}" if name_by_test else NAME
        chosen = replace(options or PeerPodOptions(), name=name)
        if name_by_test:
            chosen = replace(chosen, runtime_class=name)
        async with self.operator(PeerPodConfigController(chosen), options=trial) as running:
            peers = Peers(running, name)
            yield peers
            for each in await running.client.list(PeerPodConfig, running.namespace):
                await running.client.delete(PeerPodConfig, each.metadata.name)
                await running.gone(PeerPodConfig, each.metadata.name, within=_PATIENCE)
            await peers.leave()
