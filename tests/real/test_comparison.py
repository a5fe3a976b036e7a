"""What the page on testing kits says of each is what is seen of it."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson
import pytest

import oracle
from polling import until
from probes import DEFINITION, NAMESPACE, PROBES, Target
from windlass.client import Request
from windlass.cluster import Cluster
from windlass.testing.operator import transport_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Transport
    from windlass.testing import Access

PAGE = Path(__file__).parents[2] / "docs" / "design" / "testing-kits.md"
COLUMNS = ("fake client", "kmock", "envtest", "Windlass")
_ROW = re.compile(r"^\| (.+?) \| (yes|no) \| (yes|no) \| (yes|no) \| (yes|no) \|$", re.MULTILINE)


def said(column: str) -> dict[str, bool]:
    """What the page says of a kit, by the claim."""
    return {row[0]: row[1 + COLUMNS.index(column)] == "yes" for row in _ROW.findall(PAGE.read_text())}


def claims(seen: dict[str, bool]) -> dict[str, bool]:
    """What was seen, by the claim."""
    return {(PROBES[name].__doc__ or "").rstrip("."): answer for name, answer in seen.items()}


class Served(Target):
    """A server that a transport leads to."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def call(
        self, method: str, path: str, body: Any = None, form: str = "application/json"
    ) -> tuple[int, Any]:
        where, _, query = path.partition("?")
        pairs = tuple(tuple(each.split("=", 1)) for each in query.split("&")) if query else ()
        request = Request(
            method=method,
            path=where,
            query=tuple((name, value.replace("%3D", "=").replace("%2F", "/")) for name, value in pairs),
            headers={"Content-Type": form, "Accept": "application/json"},
            body=b"" if body is None else orjson.dumps(body),
        )
        response = await self._transport.send(request)
        return response.status, orjson.loads(response.body)


class Mocked(Target):
    """A server at a URL."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self._url = url.rstrip("/")

    async def call(
        self, method: str, path: str, body: Any = None, form: str = "application/json"
    ) -> tuple[int, Any]:
        data = None if body is None else orjson.dumps(body)
        headers = {"Content-Type": form}
        async with self._session.request(method, self._url + path, data=data, headers=headers) as response:
            text = await response.read()
            is_json = response.content_type == "application/json"
            return response.status, orjson.loads(text) if is_json and text else {}


@asynccontextmanager
async def _prepared(transport: Transport) -> AsyncIterator[Target]:
    target = Served(transport)
    try:
        namespace = {"metadata": {"name": NAMESPACE}}
        assert (await target.call("POST", "/api/v1/namespaces", namespace))[0] == 201
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        assert (await target.call("POST", path, DEFINITION))[0] == 201
        served = Request(method="GET", path="/apis/compare.example.com/v1")
        await until(lambda: transport.send(served), lambda answer: answer.status == 200, patience=30)
        yield target
        await target.call("DELETE", f"{path}/probes.compare.example.com")
        await target.call("DELETE", f"/api/v1/namespaces/{NAMESPACE}")
    finally:
        await transport.close()


async def _asked(target: Target) -> dict[str, bool]:
    return {name: await probe(target) for name, probe in PROBES.items()}


async def test_the_fake_client_of_controller_runtime_is_as_the_page_says(tmp_path: Path) -> None:
    program = await asyncio.to_thread(oracle.build, tmp_path, oracle.SOURCE / "fake")
    process = await asyncio.create_subprocess_exec(program, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()

    assert claims(orjson.loads(out)) == said("fake client")


async def test_kmock_is_as_the_page_says() -> None:
    kmock = pytest.importorskip("kmock", reason="kmock is not installed; `make test-real` does")
    async with (
        kmock.KubernetesEmulator() as emulator,
        kmock.Server(emulator),
        aiohttp.ClientSession() as session,
    ):
        for kind in ("v1/configmaps", "v1/secrets", "apps/v1/deployments", "compare.example.com/v1/probes"):
            emulator.resources[kind] = {}
        assert claims(await _asked(Mocked(session, str(emulator.url)))) == said("kmock")


async def test_envtest_is_as_the_page_says(control_plane: Access) -> None:
    """It is etcd and kube-apiserver, as this control plane is."""
    async with _prepared(transport_to(control_plane)) as target:
        assert claims(await _asked(target)) == said("envtest")


async def test_windlass_is_as_the_page_says() -> None:
    async with Cluster() as cluster, _prepared(cluster.transport()) as target:
        assert claims(await _asked(target)) == said("Windlass")
