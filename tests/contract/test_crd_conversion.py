"""Conversion webhooks: a kind whose versions differ, and what becomes of requests when nobody converts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
from aiohttp import web

from contract_crd import TABLE, definition, integer, obj, string, version

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from contract import Api, Object, Reply
    from contract_crd import CustomKind, Definitions
    from hooking import Hooked

STATUS = obj(n=integer(), x=string())
PARTS = {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}
V1 = version(
    "v1",
    obj(spec=obj(address=string(), n=integer(), d=string(default="first")), status=STATUS),
    subresources=PARTS,
    additionalPrinterColumns=[{"name": "Address", "type": "string", "jsonPath": ".spec.address"}],
)
V2 = version(
    "v2",
    obj(spec=obj(host=string(), port=string(), n=integer(), d=string(default="second")), status=STATUS),
    storage=False,
    subresources=PARTS,
    additionalPrinterColumns=[{"name": "Host", "type": "string", "jsonPath": ".spec.host"}],
    selectableFields=[{"jsonPath": ".spec.host"}],
)


def converted(given: Object, api_version: str) -> Object:
    """An object in another version: v1 has an address where v2 has a host and a port."""
    found: Object = orjson.loads(orjson.dumps({**given, "apiVersion": api_version}))
    spec = found.get("spec") or {}
    if api_version.endswith("v2") and "address" in spec:
        spec["host"], _, spec["port"] = spec.pop("address").partition(":")
    elif api_version.endswith("v1") and "host" in spec:
        spec["address"] = f"{spec.pop('host')}:{spec.pop('port', '')}"
    return found


def converting(change: Callable[[Object], Any] = lambda each: each) -> Callable[[Object], Object]:
    """A webhook that converts, and then changes what it converted."""

    def respond(request: Object) -> Object:
        found = [change(converted(each, request["desiredAPIVersion"])) for each in request["objects"]]
        return {"result": {"status": "Success"}, "convertedObjects": found}

    return respond


def failing(message: str = "broken") -> Object:
    return {"result": {"status": "Failure", "message": message}}


@pytest.fixture
async def kind(hooked: Hooked, crds: Definitions) -> CustomKind:
    """A kind that is stored in v1 and served in v2, too."""
    hooked.hooks.respond("/convert", converting())
    crd = definition(crds.group, V1, V2)
    webhook = {"clientConfig": hooked.hooks.client("/convert"), "conversionReviewVersions": ["v1"]}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    return await crds.serve_definition(crd)


async def test_an_object_is_created_and_read_in_any_version(kind: CustomKind) -> None:
    second = kind.through("v2")

    first_created = (await kind.create("a", spec={"address": "x:1"})).ok()
    second_created = (await second.create("b", spec={"host": "y", "port": "2"})).ok()

    assert first_created["spec"] == {"address": "x:1", "d": "first"}
    assert second_created["apiVersion"] == f"{kind.group}/v2"
    assert second_created["spec"] == {"host": "y", "port": "2", "d": "second"}
    assert (await kind.api.get(second.at("a"))).ok()["spec"] == {"host": "x", "port": "1", "d": "first"}
    assert (await kind.api.get(kind.at("b"))).ok()["spec"] == {"address": "y:2", "d": "second"}


async def test_a_review_names_the_version_that_is_wanted(hooked: Hooked, kind: CustomKind) -> None:
    created = (await kind.create("a", spec={"address": "x:1"})).ok()
    hooked.hooks.asked.clear()

    (await kind.api.get(kind.through("v2").at("a"))).ok()

    ((_, review), *_) = hooked.hooks.asked
    assert (review["kind"], review["apiVersion"]) == ("ConversionReview", "apiextensions.k8s.io/v1")
    assert review["request"]["desiredAPIVersion"] == f"{kind.group}/v2"
    sent = review["request"]["objects"][0]
    assert (sent["apiVersion"], sent["spec"]) == (created["apiVersion"], created["spec"])


async def test_an_object_in_the_version_that_it_is_stored_in_is_not_converted(
    hooked: Hooked, kind: CustomKind
) -> None:
    (await kind.create("a", spec={"address": "x:1"})).ok()
    hooked.hooks.respond("/convert", failing())

    (await kind.api.get(kind.at("a"))).ok()
    changed = (await kind.api.patch(kind.at("a"), {"spec": {"address": "x:2"}})).ok()

    assert changed["spec"]["address"] == "x:2"


async def test_lists_tables_and_selectors_are_those_of_the_version(kind: CustomKind) -> None:
    second = kind.through("v2")
    for name, address in {"a": "x:1", "b": "y:2"}.items():
        (await kind.create(name, {"labels": {"is": name}}, spec={"address": address})).ok()

    listed = (await kind.api.get(second.path)).ok()
    table = (await kind.api.get(second.path, accept=TABLE)).ok()
    by_field = (await kind.api.get(second.path, fieldSelector="spec.host=y")).ok()
    by_label = (await kind.api.get(second.path, labelSelector="is=a")).ok()

    assert [each["spec"]["host"] for each in listed["items"]] == ["x", "y"]
    assert [each["cells"] for each in table["rows"]] == [["a", "x"], ["b", "y"]]
    assert [each["metadata"]["name"] for each in by_field["items"]] == ["b"]
    assert [each["spec"]["port"] for each in by_label["items"]] == ["1"]


async def test_a_patch_is_of_the_object_in_its_version(kind: CustomKind) -> None:
    second = kind.through("v2")
    (await kind.create("a", spec={"address": "x:1"})).ok()

    patched = (await kind.api.patch(second.at("a"), {"spec": {"port": "9"}})).ok()
    again = (await kind.api.patch(second.at("a"), {"spec": {"port": "9"}})).ok()

    assert patched["spec"] == {"host": "x", "port": "9", "d": "first"}
    assert (await kind.api.get(kind.at("a"))).ok()["spec"]["address"] == "x:9"
    assert again["metadata"]["resourceVersion"] == patched["metadata"]["resourceVersion"]


async def test_status_and_scale_are_written_in_any_version(kind: CustomKind) -> None:
    second = kind.through("v2")
    (await kind.create("a", spec={"address": "x:1", "n": 1})).ok()

    status = (await kind.api.patch(f"{second.at('a')}/status", {"status": {"x": "y"}})).ok()
    scale = (await kind.api.patch(f"{second.at('a')}/scale", {"spec": {"replicas": 3}})).ok()

    assert (status["spec"]["host"], status["status"]) == ("x", {"x": "y"})
    assert scale["spec"] == {"replicas": 3}
    assert (await kind.api.get(kind.at("a"))).ok()["spec"] == {"address": "x:1", "n": 3, "d": "first"}


async def test_fields_are_owned_in_the_version_that_they_were_applied_in(kind: CustomKind) -> None:
    second = kind.through("v2")
    applied = second.object("a", spec={"host": "x", "port": "1"})

    created = (await kind.api.apply(second.at("a"), applied)).ok()
    conflict = await kind.api.apply(kind.at("a"), kind.object("a", spec={"address": "x:2"}), "another")
    mine = (await kind.api.apply(kind.at("a"), kind.object("a", spec={"address": "x:2"}))).ok()

    assert [(each["apiVersion"], each["fieldsV1"]) for each in created["metadata"]["managedFields"]] == [
        (f"{kind.group}/v2", {"f:spec": {"f:host": {}, "f:port": {}}})
    ]
    assert conflict.refused(409, "Conflict")["details"]["causes"] == [
        {
            "reason": "FieldManagerConflict",
            "message": 'conflict with "tester"',
            "field": ".spec.port",
        }
    ]
    assert mine["spec"]["address"] == "x:2"
    assert [each["apiVersion"] for each in mine["metadata"]["managedFields"]] == [f"{kind.group}/v1"]


async def test_objects_are_deleted_in_any_version(kind: CustomKind) -> None:
    second = kind.through("v2")
    for name in "abc":
        (await kind.create(name, spec={"address": f"{name}:1"})).ok()

    (await kind.api.delete(second.at("a"))).ok()
    gone = (await kind.api.delete(second.path)).ok()

    assert [each["spec"]["host"] for each in gone["items"]] == ["b", "c"]
    assert (await kind.api.get(kind.path)).ok()["items"] == []


async def test_a_watch_shows_the_version_that_it_asks_for(kind: CustomKind) -> None:
    second = kind.through("v2")
    (await kind.create("a", spec={"address": "x:1"})).ok()

    async with kind.api.watch(second.path) as events:
        seen = [await anext(events)]
        (await kind.create("b", spec={"address": "y:2"})).ok()
        seen.append(await anext(events))
        (await kind.api.delete(kind.at("b"))).ok()
        seen.append(await anext(events))

    assert [(each["type"], each["object"]["spec"]["host"]) for each in seen] == [
        ("ADDED", "x"),
        ("ADDED", "y"),
        ("DELETED", "y"),
    ]


async def test_after_another_version_became_the_stored_one_both_are_read(
    kind: CustomKind, crds: Definitions
) -> None:
    second = kind.through("v2")
    (await kind.create("old", spec={"address": "x:1"})).ok()

    def store_second(spec: Object) -> None:
        for each in spec["versions"]:
            each["storage"] = each["name"] == "v2"

    await crds.change(kind, store_second)
    (await kind.create("new", spec={"address": "y:2"})).ok()

    for name, host in {"old": "x", "new": "y"}.items():
        assert (await kind.api.get(second.at(name))).ok()["spec"]["host"] == host
        assert (await kind.api.get(kind.at(name))).ok()["spec"]["address"].startswith(host)
    assert [each["spec"]["host"] for each in (await kind.api.get(second.path)).ok()["items"]] == ["y", "x"]


async def test_only_labels_and_annotations_may_be_converted_in_metadata(
    hooked: Hooked, kind: CustomKind
) -> None:
    created = (await kind.create("a", {"labels": {"was": "there"}}, spec={"address": "x:1"})).ok()

    def meddle(each: Object) -> Object:
        more = {"labels": {"is": "new"}, "generation": 7, "finalizers": ["a/b"], "creationTimestamp": None}
        return {**each, "metadata": {**each["metadata"], **more}}

    hooked.hooks.respond("/convert", converting(meddle))

    found = (await kind.api.get(kind.through("v2").at("a"))).ok()

    for name in ("generation", "creationTimestamp", "uid", "resourceVersion"):
        assert found["metadata"][name] == created["metadata"][name]
    assert found["metadata"]["labels"] == {"is": "new"}
    assert "finalizers" not in found["metadata"]


async def test_what_the_schema_does_not_know_is_pruned_after_conversion(
    hooked: Hooked, kind: CustomKind
) -> None:
    (await kind.create("a", spec={"address": "x:1"})).ok()
    hooked.hooks.respond(
        "/convert", converting(lambda each: {**each, "top": 1, "spec": {**each["spec"], "nosuch": 2}})
    )

    found = (await kind.api.get(kind.through("v2").at("a"))).ok()

    assert "top" not in found
    assert found["spec"] == {"host": "x", "port": "1", "d": "first"}


def said(reply: Reply, kind: CustomKind) -> str:
    """What a 500 says, without whose conversion failed."""
    assert (reply.status, reply.body.get("reason"), reply.body.get("details")) == (500, None, None), reply
    message: str = reply.body["message"]
    for each in ("v1", "v2"):
        message = message.removeprefix(f"conversion webhook for {kind.group}/{each}, Kind=Widget ")
    return message


def metadata(**changes: Any) -> Callable[[Object], Object]:
    """A webhook that converts, and changes metadata."""
    return converting(lambda each: {**each, "metadata": {**each["metadata"], **changes}})


def without(name: str) -> Callable[[Object], Object]:
    """A webhook that converts, and forgets a field."""
    return converting(lambda each: {key: value for key, value in each.items() if key != name})


def raw(body: bytes, status: int = 200) -> Callable[[Object], web.Response]:
    return lambda _request: web.Response(body=body, status=status, content_type="application/json")


async def test_a_conversion_that_is_none_is_refused_in_the_servers_words(
    hooked: Hooked, kind: CustomKind
) -> None:
    (await kind.create("a", spec={"address": "x:1"})).ok()
    group, namespace = kind.group, kind.namespace
    review = "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview"
    invalid = "returned invalid object at index 0: invalid"
    cases: dict[str, tuple[Any, str]] = {
        "failed": (failing("no"), "failed: no"),
        "silent": (failing(""), "failed: response.result.status was 'Failure', not 'Success'"),
        "no result": ({}, "failed: response.result.status was '', not 'Success'"),
        "too few": ({"result": {"status": "Success"}}, "returned 0 objects, expected 1"),
        "no review": (raw(b'{"response":{}}'), f"failed: {review}, got /, Kind="),
        "no response": (
            raw(b'{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}'),
            "failed: no response provided",
        ),
        "error": (
            raw(b"x", 500),
            'failed: an error on the server ("unknown") has prevented the request from succeeding',
        ),
        "version": (
            converting(lambda each: {**each, "apiVersion": f"{group}/v1"}),
            f"{invalid} groupVersion (expected {group}/v2, received {group}/v1)",
        ),
        "kind": (
            converting(lambda each: {**each, "kind": "Other"}),
            f"{invalid} kind (expected Widget, received Other)",
        ),
        "name": (metadata(name="z"), "returned invalid object: must have the same name: a != z"),
        "namespace": (
            metadata(namespace="z"),
            f"returned invalid object: must have the same namespace: {namespace} != z",
        ),
        "no metadata": (without("metadata"), "returned invalid object: must have the same name: a != "),
        "label": (
            metadata(labels={"a": 1}),
            "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
        ),
        "labels": (
            metadata(labels="x"),
            "returned invalid metadata: invalid metadata.labels of type string in converted object",
        ),
        "text": (
            converting(lambda _each: "x"),
            "json: cannot unmarshal string into Go value of type map[string]interface {}",
        ),
        "null": (converting(lambda _each: None), "unexpected end of JSON input"),
    }
    found = {}

    for name, (answer, _) in cases.items():
        hooked.hooks.respond("/convert", answer)
        found[name] = said(await kind.api.get(kind.through("v2").at("a")), kind)

    assert found == {name: words for name, (_, words) in cases.items()}


async def test_labels_that_are_none_are_refused_after_conversion(hooked: Hooked, kind: CustomKind) -> None:
    (await kind.create("a", spec={"address": "x:1"})).ok()
    found = {}

    for field, key in {"labels": "metadata.labels", "annotations": "metadata.annotation"}.items():
        hooked.hooks.respond("/convert", metadata(**{field: {"a b": "c"}}))
        found[key] = said(await kind.api.get(kind.through("v2").at("a")), kind)

    for key, words in found.items():
        assert words.startswith(f'returned invalid metadata: {key}: Invalid value: "a b": name part must')


async def test_without_conversion_no_request_of_another_version_is_carried_out(
    hooked: Hooked, kind: CustomKind
) -> None:
    api, second = kind.api, kind.through("v2")
    (await kind.create("a", spec={"address": "x:1"})).ok()
    hooked.hooks.respond("/convert", failing())
    one = second.at("a")
    requests: dict[str, Callable[[], Awaitable[Reply]]] = {
        "create": lambda: second.create("n", spec={"host": "h"}),
        "get": lambda: api.get(one),
        "patch": lambda: api.patch(one, {"spec": {"port": "3"}}),
        "update": lambda: api.update(one, second.object("a", {"resourceVersion": "1"})),
        "apply": lambda: api.apply(one, second.object("a", spec={"port": "4"})),
        "apply that creates": lambda: api.apply(second.at("n"), second.object("n")),
        "delete": lambda: api.delete(one),
        "status": lambda: api.patch(f"{one}/status", {"status": {}}),
        "scale": lambda: api.get(f"{one}/scale"),
        "delete all": lambda: api.delete(second.path),
    }

    found = {name: said(await request(), kind) for name, request in requests.items()}

    assert found == dict.fromkeys(requests, "failed: broken")
    assert [each["metadata"]["name"] for each in (await api.get(kind.path)).ok()["items"]] == ["a"]
    (await api.get(second.at("nosuch"))).refused(404, "NotFound")


async def test_the_older_review_is_sent_to_those_who_know_no_other(hooked: Hooked, crds: Definitions) -> None:
    hooked.hooks.respond("/convert", converting())
    crd = definition(crds.group, V1, V2)
    webhook = {"clientConfig": hooked.hooks.client("/convert"), "conversionReviewVersions": ["v9", "v1beta1"]}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    kind = await crds.serve_definition(crd)
    (await kind.create("a", spec={"address": "x:1"})).ok()

    found = (await kind.api.get(kind.through("v2").at("a"))).ok()

    assert found["spec"]["host"] == "x"
    assert {review["apiVersion"] for _, review in hooked.hooks.asked} == {"apiextensions.k8s.io/v1beta1"}


async def test_a_webhook_where_nobody_listens_converts_nothing(api: Api, crds: Definitions) -> None:
    crd = definition(crds.group, version("v1"), version("v2", storage=False))
    client = {"url": "https://127.0.0.1:1/convert"}
    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": client}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    widgets = await crds.serve_definition(crd)
    (await widgets.create("a")).ok()

    reply = await api.get(widgets.through("v2").at("a"))

    assert reply.body["message"].endswith("connect: connection refused")
