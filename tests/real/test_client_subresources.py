"""Subresources on the real server: scale, eviction, tokens, and whatever else has a form of its own."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from real import GADGETS, Gadget, GadgetSpec, administrator, settled
from windlass.api import ObjectMeta
from windlass.client import (
    DeleteOptions,
    MergePatch,
    StrategicPatch,
    evict,
    get_scale,
    request_token,
    set_scale,
)
from windlass.errors import Invalid, NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.authentication.v1 import TokenReview, TokenReviewSpec
from windlass.kinds.core.v1 import ConfigMap, Namespace, Pod, ServiceAccount
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.testing import Access

LABELS = {"app": "web"}
CONTAINERS = [{"name": "main", "image": "example.com/app:1"}]


@pytest.fixture(autouse=True)
async def quiet() -> AsyncIterator[None]:
    """Each test is over when its connections are."""
    async with settled():
        yield


@pytest.fixture
async def client(control_plane: Access, namespace: str) -> AsyncIterator[Client]:
    """An administrator's client in this test's namespace."""
    async with administrator(control_plane, namespace) as made:
        yield made


def deployment() -> Deployment:
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": CONTAINERS}}
    spec = {"replicas": 2, "selector": {"matchLabels": LABELS}, "template": template}
    return Deployment.from_wire({"metadata": {"name": "web"}, "spec": spec})


def pod(name: str) -> Pod:
    spec = {"containers": CONTAINERS, "automountServiceAccountToken": False}
    return Pod.from_wire({"metadata": {"name": name}, "spec": spec})


async def test_a_deployment_is_scaled(client: Client) -> None:
    await client.create(deployment())

    before = await get_scale(client, Deployment, "web")
    after = await set_scale(client, Deployment, "web", 5)

    assert (before.spec.replicas, before.status.replicas, before.status.selector) == (2, 0, "app=web")
    assert after.spec.replicas == 5
    assert (await client.get(Deployment, "web")).spec.replicas == 5


async def test_a_custom_kind_is_scaled(client: Client) -> None:
    await install_kinds(client, GADGETS)
    made = await client.create(Gadget(metadata=ObjectMeta(name="a"), spec=GadgetSpec(replicas=3)))
    made.status.replicas = 1
    await client.status.update(made)

    before = await get_scale(client, Gadget, "a")
    await set_scale(client, Gadget, "a", 0)

    assert (before.spec.replicas, before.status.replicas) == (3, 1)
    assert (await client.get(Gadget, "a")).spec.replicas == 0


async def test_a_scale_below_nothing_is_refused(client: Client) -> None:
    await client.create(deployment())

    with pytest.raises(Invalid, match="replicas"):
        await set_scale(client, Deployment, "web", -1)


async def test_a_kind_without_a_scale_has_none(client: Client) -> None:
    await client.create(ConfigMap(metadata=ObjectMeta(name="a")))

    with pytest.raises(NotFound):
        await get_scale(client, ConfigMap, "a")


async def test_an_evicted_pod_is_deleted(client: Client) -> None:
    await client.create(pod("a"))

    await evict(client.using(dry_run=True), "a")
    assert (await client.get(Pod, "a")).metadata.deletion_timestamp is None
    await evict(client, "a", options=DeleteOptions(grace_period=timedelta()))

    with pytest.raises(NotFound):
        await client.get(Pod, "a")


def claims_of(token: str) -> Any:
    """What a token says about itself."""
    body = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


async def test_a_token_says_whose_it_is_for_whom_and_how_long(client: Client, namespace: str) -> None:
    account = await client.create(ServiceAccount(metadata=ObjectMeta(name="robot")))

    issued = await request_token(client, "robot", audiences=["vault", "bank"], lifetime=timedelta(minutes=20))

    claims = claims_of(issued.token)
    assert claims["sub"] == f"system:serviceaccount:{namespace}:robot"
    assert claims["aud"] == ["vault", "bank"]
    assert claims["exp"] - claims["iat"] == 1200
    assert claims["kubernetes.io"]["serviceaccount"]["uid"] == account.metadata.uid
    assert issued.expiration_timestamp == datetime.fromtimestamp(claims["exp"], UTC)


async def test_a_token_is_for_the_server_itself_unless_it_names_others(client: Client) -> None:
    await client.create(ServiceAccount(metadata=ObjectMeta(name="robot")))

    async def authenticated(audiences: list[str]) -> bool:
        token = (await request_token(client, "robot", audiences=audiences)).token
        review = await client.create(TokenReview(spec=TokenReviewSpec(token=token)))
        return bool(review.status.authenticated)

    assert await authenticated([])
    assert not await authenticated(["vault"])


async def test_a_lifetime_that_is_too_short_is_refused(client: Client) -> None:
    await client.create(ServiceAccount(metadata=ObjectMeta(name="robot")))

    with pytest.raises(Invalid, match="expirationSeconds"):
        await request_token(client, "robot", lifetime=timedelta(seconds=30))


async def test_any_subresource_whose_form_is_the_object_can_be_written(client: Client) -> None:
    await client.create(pod("a"))
    debugger = {"name": "debug", "image": "example.com/debug:1"}

    patched = await client.subresource("ephemeralcontainers").patch(
        Pod, "a", StrategicPatch({"spec": {"ephemeralContainers": [debugger]}})
    )

    assert patched.spec is not None
    assert [each.name for each in patched.spec.ephemeral_containers] == ["debug"]


async def test_the_status_of_a_built_in_kind_is_written_apart(client: Client) -> None:
    await client.create(deployment())
    patch = MergePatch({"spec": {"replicas": 9}, "status": {"observedGeneration": 1, "replicas": 2}})

    patched = await client.status.patch(Deployment, "web", patch)

    assert (patched.status.observed_generation, patched.status.replicas) == (1, 2)
    assert patched.spec.replicas == 2


async def test_the_status_of_a_cluster_wide_kind_is_read(client: Client, namespace: str) -> None:
    assert (await client.status.get(Namespace, namespace)).status.phase == "Active"
