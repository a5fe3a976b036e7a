"""The manager's pages over HTTP, on loopback ports."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from windlass.aio import ManualClock, SystemClock
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.errors import ConfigError
from windlass.manager import (
    Address,
    Guard,
    JournalQuery,
    ManagerOptions,
    Metrics,
    MetricsOptions,
    Probe,
    Serving,
    Site,
)
from windlass.manager.listener import _is_local
from windlass.manager.page import Ask
from windlass.pki import authority, serving_certificate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from pathlib import Path

LOOPBACK = Address("127.0.0.1", 0)
RUNS = [{"controller": "webapp", "name": "shop"}, {"controller": "webapp", "name": "blog"}]


def journal(asked: JournalQuery) -> Iterable[dict[str, Any]]:
    return [run for run in RUNS if asked.name in ("", run["name"])]


def site(guard: Guard | None = None) -> Site:
    live, ready = Probe("healthz"), Probe("readyz")
    live.add("watches", lambda: None)
    ready.add("caches", lambda: "Pod: being listed")
    return Site(live=live, ready=ready, metrics=Metrics(ManualClock()), journal=journal, guard=guard)


@dataclass
class Answer:
    status: int
    body: str
    headers: dict[str, str]


async def fetch(address: Address | None, path: str, **kwargs: Any) -> Answer:
    scheme = "https" if "ssl" in kwargs else "http"
    method = kwargs.pop("method", "GET")
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, f"{scheme}://{address}{path}", **kwargs) as response,
    ):
        return Answer(response.status, await response.text(), dict(response.headers))


@asynccontextmanager
async def serving(
    health: Address | None = LOOPBACK, metrics: MetricsOptions | None = None, guard: Guard | None = None
) -> AsyncIterator[Serving]:
    options = ManagerOptions(
        health=health, metrics=metrics or MetricsOptions(address=Address("localhost", 0))
    )
    async with Serving(options, site(guard)) as running:
        yield running


async def test_health_metrics_and_journal_are_served_where_they_belong() -> None:
    async with serving() as running:
        alive = await fetch(running.health, "/healthz")
        ready = await fetch(running.health, "/readyz?verbose")
        one = await fetch(running.health, "/healthz/watches")
        metrics = await fetch(running.metrics, "/metrics")
        elsewhere = [await fetch(running.metrics, "/healthz"), await fetch(running.health, "/metrics")]

    assert (alive.status, alive.body, one.body) == (200, "ok", "ok")
    assert (ready.status, ready.body.splitlines()[0]) == (500, "[-]caches failed: Pod: being listed")
    assert metrics.headers["Content-Type"].startswith("text/plain; version=")
    assert "# TYPE controller_runtime_reconcile_total counter" in metrics.body
    assert [each.status for each in elsewhere] == [404, 404]
    assert running.health != running.metrics


async def test_the_journal_is_json_and_can_be_asked_for_one_object() -> None:
    async with serving() as running:
        whole = await fetch(running.health, "/journal")
        shop = await fetch(running.health, "/journal?controller=webapp&namespace=&name=shop")

    assert whole.headers["Content-Type"] == "application/json"
    assert (
        whole.body == '{"runs":[{"controller":"webapp","name":"shop"},{"controller":"webapp","name":"blog"}]}'
    )
    assert shop.body == '{"runs":[{"controller":"webapp","name":"shop"}]}'


@pytest.mark.parametrize("host", ["", "127.0.0.1", "localhost", "::1"])
@pytest.mark.parametrize("name", ["localhost", "127.0.0.1:8081", "[::1]:8081", "127.1.2.3"])
async def test_the_journal_is_served_over_loopback_wherever_health_listens(host: str, name: str) -> None:
    async with serving(health=Address(host, 0)) as running:
        assert running.health is not None
        reached = Address("::1" if host == "::1" else "127.0.0.1", running.health.port)
        found = await fetch(reached, "/journal", headers={"Host": name})

    assert found.status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:8081"},  # a name that was made to lead here after its page was loaded
        {"Host": "localhost.evil.example"},
        {"Host": "10.1.2.3:8081"},
        {"Host": ""},
        {"Host": "[fe80::1]"},
        {"Host": "localhost", "X-Forwarded-For": "10.1.2.3"},
        {"Host": "localhost", "Forwarded": "for=10.1.2.3"},
    ],
)
async def test_the_journal_is_refused_to_other_sites_and_through_a_proxy(headers: dict[str, str]) -> None:
    async with serving(health=Address("", 0)) as running:
        assert running.health is not None
        reached = Address("127.0.0.1", running.health.port)
        found = await fetch(reached, "/journal", headers=headers)
        alive = await fetch(reached, "/healthz", headers=headers)

    assert (found.status, alive.status) == (403, 200)
    assert found.body.startswith("the journal is served over loopback only")
    assert "shop" not in found.body


class Connected(asyncio.Transport):
    """The server's end of a connection between two addresses."""

    def __init__(self, here: object, there: object) -> None:
        super().__init__({"sockname": here, "peername": there})


@pytest.mark.parametrize(
    ("here", "there", "local"),
    [
        (("127.0.0.1", 8081), ("127.0.0.1", 5000), True),
        (("::1", 8081, 0, 0), ("::1", 5000, 0, 0), True),
        (("::ffff:127.0.0.1", 8081, 0, 0), ("::ffff:127.0.0.1", 5000, 0, 0), True),
        (("10.0.0.7", 8081), ("10.0.0.9", 5000), False),
        (("10.0.0.7", 8081), ("127.0.0.6", 5000), False),  # as the proxy of a mesh passes on what comes in
        (("127.0.0.1", 8081), ("10.0.0.9", 5000), False),
        (("::ffff:10.0.0.7", 8081, 0, 0), ("::ffff:10.0.0.9", 5000, 0, 0), False),
        (("fe80::1%eth0", 8081, 0, 2), ("fe80::2%eth0", 5000, 0, 2), False),
        ("/run/socket", "", False),
        (None, None, False),
    ],
)
def test_a_connection_is_local_if_both_of_its_ends_are(here: object, there: object, *, local: bool) -> None:
    assert _is_local(Connected(here, there)) is local
    assert _is_local(None) is False


async def test_the_journal_is_refused_over_a_connection_that_is_not_local() -> None:
    running = Serving(ManagerOptions(health=LOOPBACK), site(None))
    page = running._health_pages()["/journal"]
    headers = {"host": "localhost"}

    remote = await page(Ask(path="/journal", headers=headers))
    local = await page(Ask(path="/journal", headers=headers, is_local=True))

    assert (remote.status, local.status) == (403, 200)


async def test_both_may_share_one_port() -> None:
    async with serving(health=LOOPBACK, metrics=MetricsOptions(address=LOOPBACK)) as running:
        answers = [await fetch(running.health, path) for path in ("/healthz", "/metrics", "/journal")]

    assert running.health == running.metrics
    assert [each.status for each in answers] == [200, 200, 200]


async def test_no_address_is_no_server() -> None:
    async with serving(health=None, metrics=MetricsOptions()) as running:
        assert (running.health, running.metrics) == (None, None)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/healthz", 405),
        ("HEAD", "/healthz", 200),
        ("GET", "/", 404),
        ("GET", "/healthz/nothing", 404),
        ("GET", "/journal/more", 404),
        ("GET", "//healthz", 404),
    ],
)
async def test_what_is_not_a_page_is_not_served(method: str, path: str, status: int) -> None:
    async with serving() as running:
        assert (await fetch(running.health, path, method=method)).status == status


async def test_a_long_page_is_packed_for_who_understands_it() -> None:
    async with serving() as running:
        packed = await fetch(running.metrics, "/metrics", headers={"Accept-Encoding": "gzip"})
        plain = await fetch(running.metrics, "/metrics", headers={"Accept-Encoding": "identity"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])


async def test_a_taken_port_is_said_and_leaves_nothing_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        other = MetricsOptions(address=Address("127.0.0.1", free.getsockname()[1]))
    async with serving(health=None) as first:
        with pytest.raises(ConfigError, match=f"cannot listen on {first.metrics}: .*choose another address"):
            async with serving(health=first.metrics, metrics=other):
                pass
        async with serving(health=None, metrics=other) as second:
            assert (await fetch(second.metrics, "/metrics")).status == 200


async def test_a_closed_server_answers_nobody() -> None:
    async with serving() as running:
        await fetch(running.health, "/healthz")
    with pytest.raises(aiohttp.ClientConnectorError):
        await fetch(running.health, "/healthz")


def test_secured_metrics_without_a_guard_cannot_be_built() -> None:
    options = ManagerOptions(metrics=MetricsOptions(address=LOOPBACK, secure=True))

    with pytest.raises(ValueError, match="need a guard"):
        Serving(options, site())


async def test_secured_metrics_ask_for_a_token_and_health_beside_them_does_not() -> None:
    metrics = MetricsOptions(address=LOOPBACK, secure=True)
    async with Cluster() as cluster:
        guard = Guard(Client(cluster.transport()), SystemClock())
        bearer = {"Authorization": f"Bearer {cluster.access.token()}"}
        async with serving(health=LOOPBACK, metrics=metrics, guard=guard) as running:
            allowed = await fetch(running.metrics, "/metrics", headers=bearer, ssl=False)
            nobody = await fetch(running.metrics, "/metrics", ssl=False)
            health = await fetch(running.health, "/healthz", ssl=False)

    assert (allowed.status, nobody.status, health.status) == (200, 401, 200)
    assert "# TYPE" in allowed.body
    assert "# TYPE" not in nobody.body


@pytest.mark.parametrize("health", [LOOPBACK, Address("localhost", 0)], ids=["shared", "apart"])
async def test_where_metrics_are_secured_the_journal_is_beside_them_and_as_secure(health: Address) -> None:
    metrics = MetricsOptions(address=LOOPBACK, secure=True)
    async with Cluster() as cluster:
        guard = Guard(Client(cluster.transport()), SystemClock())
        bearer = {"Authorization": f"Bearer {cluster.access.token()}"}
        async with serving(health=health, metrics=metrics, guard=guard) as running:
            allowed = await fetch(running.metrics, "/journal?name=shop", headers=bearer, ssl=False)
            nobody = await fetch(running.metrics, "/journal", ssl=False)
            plain = {} if running.health != running.metrics else {"ssl": False}
            beside_health = await fetch(running.health, "/journal", **plain)

    assert allowed.body == '{"runs":[{"controller":"webapp","name":"shop"}]}'
    assert (nobody.status, beside_health.status) == (401, 401 if plain else 404)
    assert "shop" not in nobody.body + beside_health.body


async def test_a_given_certificate_is_used_and_a_new_one_taken_up_while_running(tmp_path: Path) -> None:
    old, new = authority("old"), authority("new")
    write_certificate(tmp_path, old)
    metrics = MetricsOptions(address=LOOPBACK, secure=True, certificate=tmp_path)
    async with Cluster() as cluster:
        guard = Guard(Client(cluster.transport()), SystemClock())
        async with serving(health=None, metrics=metrics, guard=guard) as running:
            trusted = await fetch(running.metrics, "/metrics", ssl=trusting(old))
            write_certificate(tmp_path, new)
            renewed = await fetch(running.metrics, "/metrics", ssl=trusting(new))
            (tmp_path / "tls.crt").write_text("half written")
            kept = await fetch(running.metrics, "/metrics", ssl=trusting(new))

    assert [each.status for each in (trusted, renewed, kept)] == [401, 401, 401]


async def test_a_certificate_that_is_not_there_is_said_at_the_start(tmp_path: Path) -> None:
    metrics = MetricsOptions(address=LOOPBACK, secure=True, certificate=tmp_path)
    async with Cluster() as cluster:
        guard = Guard(Client(cluster.transport()), SystemClock())
        with pytest.raises(ConfigError, match=r"metrics cannot be secured by tls\.crt and tls\.key in"):
            async with serving(metrics=metrics, guard=guard):
                pass


def write_certificate(folder: Path, signer: Any) -> None:
    pair = serving_certificate(signer, ["127.0.0.1"])
    (folder / "tls.crt").write_text(pair.certificate)
    (folder / "tls.key").write_text(pair.key)


def trusting(signer: Any) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=signer.certificate)
