"""A webhook server without HTTP."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import orjson
import pytest
from typing_extensions import override

from polling import until
from versioned import SHOPS
from widget import Widget
from windlass.api import Key
from windlass.client import Client
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.manager import Address, Manager, ManagerOptions, WebhookSettings
from windlass.testing import RecordingTransport, install_kinds
from windlass.webhook import (
    AdmissionRequest,
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
    from windlass.cluster import Cluster
    from windlass.webhook import Answering

PATH = "/validate-test-windlass-dev-v1-widget"
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
        name = "shop-validating-webhook-configuration"
        moved = await client.get(ValidatingWebhookConfiguration, name)
        assert moved.webhooks[0].client_config.url == f"https://moved.test{PATH}"


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
