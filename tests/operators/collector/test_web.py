"""Charts over a real network: files by HTTP, and charts from an OCI registry by `helm pull`."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from chart_archives import chart_archive, repository
from windlass.errors import ChartError
from windlass.operators.collector.source import Credentials, HttpWeb, Sources, Wanted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    Answer = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

LOGIN = "Basic YW5uOnNlY3JldA=="
ANN = Credentials(username="ann", password="secret")


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """A server on a port of its own; its host and port."""
    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_a_repository_serves_over_http() -> None:
    files: dict[str, bytes] = {}

    async def answer(request: web.BaseRequest) -> web.Response:
        if request.headers.get("Authorization") != LOGIN:
            return web.Response(status=401)
        return web.Response(body=files[request.path])

    async with answering(answer) as address:
        base = f"http://{address}"
        made = repository(base, {("shop", "1.0.0"): chart_archive("shop", "1.0.0")})
        files |= {url.removeprefix(base): content for url, content in made.items()}
        found = await Sources().fetch(Wanted(name="shop", origin=base, credentials=ANN))
        with pytest.raises(ChartError, match=r"answered 401.*secretRef"):
            await Sources().fetch(Wanted(name="shop", origin=base))

    assert found.version == "1.0.0"


async def test_credentials_do_not_follow_a_redirect_elsewhere() -> None:
    seen: list[str | None] = []

    async def elsewhere(request: web.BaseRequest) -> web.Response:
        seen.append(request.headers.get("Authorization"))
        return web.Response(body=b"found")

    async with answering(elsewhere) as target:

        async def answer(request: web.BaseRequest) -> web.Response:
            seen.append(request.headers.get("Authorization"))
            raise web.HTTPFound(f"http://{target}/")

        async with answering(answer) as address:
            content = await HttpWeb().get(f"http://{address}/a.tgz", ANN.headers())

    assert content == b"found"
    assert seen == [LOGIN, None]


async def test_what_is_too_large_is_not_read_to_its_end() -> None:
    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        piece = bytes(2**20)
        try:
            for _ in range(200):
                await response.write(piece)
        except ConnectionError:
            pass  # as it should be
        return response

    async with answering(answer) as address:
        with pytest.raises(ChartError, match="larger than 64 MiB"):
            await HttpWeb().get(f"http://{address}/", {})


async def test_where_nobody_answers_that_is_said() -> None:
    async def answer(_: web.BaseRequest) -> web.Response:
        return web.Response()

    async with answering(answer) as address:
        gone = f"http://{address}/index.yaml"

    with pytest.raises(ChartError, match="cannot be fetched"):
        await HttpWeb().get(gone, {})


class Registry:
    """As much of an OCI registry as `helm pull` needs."""

    def __init__(self, versions: list[str], *, login: str = "") -> None:
        self._login = login
        self._blobs: dict[str, bytes] = {}
        self._manifests: dict[str, bytes] = {}
        for version in versions:
            self._add(version)

    def _add(self, version: str) -> None:
        kind = "application/vnd.cncf.helm"
        config = json.dumps({"name": "shop", "version": version, "apiVersion": "v2"}).encode()
        manifest = {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": self._blob(config, f"{kind}.config.v1+json"),
            "layers": [self._blob(chart_archive("shop", version), f"{kind}.chart.content.v1.tar+gzip")],
        }
        content = json.dumps(manifest).encode()
        self._manifests[version] = self._manifests[_digest(content)] = content

    def _blob(self, content: bytes, kind: str) -> dict[str, object]:
        self._blobs[_digest(content)] = content
        return {"mediaType": kind, "digest": _digest(content), "size": len(content)}

    async def __call__(self, request: web.BaseRequest) -> web.Response:
        if self._login and request.headers.get("Authorization") != self._login:
            return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="shop"'})
        last = request.path.rpartition("/")[2]
        if request.path == "/v2/":
            return web.Response()
        if request.path.endswith("/tags/list"):
            tags = [each for each in self._manifests if ":" not in each]
            return web.json_response({"name": "charts/shop", "tags": tags})
        if "/manifests/" in request.path and last in self._manifests:
            content = self._manifests[last]
            headers = {"Docker-Content-Digest": _digest(content)}
            kind = "application/vnd.oci.image.manifest.v1+json"
            return web.Response(body=content, content_type=kind, headers=headers)
        if "/blobs/" in request.path and last in self._blobs:
            return web.Response(body=self._blobs[last], content_type="application/octet-stream")
        return web.Response(status=404)


def _digest(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()}"


@pytest.mark.parametrize(("version", "found"), [("", "1.1.0"), ("~1.0", "1.0.2"), ("1.0.0", "1.0.0")])
async def test_a_registry_gives_the_highest_version_that_fits(helm: Path, version: str, found: str) -> None:
    registry = Registry(["1.0.0", "1.0.2", "1.1.0", "2.0.0-rc.1"], login=LOGIN)
    async with answering(registry) as address:
        wanted = Wanted(name="shop", origin=f"oci://{address}/charts", version=version, credentials=ANN)
        chart = await Sources(plain_http=True).fetch(wanted)

    assert (chart.name, chart.version) == ("shop", found)


async def test_a_registry_that_refuses_is_quoted(helm: Path) -> None:
    async with answering(Registry(["1.0.0"], login=LOGIN)) as address:
        with pytest.raises(ChartError, match=r"oci://.* cannot be pulled: "):
            await Sources(plain_http=True).fetch(Wanted(name="shop", origin=f"oci://{address}/charts"))
