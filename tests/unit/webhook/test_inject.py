from __future__ import annotations

import asyncio
import base64
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from caching import turns
from keeping import Way, bundles, configuration
from windlass.aio import ManualClock
from windlass.cache import Cache
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.kinds.admissionregistration.v1 import (
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
)
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.pki import authority
from windlass.webhook import Targets
from windlass.webhook.inject import Injector, injection

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

OLD, NEW = authority("old").certificate, authority("new").certificate
SECOND = timedelta(seconds=1)
SHOP = Targets(validating=("shop",))


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def definition(conversion: dict[str, Any] | None) -> CustomResourceDefinition:
    version = {"served": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    spec = {
        "group": "shop.example.com",
        "names": {"kind": "Shop", "plural": "shops"},
        "scope": "Namespaced",
        "versions": [{"name": "v1", "storage": True, **version}, {"name": "v2", "storage": False, **version}],
        **({"conversion": conversion} if conversion else {}),
    }
    return CustomResourceDefinition.from_wire({"metadata": {"name": "shops.shop.example.com"}, "spec": spec})


BY_WEBHOOK = {
    "strategy": "Webhook",
    "webhook": {
        "clientConfig": {"service": {"name": "hooks", "namespace": "default"}},
        "conversionReviewVersions": ["v1"],
    },
}


def test_only_what_differs_is_changed() -> None:
    half = configuration("shop", hooks=2).to_wire()
    half["webhooks"][0]["clientConfig"]["caBundle"] = encoded(NEW)

    assert injection(half, NEW) == [
        {"op": "add", "path": "/webhooks/1/clientConfig/caBundle", "value": encoded(NEW)}
    ]


def test_a_definition_that_no_webhook_converts_is_left_alone() -> None:
    assert injection(definition(None).to_wire(), NEW) == []
    assert injection(definition({"strategy": "None"}).to_wire(), NEW) == []


class Injected:
    """An API server, and an injector that reaches it on a way of its own."""

    def __init__(self, cluster: Cluster) -> None:
        self.client = Client(cluster.transport())
        self.way = Way(cluster.transport())
        self.newest = NEW
        self.before_answer: Callable[[], Awaitable[None]] = turns
        self.clock = ManualClock()

    @asynccontextmanager
    async def running(self, targets: Targets, bundle: str = NEW) -> AsyncIterator[Injector]:
        injector = Injector(targets, self.ask, clock=self.clock, random=Random(1))
        injector.use(bundle)
        cache = Cache(Client(self.way), clock=self.clock, random=Random(1))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(cache.run()), group.create_task(injector.run(Client(self.way), cache))]
            await turns(300)
            yield injector
            for task in tasks:
                task.cancel()

    async def ask(self) -> str:
        await self.before_answer()
        return self.newest

    async def trusted(self) -> list[str]:
        await turns(300)
        return bundles(await self.client.get(ValidatingWebhookConfiguration, "shop"))

    @property
    def writes(self) -> int:
        return sum(request.method == "PATCH" for request in self.way.requests)


@pytest.fixture
async def injected() -> AsyncIterator[Injected]:
    async with Cluster() as cluster:
        yield Injected(cluster)


async def test_every_webhook_of_every_target_gets_the_bundle_in_one_write_each(injected: Injected) -> None:
    await injected.client.create(configuration("shop", hooks=3))
    await injected.client.create(configuration("shop", MutatingWebhookConfiguration))
    await injected.client.create(definition(BY_WEBHOOK))
    targets = Targets(validating=("shop",), mutating=("shop",), definitions=("shops.shop.example.com",))

    async with injected.running(targets):
        assert await injected.trusted() == [NEW] * 3
        assert bundles(await injected.client.get(MutatingWebhookConfiguration, "shop")) == [NEW]
        converted = await injected.client.get(CustomResourceDefinition, "shops.shop.example.com")

    config = converted.to_wire()["spec"]["conversion"]["webhook"]["clientConfig"]
    assert config["caBundle"] == encoded(NEW)
    assert injected.writes == 3


async def test_what_has_the_bundle_already_is_not_written(injected: Injected) -> None:
    await injected.client.create(configuration("shop", caBundle=encoded(NEW)))

    async with injected.running(SHOP):
        assert await injected.trusted() == [NEW]

    assert injected.writes == 0


async def test_a_configuration_that_comes_later_gets_the_bundle(injected: Injected) -> None:
    async with injected.running(SHOP):
        await injected.client.create(configuration("shop"))

        assert await injected.trusted() == [NEW]


async def test_a_configuration_that_is_applied_again_without_it_gets_the_bundle_again(
    injected: Injected,
) -> None:
    await injected.client.create(configuration("shop"))
    async with injected.running(SHOP):
        assert await injected.trusted() == [NEW]

        changed = configuration("shop", hooks=2, caBundle=encoded(OLD)).to_wire()
        await injected.client.patch(
            ValidatingWebhookConfiguration, "shop", MergePatch({"webhooks": changed["webhooks"]})
        )

        assert await injected.trusted() == [NEW] * 2


async def test_a_new_bundle_takes_the_place_of_the_old_one(injected: Injected) -> None:
    await injected.client.create(configuration("shop"))
    async with injected.running(SHOP, OLD) as injector:
        injected.newest = OLD + NEW
        injector.use(OLD + NEW)

        assert await injected.trusted() == [OLD + NEW]


async def test_one_who_lags_does_not_put_an_older_bundle_in_the_place_of_a_newer(injected: Injected) -> None:
    await injected.client.create(configuration("shop", caBundle=encoded(NEW)))

    async with injected.running(SHOP, OLD):  # what it last saw, while NEW is what there is
        assert await injected.trusted() == [NEW]

    assert injected.writes == 0


async def test_a_configuration_that_changes_between_the_look_and_the_write_is_read_again(
    injected: Injected,
) -> None:
    await injected.client.create(configuration("shop"))

    async def meddle() -> None:
        injected.before_answer = turns
        await injected.client.patch(
            ValidatingWebhookConfiguration, "shop", MergePatch({"metadata": {"labels": {"a": "b"}}})
        )

    injected.before_answer = meddle
    async with injected.running(SHOP):
        assert await injected.trusted() == [NEW]

    assert injected.writes == 2


async def test_since_when_all_have_it_is_known(injected: Injected) -> None:
    clock = injected.clock
    await injected.client.create(configuration("shop"))
    injected.way.lost = ("PATCH",)
    both = Targets(validating=("shop", "later"))
    async with injected.running(both) as injector:
        assert injector.since(NEW) == clock.now()
        assert injector.problems

        injected.way.lost = ()
        for _ in range(5):
            await clock.advance(SECOND)
            await turns()
        placed = injector.since(NEW)
        assert placed is not None
        assert placed <= clock.now()

        await clock.advance(10 * SECOND)
        assert injector.since(NEW) == placed < clock.now()
        assert injector.since(OLD) == clock.now()


async def test_where_nothing_holds_a_bundle_nothing_is_waited_for(injected: Injected) -> None:
    async with injected.running(SHOP) as injector:
        assert injector.since(NEW) is None
