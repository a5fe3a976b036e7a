"""Webhooks in the process of the cluster."""

from __future__ import annotations

import base64

import orjson
import pytest

from windlass.api import ObjectMeta
from windlass.apiserver.outside import Answer
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.errors import ApiError
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.core.v1 import ConfigMap

WEBHOOK = {
    "name": "mark.example.com",
    "clientConfig": {"service": {"name": "marker", "namespace": "default", "path": "/mark"}},
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
}


class Marker:
    """A webhook that marks every object that it sees."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    async def __call__(self, path: str, body: bytes) -> Answer:
        self.paths.append(path)
        review = orjson.loads(body)
        patch = [{"op": "add", "path": "/data", "value": {"marked": "yes"}}]
        review["response"] = {
            "uid": review["request"]["uid"],
            "allowed": True,
            "patchType": "JSONPatch",
            "patch": base64.b64encode(orjson.dumps(patch)).decode(),
        }
        return Answer(200, orjson.dumps(review))


async def configured(cluster: Cluster, operation: str) -> None:
    """Ask the webhook about such an operation on ConfigMaps."""
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": [operation], "resources": ["configmaps"]}
    body = {"metadata": {"name": "marker"}, "webhooks": [{**WEBHOOK, "rules": [rule]}]}
    await Client(cluster.transport()).create(MutatingWebhookConfiguration.from_wire(body))


def config_map() -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name="x", namespace="default"))


async def test_a_function_is_a_webhook() -> None:
    cluster = Cluster()
    marker = Marker()
    cluster.lead("marker.default.svc:443", marker)
    await configured(cluster, "CREATE")

    created = await Client(cluster.transport()).create(config_map())

    assert created.data == {"marked": "yes"}
    assert marker.paths == ["/mark"]


async def test_a_request_about_which_there_is_always_something_new_to_ask_ends() -> None:
    cluster = Cluster()
    client = Client(cluster.transport())
    await client.create(config_map())
    asked = 0

    async def replace(_path: str, body: bytes) -> Answer:
        """Put another object into the place of the one that it is asked about."""
        nonlocal asked
        asked += 1
        await client.delete(ConfigMap, "x", "default")
        await client.create(config_map())
        review = orjson.loads(body)
        return Answer(
            200, orjson.dumps({**review, "response": {"uid": review["request"]["uid"], "allowed": True}})
        )

    cluster.lead("marker.default.svc:443", replace)
    await configured(cluster, "UPDATE")

    with pytest.raises(ApiError, match="no decision after 256 calls of webhooks"):
        await client.patch(ConfigMap, "x", MergePatch({"data": {"mine": "1"}}), "default")

    assert asked == 256
