"""Webhooks of a process on a laptop, which replace those of the cluster while it runs."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from polling import until
from versioned import GROUP, SHOPS
from windlass.aio import SystemClock
from windlass.api import Key
from windlass.cache import Cache
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.errors import ConfigError, NotFound
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap
from windlass.pki import authority
from windlass.testing import install_kinds
from windlass.webhook import (
    AdmissionRequest,
    Place,
    Targets,
    Verdict,
    conversion_clause,
    install_webhooks,
    reclaim,
    replaced_urls,
    restore_webhooks,
    validating,
)
from windlass.webhook.inject import Injector
from windlass.webhook.takeover import REPLACED, diverted, give_back, take_over

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

DEFINITION = f"shops.{GROUP}"
CONFIGURATION = "shop-validating-webhook-configuration"
LAPTOP_CA, CLUSTER_CA, NEXT_CA = (authority(name).certificate for name in ("laptop", "cluster", "next"))
LAPTOP = Place(name="shop", url="https://127.0.0.1:9443", bundle=LAPTOP_CA)
OTHER = replace(LAPTOP, url="https://127.0.0.1:9444")
DEPLOYED = Place(name="shop", service=Key("shop-system", "shop-webhook-service"), bundle=CLUSTER_CA)


@validating(ConfigMap)
def judged(_request: AdmissionRequest[ConfigMap]) -> Verdict[ConfigMap]:
    return Verdict.allow()


PARTS = (judged, SHOPS)


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """An administrator of a server that has the definition, converted by nothing."""
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await install_kinds(client, SHOPS.versions.values())
        yield client


async def conversion(client: Client) -> Any:
    return (await client.get(CustomResourceDefinition, DEFINITION)).to_wire()["spec"].get("conversion")


async def webhooks(client: Client) -> Any:
    return (await client.get(ValidatingWebhookConfiguration, CONFIGURATION)).to_wire()["webhooks"]


async def place(client: Client) -> list[str]:
    """Where the definition and the configuration lead: a URL, or the name of a service."""
    hook = next(each for each in await webhooks(client) if each["name"] == judged.name)
    configs = [(await conversion(client))["webhook"]["clientConfig"], hook["clientConfig"]]
    return [each.get("url") or each["service"]["name"] for each in configs]


async def test_what_a_process_replaces_is_put_back_when_it_ends(client: Client) -> None:
    await install_webhooks(client, PARTS, DEPLOYED)
    before = await conversion(client), await webhooks(client)

    await take_over(client, PARTS, LAPTOP)
    assert await place(client) == [f"{LAPTOP.url}{part.path}" for part in (SHOPS, judged)]
    assert (await conversion(client))["webhook"]["clientConfig"]["caBundle"] != before[0]["webhook"][
        "clientConfig"
    ]["caBundle"]

    await give_back(client, PARTS, LAPTOP)
    assert (await conversion(client), await webhooks(client)) == before
    definition = await client.get(CustomResourceDefinition, DEFINITION)
    assert REPLACED not in definition.metadata.annotations


async def test_what_was_not_there_is_gone_when_the_process_ends(client: Client) -> None:
    await take_over(client, PARTS, LAPTOP)

    await give_back(client, PARTS, LAPTOP)

    assert await conversion(client) == {"strategy": "None"}
    with pytest.raises(NotFound):
        await client.get(ValidatingWebhookConfiguration, CONFIGURATION)


async def test_a_process_that_follows_a_killed_one_puts_back_what_that_replaced(client: Client) -> None:
    await install_webhooks(client, PARTS, DEPLOYED)
    await take_over(client, PARTS, OTHER)  # and is killed

    await take_over(client, PARTS, LAPTOP)
    await give_back(client, PARTS, LAPTOP)

    assert await place(client) == ["shop-webhook-service", "shop-webhook-service"]


async def test_what_is_installed_meanwhile_is_replaced_again_and_then_put_back(client: Client) -> None:
    await take_over(client, PARTS, LAPTOP)
    document = (await client.get(CustomResourceDefinition, DEFINITION)).to_wire()
    installed = {
        "apiVersion": document["apiVersion"],
        "kind": document["kind"],
        "metadata": {"name": DEFINITION},
        "spec": {**document["spec"], "conversion": conversion_clause(SHOPS, DEPLOYED)},
    }

    await reclaim(client, CustomResourceDefinition, installed)
    await client.apply(CustomResourceDefinition.from_wire(installed), force=True)
    await take_over(client, PARTS, LAPTOP)
    assert (await place(client))[0].startswith(LAPTOP.url)
    await give_back(client, PARTS, LAPTOP)

    assert (await conversion(client))["webhook"]["clientConfig"]["service"]["name"] == "shop-webhook-service"


async def test_a_url_that_another_manager_wrote_makes_room_for_a_service_and_the_reverse(
    client: Client,
) -> None:
    by_hand = {"spec": {"conversion": conversion_clause(SHOPS, LAPTOP)}}
    await client.patch(CustomResourceDefinition, DEFINITION, MergePatch(by_hand))
    document = (await client.get(CustomResourceDefinition, DEFINITION)).to_wire()
    for wanted, found in ((DEPLOYED, "service"), (LAPTOP, "url")):
        installed = {**document, "metadata": {"name": DEFINITION}}
        installed["spec"] = {**document["spec"], "conversion": conversion_clause(SHOPS, wanted)}

        await reclaim(client, CustomResourceDefinition, installed)
        await client.apply(CustomResourceDefinition.from_wire(installed), force=True)

        config = (await conversion(client))["webhook"]["clientConfig"]
        assert {"url", "service"} & set(config) == {found}


async def test_a_process_leaves_what_leads_to_another_by_now(client: Client) -> None:
    await take_over(client, PARTS, LAPTOP)
    await take_over(client, PARTS, OTHER)

    await give_back(client, PARTS, LAPTOP)

    assert await replaced_urls(client, PARTS, LAPTOP) == [OTHER.url]


async def test_what_a_killed_process_left_is_restored_and_named(client: Client) -> None:
    await install_webhooks(client, PARTS, DEPLOYED)
    await take_over(client, PARTS, LAPTOP)

    assert await restore_webhooks(client, PARTS, DEPLOYED) == [LAPTOP.url]

    assert await place(client) == ["shop-webhook-service", "shop-webhook-service"]
    assert await restore_webhooks(client, PARTS, DEPLOYED) == []


async def test_what_leads_to_a_process_is_named_to_the_one_who_deploys(client: Client) -> None:
    await install_webhooks(client, PARTS, DEPLOYED)
    assert await diverted(client, PARTS, DEPLOYED) == ""

    await take_over(client, PARTS, LAPTOP)

    told = await diverted(client, PARTS, DEPLOYED)
    assert told.startswith(f"ValidatingWebhookConfiguration {CONFIGURATION} leads to {LAPTOP.url}")


async def test_the_definition_of_a_converted_kind_has_to_be_there(client: Client) -> None:
    await client.delete(CustomResourceDefinition, DEFINITION)

    with pytest.raises(NotFound):
        await take_over(client, PARTS, LAPTOP)
    await give_back(client, PARTS, LAPTOP)


async def test_the_operator_in_the_cluster_leaves_the_authority_of_the_process(client: Client) -> None:
    await install_webhooks(client, PARTS, DEPLOYED)

    async def newest() -> str:
        return NEXT_CA

    targets = Targets(validating=(CONFIGURATION,), definitions=(DEFINITION,))
    injector = Injector(targets, newest, clock=SystemClock(), random=Random(1))
    cache = Cache(client)
    async with asyncio.TaskGroup() as group:
        running = [group.create_task(cache.run()), group.create_task(injector.run(client, cache))]
        injector.use(NEXT_CA)
        await until(lambda: bundle_is(client, NEXT_CA))

        await take_over(client, PARTS, LAPTOP)
        await until(lambda: knows_no_target(injector))
        assert await bundle_is(client, LAPTOP_CA)

        await give_back(client, PARTS, LAPTOP)
        await until(lambda: bundle_is(client, NEXT_CA))
        for each in running:
            each.cancel()


async def knows_no_target(injector: Injector) -> bool:
    return injector.since(NEXT_CA) is None


async def bundle_is(client: Client, text: str) -> bool:
    found = (await conversion(client))["webhook"]["clientConfig"].get("caBundle")
    return bool(found == base64.b64encode(text.encode()).decode())


async def test_the_annotations_of_cert_manager_are_taken_away_and_put_back(client: Client) -> None:
    note = {"cert-manager.io/inject-ca-from": "shop-system/shop-serving-cert"}
    await client.patch(CustomResourceDefinition, DEFINITION, MergePatch({"metadata": {"annotations": note}}))

    await take_over(client, (SHOPS,), LAPTOP)
    taken = (await client.get(CustomResourceDefinition, DEFINITION)).metadata.annotations
    await give_back(client, (SHOPS,), LAPTOP)

    assert set(taken) == {REPLACED}
    assert json.loads(taken[REPLACED])["annotations"] == note
    assert (await client.get(CustomResourceDefinition, DEFINITION)).metadata.annotations == note


async def test_a_second_process_waits_until_the_first_has_ended(client: Client) -> None:
    await install_webhooks(client, PARTS, DEPLOYED)
    async with await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0) as first:
        port = first.sockets[0].getsockname()[1]
        running = replace(LAPTOP, url=f"https://127.0.0.1:{port}")
        await take_over(client, PARTS, running)

        with pytest.raises(ConfigError, match=f"leads to https://127.0.0.1:{port}.* another process listens"):
            await take_over(client, PARTS, OTHER)
        assert (await place(client))[0].startswith(running.url)

    await give_back(client, PARTS, running)
    await take_over(client, PARTS, OTHER)
    assert (await place(client))[0].startswith(OTHER.url)


async def test_a_port_whose_number_begins_like_another_is_another_place(client: Client) -> None:
    await take_over(client, PARTS, LAPTOP)

    await give_back(client, PARTS, replace(LAPTOP, url="https://127.0.0.1:944"))

    assert await replaced_urls(client, PARTS, LAPTOP) == [LAPTOP.url]
