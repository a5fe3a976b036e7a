"""Charts over a real network: files by HTTP, and charts from an OCI registry."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from chart_archives import answering, chart_archive, repository
from chart_registry import Registry
from polling import until
from windlass.errors import ChartError, ChartRefusedError
from windlass.helm.source import Credentials, HttpWeb, SourcePolicy, Sources, Wanted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LOGIN = "Basic YW5uOnNlY3JldA=="
ANN = Credentials(username="ann", password="secret")
LOCAL = SourcePolicy(allow_http=True, allowed_addresses=("127.0.0.0/8",))
UNVERIFIED = replace(LOCAL, allow_without_digest=True)


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
        found = await Sources().fetch(Wanted(name="shop", origin=base, credentials=ANN, policy=LOCAL))
        with pytest.raises(ChartError, match=r"answered 401.*secretRef"):
            await Sources().fetch(Wanted(name="shop", origin=base, policy=LOCAL))

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
            found = await HttpWeb().get(f"http://{address}/a.tgz", ANN.headers(), LOCAL)

    assert found.body == b"found"
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
        with pytest.raises(ChartError, match="an answer of more than 2 MiB"):
            await HttpWeb().get(f"http://{address}/", {}, LOCAL)
        archive = Wanted(name="", origin=f"http://{address}/shop.tgz", policy=UNVERIFIED)
        with pytest.raises(ChartError, match="is larger than 16 MiB"):
            await Sources().fetch(archive)


async def test_where_nobody_answers_that_is_said() -> None:
    async def answer(_: web.BaseRequest) -> web.Response:
        return web.Response()

    async with answering(answer) as address:
        gone = f"http://{address}/index.yaml"

    with pytest.raises(ChartError, match="cannot be fetched"):
        await HttpWeb().get(gone, {}, LOCAL)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]"]
)
async def test_no_spelling_of_an_inner_address_is_connected_to(host: str) -> None:
    asked: list[str] = []

    async def answer(request: web.BaseRequest) -> web.Response:
        asked.append(request.path)
        return web.Response(body=b"crown jewels")

    async with answering(answer) as address:
        port = address.rpartition(":")[2]
        with pytest.raises(ChartError, match="is not a public"):
            await HttpWeb().get(f"http://{host}:{port}/", {}, SourcePolicy(allow_http=True))

    assert asked == []


async def test_a_redirect_to_an_address_that_is_refused_is_not_followed() -> None:
    asked: list[str] = []

    async def inside(request: web.BaseRequest) -> web.Response:
        asked.append(request.path)
        return web.Response(body=b"crown jewels")

    async with answering(inside) as target:
        port = target.rpartition(":")[2]

        async def answer(_: web.BaseRequest) -> web.Response:
            raise web.HTTPFound(f"http://127.0.0.2:{port}/latest/meta-data")

        async with answering(answer) as address:
            only = SourcePolicy(allow_http=True, allowed_addresses=("127.0.0.1",))
            with pytest.raises(ChartRefusedError, match=r"127\.0\.0\.2 is refused"):
                await HttpWeb().get(f"http://{address}/a.tgz", {}, only)

    assert asked == []


async def test_a_redirect_to_plain_http_is_not_followed() -> None:
    async def answer(_: web.BaseRequest) -> web.Response:
        raise web.HTTPFound("ftp://charts.example.com/")

    async with answering(answer) as address:
        with pytest.raises(ChartRefusedError, match="charts are fetched from https"):
            await HttpWeb().get(f"http://{address}/", {}, LOCAL)


async def test_redirects_come_to_an_end() -> None:
    async def answer(_: web.BaseRequest) -> web.Response:
        raise web.HTTPFound("/again")

    async with answering(answer) as address:
        with pytest.raises(ChartError, match="more than 10 times"):
            await HttpWeb().get(f"http://{address}/", {}, LOCAL)


@asynccontextmanager
async def hanging(asked: list[str]) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """A server that sends one byte of each answer, and the rest once it may; `asked` has the paths."""
    go_on = asyncio.Event()

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        asked.append(request.path)
        response = web.StreamResponse()
        await response.prepare(request)
        if request.path != "/quick":
            await response.write(b"-")
            await go_on.wait()
        return response

    async with answering(answer) as address:
        try:
            yield address, go_on
        finally:
            go_on.set()


SOON = timedelta(milliseconds=200)


async def test_a_chart_whose_index_never_ends_is_given_up() -> None:
    async with hanging([]) as (address, _):
        wanted = Wanted(name="shop", origin=f"http://{address}", policy=LOCAL)
        with pytest.raises(ChartError, match=r"^http://127\.0\.0\.1:\d+ cannot be fetched within 0\.2 s: "):
            await Sources(time_limit=SOON).fetch(wanted)


async def test_the_time_of_a_fetch_is_also_that_of_its_archive_and_of_redirects() -> None:
    asked: list[str] = []
    files: dict[str, bytes] = {}
    async with hanging(asked) as (target, _):

        async def answer(request: web.BaseRequest) -> web.Response:
            if request.path == "/index.yaml":
                return web.Response(body=files[request.path])
            raise web.HTTPFound(f"http://{target}{request.path}")

        async with answering(answer) as address:
            base = f"http://{address}"
            made = repository(base, {("shop", "1.0.0"): chart_archive("shop", "1.0.0")})
            files |= {url.removeprefix(base): content for url, content in made.items()}
            with pytest.raises(ChartError, match="cannot be fetched within"):
                await Sources(time_limit=SOON).fetch(Wanted(name="shop", origin=base, policy=LOCAL))

    assert asked == ["/shop-1.0.0.tgz"]


async def test_a_host_is_asked_for_four_files_at_once_and_others_do_not_wait_for_it() -> None:
    asked: list[str] = []

    async def are_asked(number: int) -> bool:
        return len(asked) == number

    async with hanging(asked) as (address, go_on), asyncio.TaskGroup() as group:
        files = HttpWeb()
        gets = [group.create_task(files.get(f"http://{address}/{each}", {}, LOCAL)) for each in range(6)]
        await until(lambda: are_asked(4))
        other = f"http://localhost:{address.rpartition(':')[2]}/quick"
        assert (await files.get(other, {}, LOCAL)).body == b""
        assert len(asked) == 5

        go_on.set()
        assert [(await each).body for each in gets] == [b"-"] * 6


async def test_the_wait_for_a_host_counts_and_ends_with_the_time_of_a_fetch() -> None:
    asked: list[str] = []

    async def are_asked(number: int) -> bool:
        return len(asked) == number

    async with hanging(asked) as (address, go_on), asyncio.TaskGroup() as group:
        files = HttpWeb()
        sources = Sources(web=files, time_limit=SOON)
        wanted = Wanted(name="shop", origin=f"http://{address}", policy=LOCAL)
        gets = [group.create_task(files.get(f"http://{address}/{each}", {}, LOCAL)) for each in range(4)]
        await until(lambda: are_asked(4))
        with pytest.raises(ChartError, match=r"within 0\.2 s.*too many charts are fetched from it at once"):
            await sources.fetch(wanted)
        assert len(asked) == 4

        go_on.set()
        await asyncio.wait(gets)
        with pytest.raises(ChartError, match="its index"):
            await sources.fetch(wanted)


def pulled(address: str, version: str = "", credentials: Credentials | None = None, **more: str) -> Wanted:
    origin = f"oci://{address}/charts"
    return Wanted(name="shop", origin=origin, version=version, credentials=credentials, policy=LOCAL, **more)


@pytest.mark.parametrize("token", ["", "t0ken"])
@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("", "1.1.0+b.1"),
        ("~1.0", "1.0.2"),
        ("1.0.0", "1.0.0"),
        ("^1", "1.1.0+b.1"),
        ("1.1.0+a.1", "1.1.0+a.1"),
    ],
)
async def test_a_registry_gives_the_highest_version_that_fits(version: str, found: str, token: str) -> None:
    versions = ["1.0.0", "1.0.2", "1.1.0+a.1", "1.1.0+b.1", "2.0.0-rc.1"]
    registry = Registry(versions, login=LOGIN, token=token)
    async with answering(registry) as address:
        chart = await Sources(plain_http=True).fetch(pulled(address, version, ANN))

    assert (chart.name, chart.version) == ("shop", found)


async def test_a_registry_that_refuses_is_quoted() -> None:
    async with answering(Registry(["1.0.0"], login=LOGIN)) as address:
        with pytest.raises(ChartError, match=r"oci://.* cannot be pulled: .*wants credentials"):
            await Sources(plain_http=True).fetch(pulled(address))


async def test_a_registry_gives_no_other_chart_than_the_digest_says() -> None:
    registry = Registry(["1.0.0"])
    archive = sha256(chart_archive("shop", "1.0.0")).hexdigest()
    async with answering(registry) as address:
        for digest in (archive, registry.digest_of("1.0.0")):
            found = await Sources(plain_http=True).fetch(pulled(address, digest=digest))
            assert found.version == "1.0.0"
        with pytest.raises(ChartError, match=f"neither is {'0' * 64}"):
            await Sources(plain_http=True).fetch(pulled(address, digest="0" * 64))
        registry.replace(archive, chart_archive("shop", "1.0.0", {"evil.yaml": "a: b"}))
        with pytest.raises(ChartError, match="changed or damaged"):
            await Sources(plain_http=True).fetch(pulled(address))


@asynccontextmanager
async def tokens_elsewhere(sent: list[str | None], *, anonymous: bool) -> AsyncIterator[str]:
    """A registry of `shop` 1.0.0 whose tokens another host gives; `sent` has the credentials that it got."""

    async def give(request: web.BaseRequest) -> web.Response:
        login = request.headers.get("Authorization")
        sent.append(login)
        return web.json_response({"token": "t0ken"}) if login or anonymous else web.Response(status=401)

    async with answering(give) as giver:
        registry = Registry(["1.0.0"], login=LOGIN, token="t0ken")

        async def answer(request: web.BaseRequest) -> web.Response:
            found = await registry(request)
            if found.status == 401:
                found.headers["WWW-Authenticate"] = f'Bearer realm="http://{giver}/token"'
            return found

        async with answering(answer) as address:
            yield address


async def test_credentials_are_not_sent_to_another_host_that_a_registry_names_for_its_tokens() -> None:
    sent: list[str | None] = []
    async with tokens_elsewhere(sent, anonymous=False) as address:
        with pytest.raises(ChartError, match=r"gave no token \(401\); the credentials .*\(tokenHosts\)$"):
            await Sources(plain_http=True).fetch(pulled(address, "1.0.0", ANN))
    async with tokens_elsewhere(sent, anonymous=True) as address:
        assert (await Sources(plain_http=True).fetch(pulled(address, "1.0.0", ANN))).version == "1.0.0"

    assert sent == [None, None]


@pytest.mark.parametrize("host", ["127.0.0.1", "*"])
async def test_credentials_are_sent_to_a_host_for_tokens_that_the_configuration_names(host: str) -> None:
    sent: list[str | None] = []
    async with tokens_elsewhere(sent, anonymous=False) as address:
        trusting = replace(LOCAL, token_hosts=(host,))
        wanted = replace(pulled(address, "1.0.0", ANN), policy=trusting)
        assert (await Sources(plain_http=True).fetch(wanted)).version == "1.0.0"

    assert sent == [LOGIN]


async def test_credentials_for_tokens_do_not_follow_a_redirect() -> None:
    seen: list[str | None] = []

    async def elsewhere(request: web.BaseRequest) -> web.Response:
        seen.append(request.headers.get("Authorization"))
        return web.Response(status=403)

    async with answering(elsewhere) as target:

        async def answer(request: web.BaseRequest) -> web.Response:
            if request.path == "/token":
                raise web.HTTPFound(f"http://{target}/token")
            asks = f'Bearer realm="http://{request.host}/token"'
            return web.Response(status=401, headers={"WWW-Authenticate": asks})

        async with answering(answer) as address:
            with pytest.raises(ChartError, match=r"gave no token \(403\)"):
                await Sources(plain_http=True).fetch(pulled(address, "1.0.0", ANN))

    assert seen == [None]


async def test_a_registry_at_an_inner_address_is_refused() -> None:
    async with answering(Registry(["1.0.0"])) as address:
        for policy in (SourcePolicy(), SourcePolicy(allow_http=True)):
            wanted = Wanted(name="shop", origin=f"oci://{address}/charts", policy=policy)
            with pytest.raises(ChartRefusedError):
                await Sources(plain_http=True).fetch(wanted)
