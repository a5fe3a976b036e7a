"""The operator for Ptemplates on trial, beside what stands in for KMM, and with nodes of its own."""

from __future__ import annotations

import asyncio
import fcntl
import os
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from prometheus_client.parser import text_string_to_metric_families

from polling import until
from windlass.api import Key, ObjectMeta, find_condition, read_yaml
from windlass.client import MergePatch, Request
from windlass.errors import NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import Container, Node, Pod, PodSpec, Secret
from windlass.operators.ptemplate import AliasPtemplate, Ptemplate, PtemplateV1alpha, add_to
from windlass.operators.ptemplate.kmm import Module
from windlass.operators.ptemplate.simulator import ModuleSimulator
from windlass.operators.ptemplate.types import PtemplateSpec
from windlass.testing import TrialOptions, install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Condition, Json
    from windlass.client import Client
    from windlass.kinds.apps.v1 import DaemonSet
    from windlass.testing import Starter, Trial

MODULES = "modules.kmm.sigs.x-k8s.io"
PRINTED = """
apiVersion: ptemplates.pt.example.com/v1alpha
kind: Ptemplate
metadata:
  name: consumer-pod
spec:
  maxdev: 5
  defaultmsg: ptemplate
  consumerimage: quay.io/chrisp262/pt-device-plugin:consumer-latest
  requiredDevices: 2
  imageRepoSecret:
    name: pt-char-pull-secret
  selector:
    node-role.kubernetes.io/worker: worker
"""
"""What the guide to the first operator prints."""

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data" / "kmm-module-crd.yaml"


def real_definition() -> Json | None:
    """KMM's own definition of the Module, where there is one."""
    path = Path(os.environ.get("WINDLASS_KMM_MODULE_CRD", _BESIDE))
    return read_yaml(path.read_bytes())[0] if path.exists() else None


def ptemplate(name: str = "pt", namespace: str = "", **spec: Any) -> Ptemplate:
    """A Ptemplate; `spec` as on the wire."""
    wire = {"selector": {"node-role.kubernetes.io/worker": "worker"}, **spec}
    metadata = ObjectMeta(name=name, namespace=namespace)
    return Ptemplate(metadata=metadata, spec=PtemplateSpec.from_wire(wire))


def manifest(text: str) -> Ptemplate:
    """The Ptemplate of a manifest, of whichever group and version."""
    (body,) = read_yaml(text)
    kinds = {each.__kind__.api_version: each for each in (Ptemplate, PtemplateV1alpha, AliasPtemplate)}
    return kinds[body["apiVersion"]].from_wire(body)


def made_pod(name: str, daemon_set: DaemonSet | None, labels: dict[str, str] | None = None) -> Pod:
    """A pod that nobody runs, of a DaemonSet or of nobody."""
    template = daemon_set.spec.template.metadata if daemon_set else None
    metadata = ObjectMeta(name=name, labels=labels or (template.labels if template else {}))
    if daemon_set:
        metadata.owner_references = [daemon_set.owner_reference()]
    container = Container(name="c", image="example.com/c:1")
    return Pod(metadata=metadata, spec=PodSpec(containers=[container], scheduler_name="nobody"))


def condition(resource: Ptemplate, type_: str) -> Condition | None:
    """A condition, if it is there."""
    return find_condition(resource.status.conditions, type_)


def is_fresh(resource: Ptemplate) -> bool:
    """Whether its status is that of its present generation."""
    return resource.status.observed_generation == resource.metadata.generation


def says(resource: Ptemplate, type_: str, status: str, reason: str = "") -> bool:
    """Whether a condition of the present generation says so."""
    found = condition(resource, type_)
    if found is None or not is_fresh(resource):
        return False
    return found.status == status and reason in ("", found.reason)


@dataclass
class Bench:
    """A trial, the label of its nodes, and the name of its devices: others may share the cluster."""

    trial: Trial
    label: str
    devices: str

    @property
    def client(self) -> Client:
        """The user's."""
        return self.trial.client

    def made(self, name: str = "pt", **spec: Any) -> Ptemplate:
        """A Ptemplate for the nodes of this trial."""
        return ptemplate(
            name,
            self.trial.namespace,
            **{"selector": {self.label: "worker"}, "resourceName": self.devices, **spec},
        )

    async def create(self, name: str = "pt", **spec: Any) -> Ptemplate:
        """Create one."""
        return await self.client.create(self.made(name, **spec))

    async def nodes(self, count: int = 1, value: str | None = "worker") -> list[str]:
        """Give some nodes the label, or take it from them."""
        names = sorted(each.metadata.name for each in await self.client.list(Node))[:count]
        for name in names:
            patch = MergePatch({"metadata": {"labels": {self.label: value}}})
            await self.client.patch(Node, name, patch)
        return names

    def key(self, name: str) -> Key:
        """Where an object of this name lies."""
        return Key(self.trial.namespace, name)

    async def secret(self, name: str) -> None:
        """Create a Secret by which images could be pulled."""
        await self.client.create(Secret(metadata=ObjectMeta(name=name)))

    def metrics(self) -> dict[tuple[str, str], float]:
        """What is told of each Ptemplate, by the names of the number and of the Ptemplate."""
        return {
            (sample.name, sample.labels["name"]): sample.value
            for family in text_string_to_metric_families(self.trial.manager.metrics.expose().body.decode())
            for sample in family.samples
            if sample.name.startswith("Ptemplate_")
        }

    async def install(self) -> None:
        """Have Modules served."""
        await install_kinds(self.client, [Module])

    async def ready(self, name: str = "pt") -> Ptemplate:
        """Wait until it is."""
        return await self.trial.ready(Ptemplate, name)


@dataclass
class Templating:
    """Starts benches; `shared` tells whether other tests are on the same server."""

    operator: Starter
    shared: bool

    @asynccontextmanager
    async def __call__(
        self,
        *,
        kmm: bool = True,
        whole: bool = True,
        simulated: bool = True,
        devices: str = "",
        label: str = "",
        alone: bool = False,
    ) -> AsyncIterator[Bench]:
        """A bench until the block is left; without `kmm`, its kind is not served at first.

        One that changes what is served is `alone` on its server.
        """
        token = f"{token_hex(4)}.example.com"
        devices, label = devices or f"{token}/ptemplate", label or f"{token}/worker"
        parts = [add_to, ModuleSimulator(devices)] if simulated and kmm else [add_to]
        options = TrialOptions(whole=whole)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._turn(alone=alone or not kmm))
            if self.shared and not kmm:
                async with (
                    self.operator() as before
                ):  # so that the operator never sees the kind of another test
                    await uninstall(before.client)
            running = await stack.enter_async_context(self.operator(*parts, options=options))
            bench = Bench(running, label, devices)
            if kmm:
                await bench.install()
            if whole:
                await bench.nodes()
            try:
                yield bench
            finally:  # a Module that stayed would have the definition of its kind stay too
                await _leave(bench, whole=whole)

    @asynccontextmanager
    async def _turn(self, *, alone: bool) -> AsyncIterator[None]:
        """Most may share a server; of the others, one at a time has it to itself."""
        if not self.shared:
            yield
            return
        with (Path(tempfile.gettempdir()) / "windlass-tests-kmm.lock").open("w") as lock:
            await asyncio.to_thread(fcntl.flock, lock, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            yield


async def columns(client: Client, kind: type[Ptemplate]) -> dict[str, object]:
    """What `kubectl get` shows of the only object of a kind, its age aside."""
    path = kind.__kind__.path("", client.options.namespace)
    accept = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
    table = await client.json(Request(method="GET", path=path, headers=accept))
    names = [each["name"] for each in table["columnDefinitions"]]
    (row,) = table["rows"]
    return {name: cell for name, cell in zip(names, row["cells"], strict=True) if name != "Age"}


async def uninstall(client: Client) -> None:
    """Have KMM's kind served no more."""
    try:
        await client.delete(CustomResourceDefinition, MODULES)
    except NotFound:
        return
    await until(lambda: _is_defined(client), lambda found: not found)
    await until(lambda: _is_served(client), lambda found: not found)


async def _is_defined(client: Client) -> bool:
    return MODULES in [each.metadata.name for each in await client.list(CustomResourceDefinition)]


async def _is_served(client: Client) -> bool:
    """Whether Modules are still listed, which they are for a moment after their definition is gone."""
    try:
        await client.list(Module, client.options.namespace)
    except NotFound:
        return False
    return True


async def _leave(bench: Bench, *, whole: bool) -> None:
    """Delete everything while those run who have to let go of it."""
    client, namespace = bench.client, bench.trial.namespace
    for kind in (Ptemplate, AliasPtemplate):
        await client.delete_collection(kind, namespace)
        await until(partial(_names, client, kind, namespace), lambda found: not found)
    if await _is_defined(client):
        await client.delete_collection(Module, namespace)
        await until(partial(_names, client, Module, namespace), lambda found: not found)
    if whole:
        await bench.nodes(100, None)


async def _names(client: Client, kind: Any, namespace: str) -> list[str]:
    return [each.metadata.name for each in await client.list(kind, namespace)]
