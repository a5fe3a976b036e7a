"""A kind in three versions on the embedded server, in this process and over TLS, and on the real one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from booking import Booking, BookingSpec
from polling import until
from versioned import (
    ALPHA,
    BETA,
    GROUP,
    SHOPS,
    AlphaShop,
    AlphaSpec,
    BetaPort,
    BetaShop,
    BetaSpec,
    Limits,
    Port,
    Shop,
    ShopSpec,
    from_beta,
)
from windlass.api import ObjectMeta
from windlass.client import MergePatch, WatchOptions
from windlass.errors import ApiError, Invalid
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.testing import Starter
from windlass.tools import find_kubectl
from windlass.webhook import Conversion, WebhookServer, defaulting, validation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from windlass.manager import Manager
    from windlass.testing import Trial

DEFINITION = f"shops.{GROUP}"


def add_bookings(manager: Manager) -> None:
    WebhookServer([defaulting(Booking), validation(Booking)]).add_to(manager)


def shops(standing: Starter, conversion: Conversion[Shop] = SHOPS) -> AbstractAsyncContextManager[Trial]:
    """The operator, whose conversions are in effect."""
    return standing(WebhookServer([conversion]).add_to)


def rich(name: str = "a") -> Shop:
    spec = ShopSpec(
        host="here",
        limits=Limits(least=2, most=5),
        strategy="Recreate",
        ports=[Port(name="web", number=80, protocol="h"), Port(name="ops", number=81)],
    )
    return Shop(metadata=ObjectMeta(name=name, labels={"is": name}), spec=spec)


async def test_an_object_is_read_listed_and_watched_in_every_version(standing: Starter) -> None:
    async with shops(standing) as trial:
        client = trial.client
        await client.create(rich())
        await client.create(BetaShop(metadata=ObjectMeta(name="b"), spec=BetaSpec(host="there", replicas=4)))
        await client.create(AlphaShop(metadata=ObjectMeta(name="c"), spec=AlphaSpec(address="where")))

        assert (await client.get(BetaShop, "a")).spec.replicas == 2
        assert (await client.get(AlphaShop, "b")).spec.address == "there"
        assert (await client.get(Shop, "b")).spec.limits == Limits(least=4, most=4)
        listed = {each.metadata.name: each.spec.address async for each in _all(trial, AlphaShop)}
        assert {name: listed.get(name) for name in "abc"} == {"a": "here", "b": "there", "c": "where"}
        watch = client.watch(BetaShop, trial.namespace, options=WatchOptions(initial_events=True))
        async with asyncio.timeout(20), aclosing(watch):
            seen: dict[str, int] = {}
            async for event in watch:
                if event.type == "ADDED":
                    seen[event.object.metadata.name] = event.object.spec.replicas
                if seen.keys() >= {"a", "b", "c"}:
                    break
        assert {name: seen[name] for name in "abc"} == {"a": 2, "b": 4, "c": 1}


async def _all(trial: Trial, kind: Any) -> AsyncIterator[Any]:
    for each in (await trial.client.list(kind, trial.namespace)).items:
        yield each


async def test_a_patch_of_an_old_version_takes_nothing_from_the_new_one(standing: Starter) -> None:
    async with shops(standing) as trial:
        await trial.client.create(rich())

        await trial.client.patch(BetaShop, "a", MergePatch({"spec": {"host": "there"}}))

        found = await trial.client.get(Shop, "a")
        assert found.spec.host == "there"
        assert found.spec.model_copy(update={"host": "here"}) == rich().spec
        assert not found.metadata.annotations


async def test_an_apply_of_an_old_version_decides_about_what_it_says(standing: Starter) -> None:
    async with shops(standing) as trial:
        await trial.client.create(rich())
        wanted = BetaSpec(host="here", replicas=7, ports=[BetaPort(name="web", number=8080)])

        await trial.client.apply(BetaShop(metadata=ObjectMeta(name="a"), spec=wanted), force=True)

        found = (await trial.client.get(Shop, "a")).spec
        assert found.limits == Limits(least=7, most=7)
        assert found.strategy == "Recreate"
        assert [(each.name, each.number, each.protocol) for each in found.ports] == [
            ("web", 8080, "h"),
            ("ops", 81, ""),
        ]


async def test_an_old_client_that_drops_annotations_brings_nothing_back(standing: Starter) -> None:
    async with shops(standing) as trial:
        await trial.client.create(rich())
        shown = await trial.client.get(BetaShop, "a")
        shown.metadata.annotations = {}

        await trial.client.update(shown)

        found = (await trial.client.get(Shop, "a")).spec
        assert (found.strategy, found.limits) == ("Rolling", Limits(least=2, most=2))


async def test_what_is_stored_in_a_version_stays_readable_when_another_is_stored(standing: Starter) -> None:
    async with shops(standing) as trial:
        client = trial.client
        await client.create(rich())

        await _store(trial, "v1beta1")
        await until(lambda: _stored_as(trial, "v1beta1"), patience=30)

        assert (await client.get(Shop, "a")).spec == rich().spec
        assert (await client.get(AlphaShop, "a")).spec.address == "here"
        await client.patch(Shop, "a", MergePatch({"metadata": {"labels": {"moved": "yes"}}}))
        assert (await client.get(Shop, "a")).spec == rich().spec
        await client.patch(BetaShop, "a", MergePatch({"spec": {"replicas": 9}}))
        found = (await client.get(Shop, "a")).spec
        assert (found.limits, found.strategy) == (Limits(least=9, most=9), "Recreate")
        await client.delete(Shop, "a")
        await _store(trial, "v1")


async def _store(trial: Trial, version: str) -> None:
    definition = (await trial.client.get(CustomResourceDefinition, DEFINITION)).to_wire()
    versions = deepcopy(definition["spec"]["versions"])
    for each in versions:
        each["storage"] = each["name"] == version
    await trial.client.patch(
        CustomResourceDefinition, DEFINITION, MergePatch({"spec": {"versions": versions}})
    )


async def _stored_as(trial: Trial, version: str) -> bool:
    """Whether the definition says that objects may be stored so."""
    definition = await trial.client.get(CustomResourceDefinition, DEFINITION)
    return version in definition.status.stored_versions


async def test_a_function_that_refuses_is_heard_by_whoever_asked(standing: Starter) -> None:
    def refused(shop: BetaShop) -> Shop:
        if shop.spec.host == "gone":
            raise ValueError("it has moved")
        return from_beta(shop)

    async with shops(standing, replace(SHOPS, spokes=(replace(BETA, to_hub=refused), ALPHA))) as trial:
        with pytest.raises(ApiError) as heard:
            await trial.client.create(BetaShop(metadata=ObjectMeta(name="b"), spec=BetaSpec(host="gone")))

    told = f'Shop.{GROUP} "b" is invalid: it cannot be converted to {GROUP}/v1: it has moved'
    assert told in str(heard.value)


async def test_an_annotation_that_somebody_made_up_is_none(standing: Starter) -> None:
    async with shops(standing) as trial:
        made_up = BetaShop(metadata=ObjectMeta(name="b"), spec=BetaSpec(host="here"))
        made_up.metadata.annotations = {"windlass.dev/kept-v1": "nonsense"}

        await trial.client.create(made_up)

        assert (await trial.client.get(Shop, "b")).metadata.annotations == {}


@pytest.mark.parametrize("server", ["port", "control_plane"])
async def test_kubectl_gets_each_version(server: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(server)
    access = getattr(found, "access", found)
    async with shops(Starter(access)) as trial:
        await trial.client.create(rich())
        said = {}
        for version, path in {"v1": "limits.least", "v1beta1": "replicas", "v1alpha1": "address"}.items():
            process = await asyncio.create_subprocess_exec(
                find_kubectl(),
                f"--kubeconfig={access.kubeconfig}",
                f"--namespace={trial.namespace}",
                *("get", f"shops.{version}.{GROUP}", "a", "-o", f"jsonpath={{.apiVersion}} {{.spec.{path}}}"),
                stdout=asyncio.subprocess.PIPE,
            )
            out, _ = await process.communicate()
            said[version] = out.decode()
        assert said == {
            "v1": f"{GROUP}/v1 2",
            "v1beta1": f"{GROUP}/v1beta1 2",
            "v1alpha1": f"{GROUP}/v1alpha1 here",
        }


async def test_what_a_type_says_beyond_its_schema_is_said_by_the_server(standing: Starter) -> None:
    async with standing(add_bookings) as trial:
        client = trial.client
        made = await client.create(
            Booking(metadata=ObjectMeta(name="a"), spec=BookingSpec.from_wire({"title": " concert "}))
        )
        assert (made.spec.title, made.spec.title_short) == ("concert", "con")
        stored = await client.get(Booking, "a")
        assert "ticket" in stored.spec.model_fields_set
        changed = await client.patch(Booking, "a", MergePatch({"spec": {"size": 4, "ticket": None}}))
        assert changed.spec.ticket == stored.spec.ticket

        with pytest.raises(Invalid) as refused:
            await client.patch(
                Booking, "a", MergePatch({"spec": {"size": 3, "guests": [{"name": "b", "seat": 1}]}})
            )

        causes = [(each["field"], each["message"]) for each in refused.value.answer.causes]
        assert causes == [
            ("spec.size", "Invalid value: 3: must be even"),
            ("spec.guests[0].seat", "Invalid value: 1: must be even"),
        ]
