"""The proof that the API server calls the webhooks of an operator."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from versioned import GROUP, SHOPS, BetaShop, Shop
from windlass.api import LabelSelector, ObjectMeta, Resource
from windlass.apiserver.outside import Answer
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.codegen import sample
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.testing import install_kinds
from windlass.webhook import (
    AdmissionRequest,
    HookOptions,
    Place,
    Verdict,
    Verification,
    WebhookServer,
    conversion_clause,
    install_webhooks,
    mutating,
    samples_by_kind,
    validating,
)
from windlass.webhook.takeover import take_over

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json
    from windlass.webhook import Part

PLACE = Place(name="shop", url="https://webhooks.test")


class Cart(Resource, group="cart.example.com", version="v1"):
    pass


def allow(_request: AdmissionRequest[Any]) -> Verdict[Any]:
    return Verdict.allow()


def deny(_request: AdmissionRequest[Any]) -> Verdict[Any]:
    return Verdict.deny("never")


def fail(_request: AdmissionRequest[Any]) -> Verdict[Any]:
    raise RuntimeError("a fault")


@asynccontextmanager
async def served(*parts: Part, place: Place = PLACE) -> AsyncIterator[tuple[Client, WebhookServer]]:
    """A server that calls these parts, and the administrator of it."""
    server = WebhookServer(parts)
    async with Cluster() as cluster:

        async def handle(path: str, body: bytes) -> Answer:
            page = await server.answer(path, body)
            return Answer(page.status, page.body, page.content_type)

        cluster.lead("webhooks.test:443", handle)
        client = Client(cluster.transport())
        await install_kinds(client, [Cart, *SHOPS.versions.values()])
        await install_webhooks(client, parts, place)
        yield client, server


def shop(version: str, **spec: Any) -> Json:
    return {"apiVersion": f"{GROUP}/{version}", "kind": "Shop", "metadata": {"name": "a"}, "spec": spec}


SAMPLES = (
    sample(Cart),
    shop("v1beta1", host="here", replicas=2),
    shop("v1alpha1", address="here"),
)


def verification(client: Client, server: WebhookServer) -> Verification:
    return Verification(client, server.parts, PLACE, samples_by_kind(SAMPLES), "default")


@pytest.mark.parametrize("judge", [allow, deny])
async def test_a_webhook_that_answers_is_verified_whatever_it_says(judge: Any) -> None:
    hooks = mutating(Cart)(allow), validating(Cart)(judge)
    async with served(*hooks) as (client, server):
        found = verification(client, server)

        assert await found.missing() == ""

        assert found.verified == {each.name for each in hooks}
        assert found.unverified == {}
        assert (await client.list(Cart)).items == []


@pytest.mark.parametrize("failure", ["Fail", "Ignore"])
async def test_a_webhook_that_the_server_cannot_call_is_named(failure: Any) -> None:
    hook = validating(Cart, options=HookOptions(failure=failure))(allow)
    elsewhere = Place(name="shop", url="https://nowhere.test")
    async with served(hook, place=elsewhere) as (client, server):
        found = Verification(client, server.parts, elsewhere, samples_by_kind([sample(Cart)]), "default")

        told = await found.missing()

    assert hook.name in told
    assert "not call" in told or "does not answer" in told
    assert found.verified == frozenset()


async def test_a_webhook_that_fails_is_not_verified() -> None:
    async with served(validating(Cart)(fail)) as (client, server):
        found = verification(client, server)

        assert "does not answer the API server" in await found.missing()
        assert found.verified == frozenset()


async def test_a_conversion_is_verified_by_an_object_of_each_old_version() -> None:
    async with served(SHOPS) as (client, server):
        found = verification(client, server)

        assert await found.missing() == ""

    assert {each for each in found.verified if each.startswith("conversion of ")} == {
        f"conversion of Shop.{GROUP}/{version}" for version in ("v1alpha1", "v1beta1")
    }


async def test_a_conversion_that_fails_is_named() -> None:
    async with served(SHOPS) as (client, server):
        clause = conversion_clause(SHOPS, replace(PLACE, url=f"{PLACE.url}/nowhere"))
        change = MergePatch({"spec": {"conversion": clause}})
        await client.patch(CustomResourceDefinition, f"shops.{GROUP}", change)
        found = verification(client, server)

        assert "conversion of Shop.shops.windlass.dev/v1beta1 fails" in await found.missing()


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        (validating(Cart, verbs=("delete",)), "it is called for delete only"),
        (validating(Cart, verbs=("update",)), "it is called for updates only, and there is no Cart"),
        (
            validating(Cart, options=HookOptions(objects=LabelSelector(match_labels={"a": "b"}))),
            "its conditions or selectors leave out the sample",
        ),
        (validating(Cart, options=HookOptions(subresource="scale")), "it is about the subresource scale"),
        (validating(Shop), "there is no sample of Shop"),
    ],
)
async def test_what_no_dry_run_reaches_is_listed_with_the_reason(declared: Any, why: str) -> None:
    hook = declared(allow)
    async with served(hook) as (client, server):
        found = verification(client, server)

        assert await found.missing() == ""

    assert list(found.unverified) == [hook.name]
    assert found.unverified[hook.name].startswith(why)
    assert found.verified == frozenset()


async def test_a_webhook_for_updates_is_verified_by_an_object_that_exists() -> None:
    hook = validating(Cart, verbs=("update",))(allow)
    async with served(hook) as (client, server):
        made = await client.create(Cart(metadata=ObjectMeta(name="a", namespace="default")))
        found = verification(client, server)

        assert await found.missing() == ""

        again = await client.get(Cart, "a", "default")
        assert again.metadata.resource_version == made.metadata.resource_version
    assert found.verified == {hook.name}


async def test_webhooks_that_lead_to_a_process_on_a_laptop_are_not_verified() -> None:
    hook = validating(Cart)(allow)
    async with served(hook) as (client, server):
        await take_over(client, [hook], Place(name="shop", url="https://127.0.0.1:9443"))
        found = Verification(client, server.parts, PLACE, samples_by_kind([sample(Cart)]), "default")

        assert "leads to https://127.0.0.1:9443" in await found.missing()


async def test_people_are_not_told_what_the_verifier_is_told() -> None:
    told: list[str] = []
    async with served(validating(BetaShop)(allow), SHOPS) as (client, _):
        heard = replace(client.options, on_warning=lambda _request, text: told.append(text))
        person = Client(client.transport, heard).using(dry_run=True)
        await person.create(
            BetaShop.from_wire({**SAMPLES[1], "metadata": {"name": "a", "namespace": "default"}})
        )
    assert told == []
