"""A webhook server over TLS: whom it speaks to, by which certificate, and how it ends."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson
import pytest

from widget import Widget, WidgetSpec
from windlass.api import Key, ObjectMeta
from windlass.client import Client
from windlass.errors import ConfigError, Forbidden
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.core.v1 import Namespace, Secret
from windlass.manager import Address
from windlass.pki import authority, serving_certificate
from windlass.testing import install_kinds, least_privilege
from windlass.webhook import AdmissionRequest, Verdict, WebhookOptions, WebhookServer, validating

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from windlass.cluster import Cluster
    from windlass.webhook import Place

FREE = Address("127.0.0.1", 0)
PATH = "/validate-test-windlass-dev-v1-widget"
ELLIPTIC_128, ELLIPTIC_256 = (
    f"TLS_ECDHE_ECDSA_WITH_AES_{size}" for size in ("128_GCM_SHA256", "256_GCM_SHA384")
)


@validating(Widget)
def sized(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse large ones."""
    return Verdict.deny("too large") if request.object.spec.size > 5 else Verdict.allow()


def _review(size: int = 1) -> bytes:
    wire = {"apiVersion": "test.windlass.dev/v1", "kind": "Widget", "metadata": {}, "spec": {"size": size}}
    request = {"uid": "7", "operation": "CREATE", "object": wire}
    return orjson.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})


@asynccontextmanager
async def _running(server: WebhookServer, cluster: Cluster) -> AsyncIterator[Place]:
    async with Client(cluster.transport()) as client:
        running = asyncio.create_task(server.run(client))
        opened = asyncio.create_task(server.opened())
        await asyncio.wait([running, opened], return_when=asyncio.FIRST_COMPLETED)
        if not opened.done():
            opened.cancel()
            await running
        try:
            yield opened.result()
        finally:
            running.cancel()
            await asyncio.wait([running])


@asynccontextmanager
async def _session(bundle: str, newest: ssl.TLSVersion | None = None) -> AsyncIterator[aiohttp.ClientSession]:
    context = ssl.create_default_context(cadata=bundle)
    if newest:
        context.maximum_version = newest
    connector = aiohttp.TCPConnector(ssl=context)
    async with aiohttp.ClientSession(connector=connector) as session:
        yield session


async def test_a_connection_serves_many_requests_and_what_is_none_is_told_by_its_code(
    api_server: Cluster,
) -> None:
    server = WebhookServer([sized], WebhookOptions(address=FREE, largest=2000))
    connections: list[object] = []
    tracing = aiohttp.TraceConfig()
    tracing.on_connection_create_end.append(_noting(connections))
    async with _running(server, api_server) as place, _session(place.bundle) as session:
        session.trace_configs.append(tracing)
        tracing.freeze()
        async with session.post(f"{place.url}{PATH}?timeout=5s", data=_review(6)) as answer:
            assert answer.status == 200
            assert answer.content_type == "application/json"
            assert (await answer.json())["response"]["allowed"] is False
        async with session.post(f"{place.url}{PATH}", data=_review()) as answer:
            assert (await answer.json())["response"]["allowed"] is True
        assert len(connections) == 1
        for path, body, status in ((PATH, b"{}", 400), ("/", _review(), 404), (PATH, b" " * 2001, 413)):
            async with session.post(f"{place.url}{path}", data=body) as answer:
                assert answer.status == status
        async with session.get(f"{place.url}{PATH}") as answer:
            assert answer.status == 405


def _noting(found: list[object]) -> Callable[..., Awaitable[None]]:
    async def note(*event: object) -> None:
        found.append(event)

    return note


async def test_what_has_arrived_is_answered_before_the_end_and_nothing_else_is_taken(
    api_server: Cluster,
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    @validating(Widget)
    async def slow(_request: AdmissionRequest[Widget]) -> Verdict[Widget]:
        asked.set()
        await go.wait()
        return Verdict.allow()

    server = WebhookServer([slow], WebhookOptions(address=FREE))
    async with Client(api_server.transport()) as client:
        running = asyncio.create_task(server.run(client))
        place = await server.opened()
        async with _session(place.bundle) as session:
            waiting = asyncio.create_task(_allowed(session, f"{place.url}{PATH}"))
            await asked.wait()
            running.cancel()
            with pytest.raises(aiohttp.ClientConnectorError):
                await _refused(place)
            go.set()
            assert await waiting
        await asyncio.wait([running])
        assert running.cancelled()


async def test_a_client_that_connects_and_says_nothing_does_not_hold_up_the_end(api_server: Cluster) -> None:
    server = WebhookServer([sized], WebhookOptions(address=FREE))
    async with Client(api_server.transport()) as client:
        running = asyncio.create_task(server.run(client))
        place = await server.opened()
        port = int(place.url.rpartition(":")[2])
        _, silent = await asyncio.open_connection("127.0.0.1", port)
        async with _session(place.bundle) as session:  # whoever connects later is served, so we were taken
            assert await _allowed(session, f"{place.url}{PATH}")
        running.cancel()
        async with asyncio.timeout(20):  # a handshake may take 60
            await asyncio.wait([running])
        silent.transport.abort()


async def _allowed(session: aiohttp.ClientSession, url: str) -> bool:
    async with session.post(url, data=_review()) as answer:
        return bool((await answer.json())["response"]["allowed"])


async def _refused(place: Place) -> None:
    """Connect until that is refused: a server that was told to stop does so when its task next runs."""
    while True:
        async with _session(place.bundle) as session, session.get(place.url):
            pass


async def test_older_versions_of_tls_are_refused(api_server: Cluster) -> None:
    server = WebhookServer([sized], WebhookOptions(address=FREE, min_tls_version="VersionTLS13"))
    async with _running(server, api_server) as place:
        async with _session(place.bundle) as session:
            assert await _allowed(session, f"{place.url}{PATH}")
        async with _session(place.bundle, newest=ssl.TLSVersion.TLSv1_2) as session:
            with pytest.raises(aiohttp.ClientConnectorError):
                await _allowed(session, f"{place.url}{PATH}")


async def test_other_ciphers_are_refused(api_server: Cluster) -> None:
    server = WebhookServer([sized], WebhookOptions(address=FREE, cipher_suites=(ELLIPTIC_256,)))
    async with _running(server, api_server) as place:
        port = int(place.url.rpartition(":")[2])
        context = ssl.create_default_context(cadata=place.bundle)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        assert writer.get_extra_info("cipher")[0] == "ECDHE-ECDSA-AES256-GCM-SHA384"
        writer.transport.abort()
        context.set_ciphers("ECDHE-ECDSA-AES128-GCM-SHA256")
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            await asyncio.open_connection("127.0.0.1", port, ssl=context)


async def test_a_port_that_is_taken_is_told_with_what_to_do(api_server: Cluster) -> None:
    async with _running(WebhookServer([sized], WebhookOptions(address=FREE)), api_server) as place:
        taken = Address("127.0.0.1", int(place.url.rpartition(":")[2]))
        with pytest.RaisesGroup(pytest.RaisesExc(ConfigError, match=f"cannot listen on {taken}")):
            async with _running(WebhookServer([sized], WebhookOptions(address=taken)), api_server):
                pass


async def test_mounted_certificates_are_used(api_server: Cluster, tmp_path: Path) -> None:
    ca = authority("somebody")
    pair = serving_certificate(ca, ["127.0.0.1"])
    for name, text in {"tls.crt": pair.certificate, "tls.key": pair.key, "ca.crt": ca.certificate}.items():
        (tmp_path / name).write_text(text)
    server = WebhookServer([sized], WebhookOptions(address=FREE, folder=tmp_path))
    async with _running(server, api_server) as place, _session(ca.certificate) as session:
        assert place.bundle == ca.certificate
        assert await _allowed(session, f"{place.url}{PATH}")


async def test_behind_a_service_replicas_share_a_certificate_that_the_api_server_trusts(
    api_server: Cluster,
) -> None:
    options = WebhookOptions(name="shop", address=FREE, service=Key("default", "hooks"), install=True)
    first, second = WebhookServer([sized], options), WebhookServer([sized], options)
    async with Client(api_server.transport()) as client:
        await install_kinds(client, [Widget])
        await client.create(Namespace(metadata=ObjectMeta(name="people")))
        async with _running(first, api_server) as one, _running(second, api_server) as other:
            assert one.bundle == other.bundle
            kept = await client.get(Secret, "hooks-cert", "default")
            assert kept.data["ca.crt"].decode() == one.bundle
            name = "shop-validating-webhook-configuration"
            configuration = await client.get(ValidatingWebhookConfiguration, name)
            assert configuration.webhooks[0].client_config.ca_bundle == one.bundle.encode()
            for place in (one, other):
                api_server.lead("hooks.default.svc:443", str(place.listening))
                with pytest.raises(Forbidden, match="too large"):
                    await client.create(_widget(6))
            assert first.problem() is None


async def test_it_needs_no_more_rights_than_it_says(api_server: Cluster) -> None:
    options = WebhookOptions(name="shop", address=FREE, service=Key("default", "hooks"), install=True)
    server = WebhookServer([sized], options)
    async with least_privilege(api_server, server.rules) as granted:
        running = asyncio.create_task(server.run(granted.client))
        await server.opened()
        running.cancel()
        await asyncio.wait([running])
    assert granted.missing == []


def _widget(size: int) -> Widget:
    return Widget(metadata=ObjectMeta(name="w", namespace="people"), spec=WidgetSpec(size=size))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"min_tls_version": "VersionTLS10"}, "VersionTLS12, VersionTLS13"),
        ({"cipher_suites": ("AES128-SHA",)}, "'AES128-SHA' is no cipher suite"),
        ({"service": Key("a", "b"), "url": "https://c"}, "not by both"),
        ({"secret": "kept"}, "behind a service"),
        ({"largest": 0}, "nothing would ever be read"),
    ],
)
def test_options_that_cannot_be_used_are_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        WebhookOptions(**wrong)


def test_ciphers_of_tls_1_3_may_be_named_although_they_cannot_be_chosen() -> None:
    chosen = ("TLS_AES_128_GCM_SHA256", ELLIPTIC_128)

    assert WebhookOptions(cipher_suites=chosen).cipher_suites == chosen
