"""Webhooks served by controller-runtime are called by the embedded server, as by the real one."""

from __future__ import annotations

import base64
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from go_operator import PATIENCE, becomes, client_fixture, operator, program_fixture, reason, site
from polling import until
from servers import embedded_fixture, server_fixture
from site_kind import Site, SiteSpec
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.errors import Forbidden
from windlass.kinds.admissionregistration.v1 import (
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
)
from windlass.pki import authority, serving_certificate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterable
    from pathlib import Path

    from servers import Server
    from windlass.api import Resource
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
program = program_fixture
client = client_fixture

pytestmark = pytest.mark.xdist_group("controller-runtime")  # one build serves all tests


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
