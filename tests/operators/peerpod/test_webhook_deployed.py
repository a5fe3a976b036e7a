"""The webhook as a program in a Deployment: pods are sized by it, and scheduled as long as there are machines."""

from __future__ import annotations

import socket
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from polling import until
from remote_pods import container, size
from windlass.client import Client, ClientOptions, MergePatch, WriteOptions
from windlass.errors import ApiError
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Node, Pod, Secret
from windlass.kinds.node.v1 import RuntimeClass
from windlass.operators.peerpod.webhook import SizingSettings, pod_webhook
from windlass.pki import authority, serving_certificate
from windlass.testing import LOCAL_IMAGE
from windlass.webhook import Place, configurations

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Resource

pytestmark = [pytest.mark.timeout(120), pytest.mark.xdist_group("nodes")]
NODE = "node-1"
PATIENCE = 40.0
LABELS = {"app": "webhook"}


def deployment(settings: SizingSettings, port: int) -> Deployment:
    """What serves the webhook, with the certificate that is mounted."""
    program = [sys.executable, "-m", "windlass", "run", "windlass.operators.peerpod.webhook"]
    flags = ["--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:$(WINDLASS_PORT_8081)"]
    env = {
        "TARGET_RUNTIMECLASS": settings.runtime_classes[0],
        "POD_VM_EXTENDED_RESOURCE": settings.vm_resource,
        "WEBHOOK_CERT_DIR": "/certificates",
        "WEBHOOK_PORT": str(port),
        "TLS_MIN_VERSION": "VersionTLS13",
    }
    made = {
        "name": "webhook",
        "image": LOCAL_IMAGE,
        "args": [*program, *flags],
        "env": [{"name": name, "value": value} for name, value in env.items()],
        "ports": [{"containerPort": port}, {"containerPort": 8081, "name": "health"}],
        "readinessProbe": {"httpGet": {"path": "/readyz", "port": "health"}, "periodSeconds": 1},
        "volumeMounts": [{"name": "certificates", "mountPath": "/certificates"}],
    }
    volumes = [{"name": "certificates", "secret": {"secretName": "webhook"}}]
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [made], "volumes": volumes}}
    spec = {"selector": {"matchLabels": LABELS}, "template": template}
    return Deployment.from_wire({"metadata": {"name": "webhook"}, "spec": spec})


@asynccontextmanager
async def existing(client: Client, resource: Resource) -> AsyncIterator[None]:
    """Something that lies in no namespace, for as long as the block lasts."""
    await client.create(resource)
    try:
        yield
    finally:
        await client.delete(type(resource), resource.metadata.name)


@asynccontextmanager
async def offered(client: Client, resource: str, amount: int) -> AsyncIterator[None]:
    """A node that offers machines."""

    def saying(value: str | None) -> MergePatch:
        return MergePatch({"status": {name: {resource: value} for name in ("capacity", "allocatable")}})

    await client.status.patch(Node, NODE, saying(str(amount)))
    try:
        yield
    finally:
        await client.status.patch(Node, NODE, saying(None))


@asynccontextmanager
async def webhook(client: Client, namespace: str) -> AsyncIterator[SizingSettings]:
    """The webhook, once it is asked."""
    settings = SizingSettings(
        runtime_classes=(f"kata-{namespace}",), vm_resource=f"{namespace}.example.com/vm"
    )
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    trusted = authority("test")
    pair = serving_certificate(trusted, ["127.0.0.1"])
    secret = {"tls.crt": pair.certificate, "tls.key": pair.key}
    await client.create(Secret.from_wire({"metadata": {"name": "webhook"}, "stringData": secret}))
    await client.create(deployment(settings, port))
    place = Place(
        name=namespace, url=f"https://127.0.0.1:{port}", bundle=trusted.certificate, namespaces=(namespace,)
    )
    handler = {"metadata": {"name": settings.runtime_classes[0]}, "handler": "kata"}
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(existing(client, RuntimeClass.from_wire(handler)))
        for each in configurations([pod_webhook(settings)], place):
            await stack.enter_async_context(existing(client, each))
        trying = Client(
            client.transport, ClientOptions(namespace=namespace, write=WriteOptions(dry_run=True))
        )

        async def is_asked() -> bool:
            try:
                return bool(size(await trying.create(pod("trial", settings)))[0])
            except ApiError:  # it is asked, and does not answer yet
                return False

        await until(is_asked, patience=PATIENCE)
        yield settings


def pod(name: str, settings: SizingSettings) -> Pod:
    """A pod that asks for more than any node has, and runs in a machine."""
    asked = container(requests={"cpu": "1000", "memory": "1Ti"})
    spec = {"runtimeClassName": settings.runtime_classes[0], "containers": [asked]}
    return Pod.from_wire({"metadata": {"name": name, "labels": {"app": "shop"}}, "spec": spec})


async def test_pods_are_sized_by_the_program_and_wait_for_machines_when_there_are_none_left(
    client: Client, namespace: str
) -> None:
    async def pods() -> dict[str, Pod]:
        return {each.metadata.name: each for each in await client.list(Pod, namespace, labels="app=shop")}

    async with webhook(client, namespace) as settings, offered(client, settings.vm_resource, 2):
        for name in ("one", "two", "three"):
            made = await client.create(pod(name, settings))
            assert size(made)[:2] == ("1000", "1048576")

        def full(found: dict[str, Pod]) -> bool:
            placed = sorted(bool(each.spec.node_name) for each in found.values())
            return placed == [False, True, True] and any(map(refused, found.values()))

        def refused(found: Pod) -> bool:
            said = [each.message or "" for each in found.status.conditions if each.type == "PodScheduled"]
            return any(f"Insufficient {settings.vm_resource}" in each for each in said)

        found = await until(pods, full, patience=PATIENCE)
        placed = [name for name, each in found.items() if each.spec.node_name]
        assert {found[name].spec.node_name for name in placed} == {NODE}
        await until(
            pods, lambda now: all(now[each].status.phase == "Running" for each in placed), patience=PATIENCE
        )

        await client.delete(Pod, placed[0])
        await until(
            pods,
            lambda now: len(now) == 2 and all(each.spec.node_name for each in now.values()),
            patience=PATIENCE,
        )
