"""What the design notes show works."""

from __future__ import annotations

import ast
from typing import Any

import orjson
import pytest

import readme
from windlass.api import ObjectMeta
from windlass.apiserver.outside import Answer
from windlass.client import Client
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import BadRequest, Forbidden
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.core.v1 import ConfigMap

ADMISSION = "docs/design/admission.md"
CHECKER: dict[str, Any] = {
    "name": "check.example.com",
    "clientConfig": {"service": {"name": "checker", "namespace": "default", "path": "/check"}},
    "rules": [
        {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
    ],
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
}


async def test_whom_an_address_leads_to_is_asked(api_server: Cluster) -> None:
    client = Client(api_server.transport())
    configuration = {"metadata": {"name": "checker"}, "webhooks": [CHECKER]}
    await client.create(ValidatingWebhookConfiguration.from_wire(configuration))

    exec(  # noqa: S102 - the page is ours
        readme.block("cluster.lead(", ADMISSION), {"Answer": Answer, "cluster": api_server, "orjson": orjson}
    )

    with pytest.raises(BadRequest, match="/check says no"):
        await client.create(ConfigMap(metadata=ObjectMeta(name="c", namespace="default")))


async def test_the_trail_shows_what_was_denied() -> None:
    cluster = Cluster(ClusterOptions(users={"jane": ()}))
    text = readme.block("cluster.audit()", ADMISSION)
    code = compile(text, ADMISSION, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)

    async def playing_as(user: str) -> None:
        async def play() -> None:
            try:
                await Client(cluster.transport(user)).list(ConfigMap, "default")
            except Forbidden:
                assert user == "jane"

        await eval(code, {"cluster": cluster, "play": play})  # noqa: S307 - the page is ours

    await playing_as("admin")
    with pytest.raises(AssertionError):
        await playing_as("jane")
