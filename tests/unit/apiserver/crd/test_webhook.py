"""Conversion by a webhook of this process."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
import pytest

from windlass.apiserver import World
from windlass.apiserver.crd.conversion import converter_of
from windlass.apiserver.outside import Answer, settled
from windlass.apiserver.refusal import Refusal

V1, V2 = "example.com/v1", "example.com/v2"
SERVICE = {"service": {"name": "a", "namespace": "b"}}
ADDRESS = "a.b.svc:443"


def widget(name: str = "a", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": V1,
        "kind": "Widget",
        "metadata": {"name": name, "uid": "1", "labels": {"a": "b"}, "generation": 3},
        "spec": spec,
    }


class Hook:
    """A webhook that renames, and does to each object what it is told."""

    def __init__(self, **change: Any) -> None:
        self.change = change
        self.asked: list[list[str]] = []
        self.world = World()
        self.world.network.lead(ADDRESS, self.handle)
        webhook = {"clientConfig": SERVICE, "conversionReviewVersions": ["v1"]}
        self.converter = converter_of({"spec": {"conversion": {"strategy": "Webhook", "webhook": webhook}}})

    async def handle(self, _path: str, body: bytes) -> Answer:
        request = orjson.loads(body)["request"]
        self.asked.append([each["metadata"]["name"] for each in request["objects"]])
        converted = [
            {**each, "apiVersion": request["desiredAPIVersion"], **self.change} for each in request["objects"]
        ]
        response = {"uid": request["uid"], "result": {"status": "Success"}, "convertedObjects": converted}
        review = {"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1", "response": response}
        return Answer(200, orjson.dumps(review))

    async def convert(self, obj: dict[str, Any]) -> dict[str, Any]:
        return await settled(self.world, partial(self.converter.convert, obj, V2))


async def test_an_object_is_what_the_webhook_makes_of_it() -> None:
    assert (await Hook(spec={"b": 2}).convert(widget(a=1)))["spec"] == {"b": 2}


async def test_of_its_metadata_only_labels_and_annotations_change() -> None:
    given = {"name": "a", "uid": "1", "labels": {"c": "d"}, "generation": 7, "finalizers": ["x/y"]}

    converted = await Hook(metadata=given).convert(widget())

    assert converted["metadata"] == {"name": "a", "uid": "1", "labels": {"c": "d"}, "generation": 3}


async def test_several_objects_are_converted_by_one_call() -> None:
    hook = Hook()
    objects = [widget("a"), widget("b"), widget("c")]

    def work() -> list[str]:
        hook.converter.prepare(objects, V2)
        return [hook.converter.convert(each, V2)["metadata"]["name"] for each in objects]

    assert await settled(hook.world, work) == ["a", "b", "c"]
    assert hook.asked == [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"metadata": {"name": "z", "uid": "1"}}, "returned invalid object: must have the same name: a != z"),
        ({"metadata": {"name": "a", "uid": "2"}}, "returned invalid object: must have the same UID: 1 != 2"),
        ({"kind": "Gadget"}, "invalid kind (expected Widget, received Gadget)"),
        ({"apiVersion": V1}, f"invalid groupVersion (expected {V2}, received {V1})"),
        (
            {"metadata": {"name": "a", "uid": "1", "labels": {"a": 1}}},
            "metadata.labels[a] must be a string, but is int64 in converted object",
        ),
    ],
    ids=["name", "uid", "kind", "version", "label"],
)
async def test_what_a_webhook_must_not_change_is_said(change: dict[str, Any], says: str) -> None:
    with pytest.raises(Refusal) as refused:
        await Hook(**change).convert(widget())

    assert refused.value.code == 500
    assert refused.value.message.startswith(f"conversion webhook for {V1}, Kind=Widget returned invalid ")
    assert refused.value.message.endswith(says)


async def test_a_webhook_that_cannot_be_reached_is_named() -> None:
    hook = Hook()
    hook.world = World()

    with pytest.raises(Refusal) as refused:
        await hook.convert(widget())

    assert refused.value.message.startswith(
        f'conversion webhook for {V1}, Kind=Widget failed: Post "https://{ADDRESS}/?timeout=30s": '
    )
