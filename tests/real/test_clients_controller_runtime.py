"""An operator written with controller-runtime works on the embedded server, as on the real one."""

from __future__ import annotations

import base64
import signal
import socket
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from oracle import SOURCE, build
from polling import until
from program import running
from real import administrator, settled
from servers import embedded_fixture, server_fixture
from site_kind import Site, SiteSpec
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.errors import Forbidden, NotFound
from windlass.kinds.admissionregistration.v1 import (
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
)
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import ConfigMap, Event, Secret
from windlass.pki import authority, serving_certificate
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from program import Program
    from servers import Server
    from windlass.api import Resource
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture

PATIENCE = 40
pytestmark = pytest.mark.xdist_group("controller-runtime")  # one build serves all tests


@pytest.fixture(scope="module")
def program(request: pytest.FixtureRequest) -> Path:
    return build(request.config.cache.mkdir("operator"), SOURCE / "operator")


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    async with settled(), administrator(server.access, server.namespace) as client:
        await install_kinds(client, [Site])
        yield client


def operator(program: Path, server: Server, *options: str) -> AbstractAsyncContextManager[Program]:
    reach = (f"--kubeconfig={server.access.kubeconfig}", f"--namespace={server.namespace}")
    return running(str(program), *reach, *options)


def site(name: str, **spec: Any) -> Site:
    return Site(metadata=ObjectMeta(name=name), spec=SiteSpec(image="nginx:1", **spec))


async def becomes(client: Client, kind: Any, name: str, accept: Callable[[Any], bool]) -> Any:
    """An object, once it is as wanted."""

    async def found() -> Any:
        try:
            return await client.get(kind, name)
        except NotFound:
            return None

    return await until(found, lambda obj: obj is not None and accept(obj), patience=PATIENCE)


async def reasons(client: Client) -> set[str | None]:
    """The reasons of all events that were posted."""
    return {event.reason for event in await client.list(Event)}


def image(obj: Deployment) -> str | None:
    assert obj.spec.template.spec is not None
    return obj.spec.template.spec.containers[0].image


def reason(obj: Site) -> str:
    return next((each.reason or "" for each in obj.status.conditions if each.type == "Ready"), "")


def has_colour(colour: str) -> Callable[[Site], bool]:
    return lambda obj: obj.status.colour == colour


async def is_ready(client: Client, name: str, replicas: int) -> None:
    """Say of a Deployment what the controllers of a cluster would."""
    await becomes(client, Deployment, name, lambda obj: obj.spec.replicas == replicas)
    status = {"replicas": replicas, "readyReplicas": replicas}
    await client.status.patch(Deployment, name, MergePatch({"status": status}))


async def refusal(call: Awaitable[Any]) -> str:
    """Why the server forbids something; nothing if it does not."""
    try:
        await call
    except Forbidden as error:
        return str(error)
    return ""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def webhook(namespace: str, port: int, certificate: str) -> tuple[Resource, Resource]:
    """What tells a server of the webhooks: those that change, and those that judge."""
    bundle = base64.b64encode(certificate.encode()).decode()

    def configuration(kind: str, operations: list[str]) -> dict[str, Any]:
        address = f"https://127.0.0.1:{port}/{kind}-operator-example-com-v1-site"
        rules = {"apiGroups": ["operator.example.com"], "apiVersions": ["v1"], "resources": ["sites"]}
        hook = {
            "name": f"{kind}.example.com",
            "clientConfig": {"url": address, "caBundle": bundle},
            "rules": [{**rules, "operations": operations}],
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
        }
        return {"metadata": {"name": f"{kind}-{namespace}"}, "webhooks": [hook]}

    return (
        MutatingWebhookConfiguration.from_wire(configuration("mutate", ["CREATE", "UPDATE"])),
        ValidatingWebhookConfiguration.from_wire(configuration("validate", ["CREATE", "UPDATE", "DELETE"])),
    )


@asynccontextmanager
async def configured(client: Client, configurations: Iterable[Resource]) -> AsyncIterator[None]:
    """Have configurations for the length of the block: they would outlive their webhooks."""
    made = [await client.create(each) for each in configurations]
    try:
        yield
    finally:
        for each in made:
            await client.delete(type(each), each.metadata.name)


async def test_it_makes_what_a_resource_asks_for_and_reports_on_it(
    program: Path, server: Server, client: Client
) -> None:
    async with operator(program, server) as they:
        await they.says("leading")
        made = await client.create(site("web", replicas=2))
        rolling = await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        await is_ready(client, "web", 2)
        ready = await becomes(client, Site, "web", lambda obj: reason(obj) == "AllReady")
        deployment = await client.get(Deployment, "web")
        config = await client.get(ConfigMap, "web")
        await until(lambda: reasons(client), lambda told: told >= {"Kept", "AllReady"}, patience=PATIENCE)

    assert rolling.metadata.finalizers == ["operator.example.com/site"]
    assert ready.status.ready_replicas == 2
    [condition] = ready.status.conditions
    assert (condition.status, condition.message, condition.observed_generation) == (
        "True",
        "2 of 2 are ready",
        made.metadata.generation,
    )
    assert [(each.kind, each.uid) for each in deployment.metadata.owner_references] == [
        ("Site", made.metadata.uid)
    ]
    assert image(deployment) == "nginx:1"
    assert config.data == {"image": "nginx:1"}


async def test_a_hand_edit_is_put_back_and_a_change_of_the_resource_is_passed_on(
    program: Path, server: Server, client: Client
) -> None:
    async with operator(program, server) as they:
        await they.says("leading")
        await client.create(site("web", replicas=2))
        await becomes(client, Deployment, "web", lambda obj: obj.spec.replicas == 2)
        edited = await client.patch(Deployment, "web", MergePatch({"spec": {"replicas": 9}}))
        await becomes(client, Deployment, "web", lambda obj: obj.spec.replicas == 2)
        await client.delete(Deployment, "web")
        await becomes(client, Deployment, "web", lambda obj: obj.metadata.uid != edited.metadata.uid)
        await client.patch(Site, "web", MergePatch({"spec": {"image": "nginx:2"}}))
        await becomes(client, ConfigMap, "web", lambda obj: obj.data == {"image": "nginx:2"})
        await becomes(client, Deployment, "web", lambda obj: image(obj) == "nginx:2")


async def test_it_follows_the_metadata_of_secrets_by_an_index(
    program: Path, server: Server, client: Client
) -> None:
    async with operator(program, server) as they:
        await they.says("leading")
        await client.create(site("web", secret_name="paint"))
        await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        for colour in ("red", "blue"):
            painted = ObjectMeta(name="paint", annotations={"operator.example.com/colour": colour})
            await client.apply(Secret(metadata=painted, string_data={"key": "hidden"}))
            await becomes(client, Site, "web", has_colour(colour))


async def test_a_second_one_takes_over_from_one_that_was_killed_and_cleans_up(
    program: Path, server: Server, client: Client
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(operator(program, server))
        await first.says("leading")
        second = await stack.enter_async_context(operator(program, server))
        await client.create(site("web"))
        await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        before = (await client.get(Lease, "site-operator")).spec
        assert "leading" not in second.lines
        first.kill(signal.SIGKILL)
        await client.delete(Site, "web")
        await second.says("leading")
        await second.says("cleaned web")
        after = (await client.get(Lease, "site-operator")).spec
        for kind in (Site, Deployment, ConfigMap):
            with pytest.raises(NotFound):
                await client.get(kind, "web")

    assert before.holder_identity != after.holder_identity
    assert after.lease_transitions == (before.lease_transitions or 0) + 1


async def test_its_webhooks_default_and_judge_what_is_written(
    program: Path, server: Server, client: Client, tmp_path: Path
) -> None:
    signer, port = authority("webhooks"), free_port()
    pair = serving_certificate(signer, ["127.0.0.1"])
    (tmp_path / "tls.crt").write_text(pair.certificate)
    (tmp_path / "tls.key").write_text(pair.key)
    serving = (f"--webhook-port={port}", f"--webhook-certificates={tmp_path}")
    dry = client.using(dry_run=True)
    async with (
        operator(program, server, *serving) as they,
        configured(client, webhook(server.namespace, port, signer.certificate)),
    ):
        await they.says("leading")
        plain = Site(metadata=ObjectMeta(name="probe"), spec=SiteSpec(image="nginx"))
        await until(
            lambda: dry.create(plain), lambda obj: obj.spec.image == "nginx:latest", patience=PATIENCE
        )
        await until(lambda: refusal(dry.create(site("probe", replicas=11))), patience=PATIENCE)
        await client.create(site("web", secret_name="one"))
        await becomes(client, Site, "web", lambda obj: reason(obj) == "RollingOut")
        refusals = [
            await refusal(client.create(site("big", replicas=11))),
            await refusal(client.patch(Site, "web", MergePatch({"spec": {"secretName": "two"}}))),
        ]
        await client.patch(Site, "web", MergePatch({"metadata": {"labels": {"protected": "yes"}}}))
        refusals.append(await refusal(client.delete(Site, "web")))
        await client.patch(Site, "web", MergePatch({"metadata": {"labels": {"protected": None}}}))
        await client.delete(Site, "web")
        await they.says("cleaned web")

    said = 'admission webhook "validate.example.com" denied the request: '
    assert [said in each for each in refusals] == [True] * 3, refusals
    assert [each.partition(said)[2].splitlines()[0] for each in refusals] == [
        "11 replicas are more than 10",
        'the secret stays "one"',
        "it is protected",
    ]
