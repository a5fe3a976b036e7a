"""Webhooks in the process of the cluster."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import orjson
import pytest

from contract import Api
from contract_crd import Definitions, definition, version
from windlass.api import ObjectMeta
from windlass.apiserver.outside import Answer
from windlass.client import Client, MergePatch
from windlass.cluster import Cluster
from windlass.errors import ApiError
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from contract_crd import CustomKind

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


class Renamer:
    """A conversion webhook that changes nothing but the version, as long as it works."""

    def __init__(self) -> None:
        self.works = True
        self.asked: list[int] = []

    async def __call__(self, _path: str, body: bytes) -> Answer:
        review = orjson.loads(body)
        request = review["request"]
        self.asked.append(len(request["objects"]))
        objects = [{**each, "apiVersion": request["desiredAPIVersion"]} for each in request["objects"]]
        result = {"status": "Success"} if self.works else {"status": "Failure", "message": "broken"}
        response = {"uid": request["uid"], "result": result, "convertedObjects": objects}
        return Answer(200, orjson.dumps({**review, "response": response}))


async def converted_kind(cluster: Cluster, renamer: Renamer) -> CustomKind:
    """A kind of two versions, of which the second is not stored, in that version; with two objects."""
    cluster.lead("marker.default.svc:443", renamer)
    api = Api(cluster.transport())
    definitions = Definitions(api, "default")
    crd = definition("example.com", version("v1"), version("v2", storage=False))
    webhook = {"clientConfig": WEBHOOK["clientConfig"], "conversionReviewVersions": ["v1"]}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    kind = await definitions.serve_definition(crd)
    for name in "ab":
        (await kind.create(name)).ok()
    renamer.asked.clear()
    return kind.through("v2")


async def test_a_list_is_converted_by_one_call() -> None:
    renamer = Renamer()
    kind = await converted_kind(Cluster(), renamer)

    listed = (await kind.api.get(kind.path)).ok()

    assert [each["apiVersion"] for each in listed["items"]] == ["example.com/v2"] * 2
    assert renamer.asked == [2]


async def test_a_watch_ends_with_the_reason_when_an_event_cannot_be_converted() -> None:
    renamer = Renamer()
    kind = await converted_kind(Cluster(), renamer)

    async with kind.api.watch(kind.path) as events:
        seen = [(await anext(events))["type"] for _ in "ab"]
        renamer.works = False
        (await kind.through("v1").create("c")).ok()
        last = await anext(events)
        rest = [each async for each in events]

    assert seen == ["ADDED", "ADDED"]
    assert (last["type"], last["object"]["code"]) == ("ERROR", 500)
    assert last["object"]["message"] == "conversion webhook for example.com/v1, Kind=Widget failed: broken"
    assert rest == []


async def test_a_collection_is_converted_by_one_call_before_it_is_deleted() -> None:
    renamer = Renamer()
    kind = await converted_kind(Cluster(), renamer)

    gone = (await kind.api.delete(kind.path, labelSelector="!kept")).ok()

    assert [each["metadata"]["name"] for each in gone["items"]] == ["a", "b"]
    assert renamer.asked == [2]


async def test_a_deleted_collection_is_answered_although_others_delete_from_it_meanwhile() -> None:
    renamer = Renamer()
    cluster = Cluster()
    kind = await converted_kind(cluster, renamer)

    async def slow(path: str, body: bytes) -> Answer:
        """Take so long that somebody else deletes an object."""
        await kind.api.delete(kind.through("v1").at("b"))
        return await renamer(path, body)

    cluster.lead("marker.default.svc:443", slow)
    gone = (await kind.api.delete(kind.path)).ok()

    assert [each["metadata"]["name"] for each in gone["items"]] == ["a"]


async def test_a_watch_of_selected_objects_is_converted_by_one_call_as_they_are_and_were() -> None:
    renamer = Renamer()
    kind = await converted_kind(Cluster(), renamer)
    before = (await kind.api.get(kind.through("v1").path)).ok()["metadata"]["resourceVersion"]
    for name in "ab":
        (await kind.api.patch(kind.through("v1").at(name), {"metadata": {"labels": {"kept": "yes"}}})).ok()

    async with kind.api.watch(kind.path, resourceVersion=before, labelSelector="!kept") as events:
        left = [await anext(events) for _ in "ab"]

    assert [each["type"] for each in left] == ["DELETED"] * 2
    assert renamer.asked == [4]
