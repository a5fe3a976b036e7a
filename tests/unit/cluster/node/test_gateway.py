"""The way of a kube-apiserver to pods and Services, as its egress selector takes it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from on_node import create, is_ready
from polling import until
from windlass.client import Client, ClientOptions, MergePatch
from windlass.cluster import Cluster, ClusterOptions
from windlass.cluster.node import Nodes, Surroundings, nodes_running
from windlass.kinds.core.v1 import Node, Pod, Service
from windlass.kinds.discovery.v1 import EndpointSlice
from windlass.testing import LOCAL_IMAGE, fast_nodes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

GREETING = """
import os, socketserver

class Greeter(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"hello " + self.rfile.readline())

socketserver.TCPServer(("127.0.0.1", int(os.environ["PORT"])), Greeter).serve_forever()
"""
CONTAINER = {
    "name": "main",
    "image": LOCAL_IMAGE,
    "args": [sys.executable, "-c", GREETING],
    "env": [{"name": "PORT", "value": "$(WINDLASS_PORT_7000)"}],
    "ports": [{"containerPort": 7000, "name": "greeting"}],
    "readinessProbe": {"tcpSocket": {"port": "greeting"}, "periodSeconds": 1},
}


class Site:
    """A cluster with a node whose pods are reached by a gateway."""

    def __init__(self, client: Client, socket: Path) -> None:
        self.client = client
        self.socket = socket

    async def ask(self, request: bytes, line: bytes = b"") -> tuple[bytes, bytes]:
        """Send a request and then a line: the first line of the answer, and what comes after its head."""
        reader, writer = await asyncio.open_unix_connection(self.socket)
        writer.write(request + b"\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        if line:
            writer.write(line)
        rest = await reader.read()
        writer.close()
        await writer.wait_closed()
        return head.partition(b"\r\n")[0], rest

    async def connect(self, host: str | None, port: int, line: bytes = b"") -> tuple[bytes, bytes]:
        """The same for a connection to an address."""
        return await self.ask(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}".encode(), line)

    async def run(self, name: str, **container: object) -> Pod:
        """A pod of the greeting program, or of another container, once it is ready."""
        spec = {"containers": [CONTAINER | container], "nodeName": "node-1"}
        labels = {"app": "greeting"}
        await create(self.client, Pod.from_wire({"metadata": {"name": name, "labels": labels}, "spec": spec}))
        return await until(lambda: self.client.get(Pod, name), is_ready, patience=20)

    async def serve(self) -> str:
        """A Service for these pods, whose endpoints are kept; its address."""
        ports = [{"port": 80, "name": "greeting", "targetPort": "greeting"}]
        spec = {"selector": {"app": "greeting"}, "ports": ports}
        made = await self.client.create(Service.from_wire({"metadata": {"name": "greeting"}, "spec": spec}))
        return made.spec.cluster_ip or ""

    async def endpoints(self, count: int) -> None:
        """Wait until the Service has so many pods."""

        async def addresses() -> list[str]:
            found = await self.client.list(
                EndpointSlice, "default", labels="kubernetes.io/service-name=greeting"
            )
            return [
                end.addresses[0]
                for each in found
                for end in each.endpoints
                if end.conditions and end.conditions.ready
            ]

        await until(addresses, lambda found: len(found) == count, patience=20)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    with TemporaryDirectory() as folder:
        socket = Path(folder) / "gateway.sock"
        async with Cluster(ClusterOptions(controllers=True)) as cluster:
            around = Surroundings(gateway=socket)
            async with nodes_running(cluster.transport(), Nodes(fast_nodes(1)), around):
                client = Client(cluster.transport(), ClientOptions(namespace="default"))
                await until(lambda: client.list(Node), lambda found: len(found) == 1)
                yield Site(client, socket)


async def test_the_address_of_a_service_leads_to_the_program_of_a_ready_pod(site: Site) -> None:
    address = await site.serve()
    await site.run("a")
    await site.endpoints(1)

    assert await site.connect(address, 80, b"you\n") == (
        b"HTTP/1.1 200 Connection established",
        b"hello you\n",
    )


async def test_the_address_of_a_pod_leads_to_its_program(site: Site) -> None:
    pod = await site.run("a")

    head, answer = await site.connect(pod.status.pod_ip, 7000, b"you\n")

    assert (head, answer) == (b"HTTP/1.1 200 Connection established", b"hello you\n")


async def test_a_simulated_pod_answers_with_its_page(site: Site) -> None:
    pod = await site.run("a", image="web:1")

    _, answer = await site.connect(pod.status.pod_ip, 80, b"GET / HTTP/1.1\r\n\r\n")

    assert answer.endswith(b"default/a on node-1, port 80\n")


async def test_a_service_says_why_it_leads_nowhere(site: Site) -> None:
    address = await site.serve()

    assert await site.connect(address, 80) == (
        b'HTTP/1.1 503 no endpoints available for service "default/greeting"',
        b"",
    )
    assert await site.connect(address, 81) == (
        b'HTTP/1.1 503 no service port 81 found for service "default/greeting"',
        b"",
    )


async def test_a_pod_that_is_gone_or_of_another_process_is_refused_with_the_reason(site: Site) -> None:
    other = Pod.from_wire({"metadata": {"name": "b"}, "spec": {"containers": [CONTAINER], "nodeName": "far"}})
    await create(site.client, other)
    status = {"status": {"podIP": "10.244.9.9", "podIPs": [{"ip": "10.244.9.9"}]}}
    await site.client.status.patch(Pod, "b", MergePatch(status))

    gone, _ = await site.connect("10.244.200.1", 80)
    elsewhere, _ = await site.connect("10.244.9.9", 80)

    assert gone == b"HTTP/1.1 503 dial tcp 10.244.200.1:80: no pod has this address"
    assert b"pod default/b is on node far of another process" in elsewhere
    assert elsewhere.endswith(b"windlass control-plane --nodes")


async def test_any_other_address_is_connected_to_as_it_is(site: Site) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"outside " + await reader.readline())
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        assert (await site.connect("127.0.0.1", port, b"you\n"))[1] == b"outside you\n"
        assert (await site.connect("localhost", port, b"you\n"))[1] == b"outside you\n"
    refused, _ = await site.connect("127.0.0.1", port)

    assert refused.startswith(f"HTTP/1.1 503 dial tcp 127.0.0.1:{port}: ".encode())


async def test_what_is_no_connect_is_refused(site: Site) -> None:
    assert (await site.ask(b"GET / HTTP/1.1"))[0] == b"HTTP/1.1 405 only CONNECT"
    assert (await site.ask(b"CONNECT nowhere HTTP/1.1"))[0] == b"HTTP/1.1 405 only CONNECT"
