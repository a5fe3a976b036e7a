"""What a user sees when something is wrong, on the real server: the message, whole."""

from __future__ import annotations

import base64
import socket
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
import yaml

from windlass.api import ObjectMeta
from windlass.client import NO_RETRY, ClientOptions, ListOptions, WatchOptions, connect, evict, load_config
from windlass.errors import (
    AlreadyExists,
    ConfigError,
    Conflict,
    ConnectionFailedError,
    Forbidden,
    Gone,
    Invalid,
    NotFound,
    TooManyRequests,
    Unauthorized,
    WindlassError,
)
from windlass.kinds.core.v1 import (
    ConfigMap,
    Container,
    Event,
    Pod,
    PodSpec,
    Secret,
    Service,
    ServicePort,
    ServiceSpec,
)
from windlass.kinds.policy.v1 import PodDisruptionBudget, PodDisruptionBudgetSpec
from windlass.testing import ControlPlane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access

ONCE = ClientOptions(retry=NO_RETRY)


@asynccontextmanager
async def client_of(kubeconfig: dict[str, Any] | str, folder: Path) -> AsyncIterator[Client]:
    """A client with a changed kubeconfig, which tries once."""
    path = folder / "kubeconfig"
    path.write_text(kubeconfig if isinstance(kubeconfig, str) else yaml.safe_dump(kubeconfig))
    async with connect(load_config(path), ONCE) as client:
        yield client


@pytest.fixture
def kubeconfig(control_plane: Access) -> dict[str, Any]:
    """The administrator's kubeconfig, to be damaged."""
    parsed: dict[str, Any] = yaml.safe_load(control_plane.kubeconfig.read_text())
    return parsed


@pytest.fixture
async def client(control_plane: Access, namespace: str) -> AsyncIterator[Client]:
    """An administrator's client in this test's namespace."""
    options = ClientOptions(retry=NO_RETRY, namespace=namespace)
    async with connect(load_config(control_plane.kubeconfig), options) as made:
        yield made


def says(error: pytest.ExceptionInfo[WindlassError], *parts: str) -> None:
    """The message holds each of these."""
    message = str(error.value)
    assert [part for part in parts if part not in message] == [], message


async def test_a_malformed_kubeconfig(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        async with client_of("clusters: [a, {", tmp_path):
            pass

    says(error, str(tmp_path / "kubeconfig"), "YAML")


async def test_a_kubeconfig_that_names_an_unknown_context(kubeconfig: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        async with client_of(kubeconfig | {"current-context": "elsewhere"}, tmp_path):
            pass

    says(error, "elsewhere", "windlass")


async def test_an_expired_client_certificate(
    control_plane: Access, kubeconfig: dict[str, Any], tmp_path: Path
) -> None:
    pair = control_plane.user_certificate("late", lifetime=timedelta(hours=-1))
    kubeconfig["users"][0]["user"] = {
        "client-certificate-data": base64.b64encode(pair.certificate.encode()).decode(),
        "client-key-data": base64.b64encode(pair.key.encode()).decode(),
    }

    with pytest.raises(ConfigError) as error:
        async with client_of(kubeconfig, tmp_path) as client:
            await client.list(ConfigMap, "default")

    says(error, "expired")


async def test_a_server_that_another_ca_signed(
    kubeconfig: dict[str, Any], control_plane: Access, tmp_path: Path
) -> None:
    other = control_plane.user_certificate("other-ca").certificate
    kubeconfig["clusters"][0]["cluster"]["certificate-authority-data"] = base64.b64encode(
        other.encode()
    ).decode()

    with pytest.raises(ConnectionFailedError) as error:
        async with client_of(kubeconfig, tmp_path) as client:
            await client.list(ConfigMap, "default")

    says(error, control_plane.server, "certificate")
    assert not error.value.sent


async def test_a_port_where_nobody_listens(kubeconfig: dict[str, Any], tmp_path: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        server = f"https://127.0.0.1:{held.getsockname()[1]}"
        kubeconfig["clusters"][0]["cluster"]["server"] = server
        with pytest.raises(ConnectionFailedError) as error:
            async with client_of(kubeconfig, tmp_path) as client:
                await client.list(ConfigMap, "default")

    says(error, server, "refused")
    assert not error.value.sent


async def test_401_for_a_token_that_nobody_knows(kubeconfig: dict[str, Any], tmp_path: Path) -> None:
    kubeconfig["users"][0]["user"] = {"token": "made-up"}

    with pytest.raises(Unauthorized) as error:
        async with client_of(kubeconfig, tmp_path) as client:
            await client.list(ConfigMap, "default")

    says(error, "401", "Unauthorized", "kubectl auth whoami")


async def test_403_names_the_missing_rule_and_the_file(control_plane: Access, tmp_path: Path) -> None:
    with pytest.raises(Forbidden) as error:
        async with client_of(control_plane.kubeconfig_for("nobody"), tmp_path) as client:
            await client.list(Secret, "default")

    says(
        error,
        'User "nobody" cannot list resource "secrets"',
        '- apiGroups: [""]\n  resources: ["secrets"]\n  verbs: ["list"]',
        "config/rbac/role.yaml",
    )


async def test_404_for_an_object(client: Client, namespace: str) -> None:
    with pytest.raises(NotFound) as error:
        await client.get(ConfigMap, "nothing")

    says(error, f"GET /api/v1/namespaces/{namespace}/configmaps/nothing", 'configmaps "nothing" not found')


async def test_409_for_a_name_that_is_taken(client: Client) -> None:
    await client.create(ConfigMap(metadata=ObjectMeta(name="a")))

    with pytest.raises(AlreadyExists) as error:
        await client.create(ConfigMap(metadata=ObjectMeta(name="a")))

    says(error, 'configmaps "a" already exists')


async def test_409_for_an_object_that_changed_since(client: Client) -> None:
    read = await client.create(ConfigMap(metadata=ObjectMeta(name="a")))
    await client.update(read.model_copy(update={"data": {"a": "1"}}))

    with pytest.raises(Conflict) as error:
        await client.update(read.model_copy(update={"data": {"a": "2"}}))

    says(error, "the object has been modified", "Read the object again")


async def test_409_for_a_field_that_another_manager_owns(client: Client) -> None:
    await client.apply(ConfigMap(metadata=ObjectMeta(name="a"), data={"a": "1"}))

    other = client.using(field_manager="other")
    with pytest.raises(Conflict) as error:
        await other.apply(ConfigMap(metadata=ObjectMeta(name="a"), data={"a": "2"}))

    says(error, 'conflict with "windlass"', ".data.a")
    assert [cause["field"] for cause in error.value.answer.causes] == [".data.a"]


async def compact(access: Access, revision: int) -> None:
    """Make etcd forget what is older, as it does by itself every five minutes."""
    connector = aiohttp.UnixConnector(str(access.folder / "etcd-clients:0"))
    async with aiohttp.ClientSession(connector=connector) as session:
        body = {"revision": str(revision), "physical": True}
        async with session.post("http://etcd/v3/kv/compaction", json=body) as response:
            assert response.status == 200, await response.text()


@pytest.fixture
async def compacted() -> AsyncIterator[Client]:
    """A client of a control plane of its own, which has just forgotten its past."""
    async with ControlPlane() as own, connect(load_config(own.kubeconfig), ONCE) as client:
        created = await client.create(ConfigMap(metadata=ObjectMeta(name="a")))
        await compact(own, int(created.metadata.resource_version))
        yield client


async def test_410_for_a_version_that_is_no_longer_kept(compacted: Client) -> None:
    # Events are the one kind whose past the server does not keep in its own memory.
    listing = compacted.list(Event, options=ListOptions(resource_version="2", resource_version_match="Exact"))
    with pytest.raises(Gone) as listed:
        await listing
    with pytest.raises(Gone) as watched:
        [event async for event in compacted.watch(Event, options=WatchOptions(resource_version="2"))]

    says(listed, "410", "list is too old", "list again")
    says(watched, "410", "watch is too old", "list again")


async def test_422_names_each_field(client: Client) -> None:
    service = Service(metadata=ObjectMeta(name="UPPER"), spec=ServiceSpec(ports=[ServicePort(port=0)]))

    with pytest.raises(Invalid) as error:
        await client.create(service)

    assert {cause["field"] for cause in error.value.answer.causes} >= {"metadata.name", "spec.ports[0].port"}
    says(error, "spec.ports[0].port: Invalid value: 0")


async def test_429_for_an_eviction_that_a_budget_forbids(client: Client) -> None:
    labels = {"app": "guarded"}
    spec = PodSpec(containers=[Container(name="a", image="a")], automount_service_account_token=False)
    pod = await client.create(Pod(metadata=ObjectMeta(name="a", labels=labels), spec=spec))
    pod.status.phase = "Running"
    await client.status.update(pod)
    budget = PodDisruptionBudgetSpec.from_wire({"minAvailable": 1, "selector": {"matchLabels": labels}})
    await client.create(PodDisruptionBudget(metadata=ObjectMeta(name="a"), spec=budget))

    with pytest.raises(TooManyRequests) as error:
        await evict(client, "a")

    says(error, "Cannot evict pod", "disruption budget")


async def test_an_unknown_field_is_refused_by_strict_validation_and_warned_of_otherwise(
    control_plane: Access, namespace: str
) -> None:
    warnings: list[str] = []
    options = replace(ONCE, namespace=namespace, on_warning=lambda _request, text: warnings.append(text))
    odd = ConfigMap.from_wire({"metadata": {"name": "odd"}, "dataa": {"a": "b"}})

    async with connect(load_config(control_plane.kubeconfig), options) as client:
        await client.using(field_validation="Warn").create(odd)
        with pytest.raises(WindlassError, match='unknown field "dataa"'):
            await client.using(field_validation="Strict").update(odd)

    assert warnings == ['unknown field "dataa"']


async def test_a_list_of_a_version_that_does_not_exist_yet_is_refused(client: Client) -> None:
    options = ListOptions(resource_version="not-a-number")

    with pytest.raises(WindlassError, match="resourceVersion"):
        await client.list(ConfigMap, options=options)
