"""The server on a port: who is let in, what a bad client can do, and how it ends."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from datetime import timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson
import pytest
from yarl import URL

from logged import logged
from polling import until
from windlass.cluster import Cluster, ClusterOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
MORE_THAN_SOCKETS_HOLD = 200


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[Cluster, aiohttp.ClientSession]]:
    """A cluster on a port, and a session of its administrator."""
    async with Cluster(ClusterOptions(port=0)) as cluster:
        headers = {"Authorization": f"Bearer {cluster.access.token()}"}
        connector = aiohttp.TCPConnector(ssl=trusting(cluster), limit=0)
        async with aiohttp.ClientSession(cluster.access.server, connector=connector, headers=headers) as http:
            yield cluster, http


def trusting(cluster: Cluster) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=cluster.access.ca)


def config_map(name: str, size: int = 1) -> dict[str, Any]:
    return {"metadata": {"name": name}, "data": {"key": "x" * size}}


async def test_a_certificate_names_its_user_and_groups(tmp_path: Path) -> None:
    async with serving() as (cluster, _):
        pair = cluster.access.user_certificate("jane", ["system:masters"], timedelta(hours=1))
        file = tmp_path / "jane.pem"
        file.write_text(pair.certificate + pair.key)
        context = trusting(cluster)
        context.load_cert_chain(str(file))

        async with (
            aiohttp.ClientSession(cluster.access.server, connector=aiohttp.TCPConnector(ssl=context)) as jane,
            jane.get("/api/v1/namespaces") as answer,
        ):
            assert answer.status == 200


async def test_a_certificate_of_another_authority_is_not_taken(tmp_path: Path) -> None:
    async with serving() as (cluster, _):
        pair = Cluster().access.user_certificate("jane", ["system:masters"], timedelta(hours=1))
        file = tmp_path / "jane.pem"
        file.write_text(pair.certificate + pair.key)
        context = trusting(cluster)
        context.load_cert_chain(str(file))

        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as jane:
            with pytest.raises(aiohttp.ClientError):
                await jane.get(f"{cluster.access.server}/api/v1/namespaces")


async def test_a_body_that_is_too_large_is_refused_before_it_is_read() -> None:
    async with serving() as (_, http), http.post(CONFIG_MAPS, data=BytesIO(b" " * (4 * 2**20))) as answer:
        status = await answer.json()

    assert (answer.status, status["reason"]) == (413, "RequestEntityTooLarge")


async def test_what_is_no_http_is_answered_and_harms_nobody() -> None:
    async with serving() as (cluster, http):
        port = int(cluster.access.server.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting(cluster))
        writer.write(b"nonsense\r\n\r\n")
        answer = await reader.read()
        writer.close()

        async with http.get(CONFIG_MAPS) as after:
            assert (answer[:12], after.status) == (b"HTTP/1.0 400", 200)


async def test_a_watch_that_nobody_reads_does_not_hold_up_the_others() -> None:
    watch = {"watch": "1"}
    async with (
        serving() as (_, http),
        http.get(CONFIG_MAPS, params=watch) as stuck,
        http.get(CONFIG_MAPS, params=watch) as read,
    ):
        for number in range(MORE_THAN_SOCKETS_HOLD):
            async with http.post(CONFIG_MAPS, json=config_map(f"a-{number}", 50_000)) as created:
                assert created.status == 201
        seen = [await read.content.readuntil(b"\n") for _ in range(MORE_THAN_SOCKETS_HOLD)]

        assert orjson.loads(seen[-1])["object"]["metadata"]["name"] == f"a-{MORE_THAN_SOCKETS_HOLD - 1}"
        assert stuck.status == 200


async def test_a_client_that_goes_away_leaves_no_watch_behind() -> None:
    async with serving() as (cluster, http):
        collection = cluster.server.world.store.collection("/configmaps")
        async with http.get(CONFIG_MAPS, params={"watch": "1"}):
            assert len(collection._listeners) == 1

        async def listeners() -> int:
            return len(collection._listeners)

        await until(listeners, lambda count: count == 0)


async def test_closing_ends_the_watches() -> None:
    async with Cluster(ClusterOptions(port=0)) as cluster:
        headers = {"Authorization": f"Bearer {cluster.access.token()}"}
        connector = aiohttp.TCPConnector(ssl=trusting(cluster))
        http = aiohttp.ClientSession(cluster.access.server, connector=connector, headers=headers)
        answer = await http.get(CONFIG_MAPS, params={"watch": "1"})

    async with asyncio.timeout(10):
        await asyncio.wait([asyncio.ensure_future(answer.content.read())])
    await http.close()


async def test_headers_that_come_twice_or_are_no_text_do_no_harm() -> None:
    async with serving() as (cluster, _):
        port = int(cluster.access.server.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting(cluster))
        writer.write(
            b"GET /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            b"Audit-ID: one\r\nAudit-ID: two\r\nAccept: application/json\r\nAccept: text/html\r\n"
            b"Impersonate-User: \xff\r\nAuthorization: Bearer "
            + cluster.access.token().encode()
            + b"\r\n\r\n"
        )
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()

    assert (head[:12], orjson.loads(body)["reason"]) == (b"HTTP/1.1 403", "Forbidden")
    assert b"audit-id: one\r\n" in head.lower() + b"\r\n"


async def test_parameters_that_go_cannot_read_are_passed_over() -> None:
    async with serving() as (_, http):
        for query in ("limit=%zz", "limit=x;y", "limit=1&x=%", "labelSelector=kept+in+(a)"):
            async with http.get(URL(f"{CONFIG_MAPS}?{query}", encoded=True)) as answer:
                assert answer.status == 200, query
        async with http.get(URL(f"{CONFIG_MAPS}?x=%zz&limit=x", encoded=True)) as answer:
            assert answer.status == 400


@pytest.mark.parametrize(
    "said", [b"nonsense", b"GET / HTTP/1.1\r\nHost: x\r\nBad Name: y", b"FOO / HTTP/1.1"]
)
async def test_what_is_no_request_is_answered_in_short_and_no_error_of_ours(
    said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving() as (cluster, _):
        port = int(cluster.access.server.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting(cluster))
        writer.write(said + b"\r\n\r\n")
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()

    assert (head.split()[1], body) == (b"400", b"400 Bad Request")
    assert not logged(caplog)
