"""A webhook server without HTTP."""

from __future__ import annotations

import asyncio
import base64
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson
import pytest
from typing_extensions import override

from polling import soon, until
from versioned import SHOPS
from widget import Widget
from windlass.api import Key, LabelSelector
from windlass.client import NO_RETRY, Client, ClientOptions, JsonPatch
from windlass.errors import ConfigError, Conflict
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.manager import Address, Manager, ManagerOptions, WebhookSettings
from windlass.pki import authority
from windlass.reconcile import Context, Reconciler, Result
from windlass.testing import FaultyTransport, RecordingTransport, install_kinds
from windlass.webhook import (
    AdmissionRequest,
    HookOptions,
    Place,
    Verdict,
    Way,
    WebhookOptions,
    WebhookServer,
    install_webhooks,
    validating,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from windlass.aio import ManualClock
    from windlass.client import Request, Response
    from windlass.cluster import Cluster
    from windlass.webhook import Answering

PATH = "/validate-test-windlass-dev-v1-widget"
CONFIGURATION = "shop-validating-webhook-configuration"
CA_OLD, CA_NEW = (authority(name).certificate for name in ("old", "new"))
PLACE = Place(name="shop", url="https://shop.test")


@validating(Widget)
def sized(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse large ones, and fail for those that have no size at all."""
    if request.object.spec.size == 0:
        raise RuntimeError("no size")
    return Verdict.allow() if request.object.spec.size < 5 else Verdict.deny("too large")


class Here(Way):
    """A way that nobody comes."""

    @override
    @asynccontextmanager
    async def open(self, answer: Answering, client: Client) -> AsyncIterator[Place]:
        yield PLACE


def _review(size: int) -> bytes:
    wire = {"apiVersion": "test.windlass.dev/v1", "kind": "Widget", "metadata": {}, "spec": {"size": size}}
    request = {"uid": "7", "operation": "CREATE", "object": wire}
    return orjson.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})


async def test_a_review_is_answered_at_the_path_of_its_webhook() -> None:
    page = await WebhookServer([sized]).answer(PATH, _review(9))

    assert page.status == 200
    assert page.content_type == "application/json"
    assert orjson.loads(page.body)["response"]["status"]["message"] == "too large"


async def test_a_conversion_is_answered_at_its_path() -> None:
    page = await WebhookServer([SHOPS]).answer("/convert-shops", b'{"kind": "ConversionReview"}')

    assert page.status == 400
    assert b"a ConversionReview has a `request`" in page.body


def test_a_server_that_converts_reads_whole_lists_unless_it_is_told_otherwise() -> None:
    judging, converting = WebhookServer([sized]).options.largest, WebhookServer([SHOPS]).options.largest

    assert (judging, converting) == (7 * 2**20, 256 * 2**20)
    assert WebhookServer([SHOPS], WebhookOptions(largest=9)).options.largest == 9


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/elsewhere", _review(1), 404), (PATH, b"[", 400), (PATH, b"{}", 400), (PATH, _review(0), 500)],
)
async def test_what_is_no_question_is_told_by_its_code(path: str, body: bytes, status: int) -> None:
    assert (await WebhookServer([sized]).answer(path, body)).status == status


async def test_a_function_that_raises_is_logged_once_and_tells_others_no_more_than_its_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = await WebhookServer([sized]).answer(PATH, _review(0))

    assert page.body == f"{PATH} failed: RuntimeError\n".encode()
    assert [each.message for each in caplog.records] == ["A webhook failed"]


def test_two_of_one_name_or_one_path_are_refused() -> None:
    same = validating(Widget, path="/other")(sized.judge)
    beside = validating(Widget, name="other.widgets.windlass.dev")(sized.judge)

    with pytest.raises(
        ValueError, match=r"two webhooks are called validate-v1\.widgets\.test\.windlass\.dev"
    ):
        WebhookServer([sized, same])
    with pytest.raises(ValueError, match=f"two webhooks are at {PATH}"):
        WebhookServer([sized, beside])


async def test_it_is_ready_once_it_is_reached_and_installed(api_server: Cluster) -> None:
    async with Client(api_server.transport()) as client:
        server = WebhookServer([sized])
        server.reach_by(Here())
        assert server.problem() == "it does not run yet"
        running = asyncio.create_task(server.run(client))
        assert await server.opened() == PLACE
        assert server.problem() is None
        running.cancel()
        await asyncio.wait([running])
        assert server.problem() == "it has been stopped"


class Blocked(Way):
    """A way that is closed."""

    @override
    def open(self, answer: Answering, client: Client) -> AbstractAsyncContextManager[Place]:
        raise ConfigError("the port is taken")


async def test_who_waits_for_a_run_that_failed_is_told_of_the_next_one(api_server: Cluster) -> None:
    async with Client(api_server.transport()) as client:
        server = WebhookServer([sized])
        waiting = asyncio.create_task(server.opened())
        await asyncio.sleep(0)
        server.reach_by(Blocked())
        with pytest.raises(ConfigError):
            await server.run(client)
        server.reach_by(Here())
        running = asyncio.create_task(server.run(client))
        assert await waiting == PLACE
        running.cancel()
        await asyncio.wait([running])


async def test_configurations_that_cannot_be_applied_are_tried_again_and_readiness_says_why(
    api_server: Cluster, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with Client(api_server.transport()) as client:
        manager = Manager(client, ManagerOptions(name="shop"), clock=clock)
        server = WebhookServer([SHOPS], WebhookOptions(install=True))
        server.add_to(manager)
        server.reach_by(Here())
        server.options = replace(server.options, install=True)
        running = asyncio.create_task(server.run(client))
        await until(_told(caplog))
        assert "not found" in str(server.problem())
        await install_kinds(client, server.kinds)
        await clock.advance(timedelta(seconds=5))
        await server.opened()
        assert server.problem() is None
        running.cancel()
        await asyncio.wait([running])


class Looking(Reconciler[Widget]):
    """Does nothing."""

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        return Result.ready()


async def test_a_process_that_serves_webhooks_stays_ready_though_its_watch_is_stale(
    api_server: Cluster, clock: ManualClock
) -> None:
    async with Client(api_server.transport()) as client:
        await install_kinds(client, [Widget])
    faulty = FaultyTransport(api_server.transport())
    options = ManagerOptions(name="shop", health=Address("127.0.0.1", 0))
    manager = Manager(Client(faulty, ClientOptions(retry=NO_RETRY)), options, clock=clock)
    manager.add(Looking())
    server = WebhookServer([sized])
    server.add_to(manager)
    server.reach_by(Here())
    running = asyncio.create_task(manager.run())
    await server.opened()
    await soon(lambda: manager.cache.informers[0].is_synced)
    faulty.partition()
    await clock.advance(timedelta(minutes=10))

    url = f"http://{manager.serving.health}/readyz?verbose"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        told = await answer.text()
    faulty.heal()
    running.cancel()
    await asyncio.wait([running])

    assert "[+]caches ok: stale: Widget: no word for 6" in told
    assert told.endswith("[+]webhooks ok\nreadyz check passed\n")


def _told(caplog: pytest.LogCaptureFixture) -> Callable[[], Awaitable[bool]]:
    async def told() -> bool:
        return bool(caplog.records)

    return told


async def test_what_is_installed_already_is_not_written_again(api_server: Cluster) -> None:
    sent = RecordingTransport(api_server.transport())
    async with Client(sent) as client:
        await install_kinds(client, [*WebhookServer([SHOPS]).kinds, Widget])
        await install_webhooks(client, [sized, SHOPS], PLACE)
        before = len(sent.requests)
        await install_webhooks(client, [sized, SHOPS], PLACE)
        assert {each.method for each in sent.requests[before:]} == {"GET"}

        await install_webhooks(client, [sized, SHOPS], replace(PLACE, url="https://moved.test"))
        moved = await client.get(ValidatingWebhookConfiguration, CONFIGURATION)
        urls = {each.client_config.url for each in moved.webhooks}
        assert urls == {f"https://moved.test{path}" for path in (PATH, *(each.path for each in SHOPS.guards))}


async def test_a_webhook_that_comes_between_two_others_is_written_once(api_server: Cluster) -> None:
    sent = RecordingTransport(api_server.transport())
    hooks = [
        validating(Widget, name=f"{each}.w.windlass.dev", path=f"/{each}")(sized.judge) for each in "acb"
    ]
    async with Client(sent) as client:
        await install_webhooks(client, hooks[:2], PLACE)
        await install_webhooks(client, hooks, PLACE)
        before = len(sent.requests)
        await install_webhooks(client, hooks, PLACE)
        assert {each.method for each in sent.requests[before:]} == {"GET"}


async def test_what_the_operator_no_longer_says_goes_away(api_server: Cluster) -> None:
    limited = HookOptions(conditions={"never": "false"}, objects=LabelSelector(match_labels={"a": "b"}))
    async with Client(api_server.transport()) as client:
        await install_webhooks(client, [validating(Widget, options=limited)(sized.judge)], PLACE)
        await install_webhooks(client, [sized], PLACE)
        (hook,) = (await client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks
        assert hook.match_conditions == []
        assert hook.object_selector == LabelSelector()


async def test_a_bundle_that_somebody_keeps_fresh_is_not_put_back(api_server: Cluster) -> None:
    old, new = replace(PLACE, bundle=CA_OLD, kept=True), replace(PLACE, bundle=CA_NEW, kept=True)
    async with Client(api_server.transport()) as client:
        await install_webhooks(client, [sized], new)
        changed = validating(Widget, verbs=("create",))(sized.judge)
        await install_webhooks(client, [changed], old)
        (hook,) = (await client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks
        assert hook.rules[0].operations == ["CREATE"]
        assert hook.client_config.ca_bundle == CA_NEW.encode()


async def test_the_bundle_of_a_definition_that_somebody_keeps_fresh_is_not_put_back(
    api_server: Cluster,
) -> None:
    old, new = replace(PLACE, bundle=CA_OLD, kept=True), replace(PLACE, bundle=CA_NEW, kept=True)
    async with Client(api_server.transport()) as client:
        await install_kinds(client, WebhookServer([SHOPS]).kinds)
        await install_webhooks(client, [SHOPS], new)
        await install_webhooks(client, [replace(SHOPS, path="/moved")], old)
        kind = SHOPS.hub.__kind__
        definition = await client.get(CustomResourceDefinition, f"{kind.plural}.{kind.group}")
        config = definition.to_wire()["spec"]["conversion"]["webhook"]["clientConfig"]
        assert config["url"] == "https://shop.test/moved"
        assert base64.b64decode(config["caBundle"]) == CA_NEW.encode()


class Renewing(RecordingTransport):
    """Has another replica write a newer bundle just before the first write."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster.transport())
        self._other = Client(cluster.transport())

    @override
    async def send(self, request: Request) -> Response:
        if request.method == "PATCH" and not any(each.method == "PATCH" for each in self.requests):
            self.requests.append(request)
            bundle = base64.b64encode(CA_NEW.encode()).decode()
            newer = JsonPatch([{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": bundle}])
            await self._other.patch(ValidatingWebhookConfiguration, CONFIGURATION, newer)
        return await super().send(request)


async def test_a_bundle_that_is_renewed_at_the_same_moment_is_not_put_back(api_server: Cluster) -> None:
    old = replace(PLACE, bundle=CA_OLD, kept=True)
    changed = validating(Widget, verbs=("create",))(sized.judge)
    async with Client(api_server.transport()) as client, Client(Renewing(api_server)) as late:
        await install_webhooks(client, [sized], old)
        with pytest.raises(Conflict):
            await install_webhooks(late, [changed], old)
        (hook,) = (await client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks
        assert hook.client_config.ca_bundle == CA_NEW.encode()


async def test_what_is_installed_is_kept_against_whoever_deletes_or_changes_it(api_server: Cluster) -> None:
    async with Client(api_server.transport()) as client:
        server = WebhookServer([sized])
        server.reach_by(Here())
        server.options = replace(server.options, install=True)
        running = asyncio.create_task(server.run(client))
        await server.opened()
        made = await client.get(ValidatingWebhookConfiguration, CONFIGURATION)
        await client.delete(ValidatingWebhookConfiguration, CONFIGURATION)
        again = await until(_uid(client), lambda uid: uid not in ("", made.metadata.uid))
        assert again
        lenient = JsonPatch([{"op": "replace", "path": "/webhooks/0/failurePolicy", "value": "Ignore"}])
        await client.patch(ValidatingWebhookConfiguration, CONFIGURATION, lenient)
        await until(_policy(client), lambda policy: policy == "Fail")
        running.cancel()
        await asyncio.wait([running])


def _uid(client: Client) -> Callable[[], Awaitable[str]]:
    async def uid() -> str:
        found = await client.list(ValidatingWebhookConfiguration)
        return next((each.metadata.uid or "" for each in found), "")

    return uid


def _policy(client: Client) -> Callable[[], Awaitable[str | None]]:
    async def policy() -> str | None:
        return (await client.get(ValidatingWebhookConfiguration, CONFIGURATION)).webhooks[0].failure_policy

    return policy


def test_the_flags_of_the_manager_go_before_what_the_operator_says(tmp_path: Path) -> None:
    options = WebhookOptions(service=Key("shop", "hooks"))
    said = ManagerOptions(
        name="shop",
        webhooks=WebhookSettings(
            address=Address("", 1234), certificate=tmp_path, url="https://laptop:1234", install=True
        ),
    )

    chosen = options.under(said)

    assert (chosen.name, chosen.service, chosen.url) == ("shop", None, "https://laptop:1234")
    assert (chosen.address, chosen.folder, chosen.install) == (Address("", 1234), tmp_path, True)
    assert options.under(ManagerOptions(name="shop")) == replace(options, name="shop")


def test_it_asks_for_no_rights_unless_it_installs() -> None:
    assert WebhookServer([sized, SHOPS]).rules == ()
    rules = WebhookServer([sized, SHOPS], WebhookOptions(install=True)).rules
    assert [each.resources for each in rules] == [
        ("validatingwebhookconfigurations",),
        ("customresourcedefinitions",),
    ]


@pytest.mark.parametrize(
    ("own", "said", "service"),
    [
        (WebhookOptions(), WebhookSettings(), None),
        (WebhookOptions(), WebhookSettings(namespace="till"), Key("till", "shop-webhook-service")),
        (WebhookOptions(), WebhookSettings(namespace="till", url="https://here"), None),
        (WebhookOptions(url="https://here"), WebhookSettings(namespace="till"), None),
        (WebhookOptions(service=Key("a", "b")), WebhookSettings(namespace="till"), Key("a", "b")),
        (WebhookOptions(service=Key("a", "b")), WebhookSettings(service=Key("c", "d")), Key("c", "d")),
        (WebhookOptions(url="https://here"), WebhookSettings(service=Key("c", "d")), Key("c", "d")),
    ],
)
def test_in_a_pod_webhooks_are_behind_the_generated_service_unless_another_place_is_stated(
    own: WebhookOptions, said: WebhookSettings, service: Key | None
) -> None:
    chosen = own.under(ManagerOptions(name="shop", webhooks=said))

    assert chosen.service == service
    assert not (chosen.service and chosen.url)
