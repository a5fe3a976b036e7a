"""What each verb sends, and what it makes of the answer."""

from __future__ import annotations

import gc
import gzip
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, NamedTuple

import orjson
import pytest

from scripted import ScriptedStream, ScriptedTransport, answer, status
from windlass.api import Field, Kind, ObjectMeta, Resource, Selector, Spec, Status, Untyped
from windlass.client import (
    NO_RETRY,
    Client,
    ClientOptions,
    DeleteOptions,
    Deleter,
    JsonPatch,
    ListOptions,
    MergePatch,
    Patch,
    Reader,
    Request,
    Response,
    StrategicPatch,
    Updater,
    Watcher,
    WatchOptions,
    WriteOptions,
    Writer,
    discover,
    evict,
    find_kind,
    get_scale,
    request_token,
    server_version,
    set_scale,
)
from windlass.errors import ConnectionFailedError, Gone, NotFound, UndecodableError


class AppSpec(Spec):
    replicas: int = 1


class AppStatus(Status):
    ready: int = 0


class App(Resource, group="demo.example.com", version="v1"):
    spec: AppSpec = Field(default_factory=AppSpec)
    status: AppStatus = Field(default_factory=AppStatus)


class Zone(Resource, group="demo.example.com", version="v1", namespaced=False):
    pass


COLLECTION = "/apis/demo.example.com/v1/namespaces/shop/apps"
STORED = {"metadata": {"name": "a", "namespace": "shop", "resourceVersion": "7"}, "spec": {"replicas": 2}}


def scripted(*steps: Any, **options: Any) -> tuple[Client, list[Request]]:
    """A client that gets these answers, and what it asked."""
    transport = ScriptedTransport(list(steps))
    return Client(transport, ClientOptions(**options)), transport.requests


def app(**metadata: Any) -> App:
    return App(metadata=ObjectMeta(name="a", namespace="shop", **metadata), spec=AppSpec(replicas=2))


async def test_get_reads_one_object() -> None:
    client, requests = scripted(answer(body=STORED))

    got = await client.get(App, "a", "shop")

    assert (requests[0].method, requests[0].path) == ("GET", f"{COLLECTION}/a")
    assert (got.spec.replicas, got.metadata.resource_version) == (2, "7")


async def test_a_namespaced_object_without_a_namespace_lies_in_the_clients_own() -> None:
    client, requests = scripted(answer(body=STORED), answer(201, body=STORED), namespace="mine")

    await client.get(App, "a")
    await client.create(App(metadata=ObjectMeta(name="a")))

    assert [request.path for request in requests] == [
        "/apis/demo.example.com/v1/namespaces/mine/apps/a",
        "/apis/demo.example.com/v1/namespaces/mine/apps",
    ]


async def test_a_cluster_wide_object_has_no_namespace() -> None:
    client, requests = scripted(answer(body={"metadata": {"name": "z"}}))

    await client.get(Zone, "z", "ignored")

    assert requests[0].path == "/apis/demo.example.com/v1/zones/z"


async def test_a_name_is_needed_and_escaped() -> None:
    client, requests = scripted(answer(body={"metadata": {"name": "a"}}))

    with pytest.raises(ValueError, match="a Zone needs a name"):
        await client.get(Zone, "")
    await client.get(Zone, "system:a?c")
    assert requests[0].path.endswith("/zones/system:a%3Fc")


@pytest.mark.parametrize("name", ["web/scale", "a%2Fb", ".", ".."])
async def test_a_name_that_would_lead_elsewhere_is_refused(name: str) -> None:
    client, requests = scripted()

    with pytest.raises(ValueError, match="is not a name"):
        await client.get(App, name)
    with pytest.raises(ValueError, match="is not a name"):
        await client.list(App, name)
    with pytest.raises(ValueError, match="is not a name"):
        await client.create(app().model_copy(update={"metadata": ObjectMeta(name="a", namespace=name)}))
    assert requests == []


class Strict(Resource, group="demo.example.com", version="v1"):
    mode: Literal["fast", "safe"]


async def test_a_bookmark_need_not_fit_the_type() -> None:
    bookmark = {"type": "BOOKMARK", "object": {"kind": "Strict", "metadata": {"resourceVersion": "8"}}}
    client, _ = scripted(ScriptedStream((orjson.dumps(bookmark),)))

    assert [each.resource_version async for each in client.watch(Strict)] == ["8"]


async def test_an_answer_that_is_no_json_is_a_failed_connection_everywhere() -> None:
    page = Response(status=200, headers={}, body=b"<html>login</html>")
    client, _ = scripted(page, page, ScriptedStream((b'{"type": "ADD',)))

    with pytest.raises(ConnectionFailedError, match="is this an API server"):
        await client.get(App, "a")
    with pytest.raises(ConnectionFailedError, match="is this an API server"):
        await client.list(App)
    with pytest.raises(ConnectionFailedError, match="not JSON"):
        [each async for each in client.watch(App)]


@pytest.mark.parametrize("body", [b"null", b"[]", b'"ok"', b"1"])
async def test_an_answer_that_is_no_object_is_a_failed_connection_everywhere(body: bytes) -> None:
    said = Response(status=200, headers={}, body=body)
    client, _ = scripted(said, said, said, said, said, ScriptedStream((body,)))

    for asked in (client.get(App, "a"), client.create(app()), client.delete(App, "a", "shop")):
        with pytest.raises(ConnectionFailedError, match=r"no object but .* is this an API server"):
            await asked
    with pytest.raises(ConnectionFailedError, match="no object"):
        await client.delete_collection(App, "shop")
    with pytest.raises(ConnectionFailedError, match="no list"):
        await client.list(App)
    with pytest.raises(ConnectionFailedError, match="no event"):
        [each async for each in client.watch(App)]


@pytest.mark.parametrize("body", [{}, {"ok": True}, status(200, "Success"), {"metadata": {}}])
async def test_an_answer_that_is_no_list_is_not_taken_for_an_empty_one(body: Any) -> None:
    client, _ = scripted(answer(body=body), answer(body={"items": None, "metadata": {}}))

    with pytest.raises(ConnectionFailedError, match=r"GET /apis/.*: the answer is no list but '\{"):
        await client.list(App)
    assert (await client.list(App)).items == []


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b'{"kind": "AppList", "items": []}',
        b'{"type": "ADDED"}',
        b'{"type": "ADDED", "object": {}}',
        b'{"type": "BOOKMARK", "object": {"metadata": null}}',
        b'{"type": "ERROR", "object": null}',
        b'{"object": {"metadata": {}}}',
    ],
)
async def test_a_line_of_a_watch_that_is_no_event_is_a_failed_connection(line: bytes) -> None:
    client, _ = scripted(ScriptedStream((line,)))

    with pytest.raises(ConnectionFailedError, match="the answer is no event but"):
        [each async for each in client.watch(App)]


async def test_list_follows_pages_of_one_snapshot() -> None:
    pages = [
        answer(body={"metadata": {"resourceVersion": "9", "continue": "t"}, "items": [STORED]}),
        answer(body={"metadata": {"resourceVersion": "9"}, "items": [STORED]}),
    ]
    client, requests = scripted(*pages)

    options = ListOptions(page_size=1, resource_version="9", resource_version_match="Exact")
    found = await client.list(App, labels=Selector.of({"a": "b"}), fields="metadata.name=a", options=options)

    assert (len(found), found.resource_version) == (2, "9")
    assert [each.metadata.name for each in found] == ["a", "a"]
    assert dict(requests[0].query) == {
        "labelSelector": "a=b",
        "fieldSelector": "metadata.name=a",
        "limit": "1",
        "resourceVersion": "9",
        "resourceVersionMatch": "Exact",
    }
    assert dict(requests[1].query) == {
        "labelSelector": "a=b",
        "fieldSelector": "metadata.name=a",
        "limit": "1",
        "continue": "t",
    }


async def test_a_shard_is_asked_for_and_told() -> None:
    told = {"resourceVersion": "9", "shardInfo": {"selector": "s"}}
    client, requests = scripted(answer(body={"metadata": told, "items": []}), ScriptedStream(()))

    found = await client.list(App, options=ListOptions(shard="s"))
    assert [each async for each in client.watch(App, options=WatchOptions(shard="s"))] == []

    assert found.shard == "s"
    assert [dict(each.query)["shardSelector"] for each in requests] == ["s", "s"]


def numbered(count: int) -> list[dict[str, Any]]:
    """Objects that take some 200 bytes each on the wire."""
    managed = [{"manager": "x" * 100}]
    return [
        {"metadata": {"name": str(number), "managedFields": managed}, "spec": {"replicas": number}}
        for number in range(count)
    ]


@pytest.mark.parametrize("count", [10, 10_000])
async def test_a_list_has_all_objects_however_long_it_is(count: int) -> None:
    client, _ = scripted(answer(body={"metadata": {"resourceVersion": "9"}, "items": numbered(count)}))

    found = await client.list(App)

    assert [each.metadata.name for each in found] == [str(number) for number in range(count)]
    assert [each.spec.replicas for each in found] == list(range(count))
    assert not any(each.metadata.managed_fields for each in found)
    assert found.resource_version == "9"


async def test_an_object_deep_in_a_long_list_that_does_not_fit_is_named() -> None:
    items = numbered(5000)
    items[4000]["spec"] = {"replicas": "many"}
    client, _ = scripted(answer(body={"metadata": {}, "items": items}))

    with pytest.raises(UndecodableError, match=r"App 4000 does not fit.*spec\.replicas"):
        await client.list(App)


async def test_list_of_all_namespaces_and_of_nothing() -> None:
    client, requests = scripted(answer(body={"metadata": {}, "items": None}))

    assert len(await client.list(App)) == 0
    assert requests[0].path == "/apis/demo.example.com/v1/apps"


def event(kind: str, body: Any) -> bytes:
    return orjson.dumps({"type": kind, "object": body})


async def test_watch_yields_events_and_asks_for_the_present_first() -> None:
    end = {"metadata": {"resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}}
    lines = (event("ADDED", STORED), event("BOOKMARK", end), b"", event("DELETED", STORED))
    client, requests = scripted(ScriptedStream(lines))

    options = WatchOptions(initial_events=True, timeout=timedelta(minutes=5))
    seen = [each async for each in client.watch(App, "shop", options=options)]

    assert [each.type for each in seen] == ["ADDED", "BOOKMARK", "DELETED"]
    assert [each.initial_events_end for each in seen] == [False, True, False]
    assert [each.resource_version for each in seen] == ["7", "9", "7"]
    assert dict(requests[0].query) == {
        "watch": "true",
        "allowWatchBookmarks": "true",
        "sendInitialEvents": "true",
        "resourceVersionMatch": "NotOlderThan",
        "timeoutSeconds": "300",
    }
    assert requests[0].timeout == timedelta(minutes=5, seconds=30)


async def test_an_error_in_a_watch_is_raised() -> None:
    client, _ = scripted(ScriptedStream((event("ERROR", status(410, "Expired", "too old")),)))

    with pytest.raises(Gone, match="too old"):
        [each async for each in client.watch(App, options=WatchOptions(resource_version="1"))]


async def test_writes_carry_the_clients_options() -> None:
    write = WriteOptions(field_manager="shop-operator", field_validation="Strict")
    client, requests = scripted(*[answer(body=STORED)] * 4, write=write)

    await client.create(app())
    await client.using(dry_run=True).update(app())
    await client.apply(app(), force=True)
    await client.status.update(app())

    assert [request.method for request in requests] == ["POST", "PUT", "PATCH", "PUT"]
    common = {"fieldManager": "shop-operator", "fieldValidation": "Strict"}
    assert [dict(request.query) for request in requests] == [
        common,
        common | {"dryRun": "All"},
        common | {"force": "true"},
        common,
    ]
    assert requests[3].path == f"{COLLECTION}/a/status"


async def test_apply_leaves_the_servers_bookkeeping_out() -> None:
    client, requests = scripted(answer(body=STORED))

    await client.apply(app(managed_fields=[{"manager": "other"}]))

    assert requests[0].headers["Content-Type"] == "application/apply-patch+yaml"
    assert orjson.loads(requests[0].body) == {
        "apiVersion": "demo.example.com/v1",
        "kind": "App",
        "metadata": {"name": "a", "namespace": "shop"},
        "spec": {"replicas": 2},
    }


@pytest.mark.parametrize(
    ("patch", "content_type", "body"),
    [
        (JsonPatch([{"op": "remove", "path": "/spec"}]), "application/json-patch+json", [{"op": "remove", "path": "/spec"}]),
        (MergePatch({"spec": None}), "application/merge-patch+json", {"spec": None}),
        (StrategicPatch({"spec": {}}), "application/strategic-merge-patch+json", {"spec": {}}),
    ],
)  # fmt: skip
async def test_each_patch_has_its_content_type(patch: Patch, content_type: str, body: Any) -> None:
    client, requests = scripted(answer(body=STORED), answer(body=STORED))

    await client.patch(App, "a", patch, "shop")
    await client.subresource("status").patch(App, "a", patch, "shop")

    assert {request.headers["Content-Type"] for request in requests} == {content_type}
    assert orjson.loads(requests[0].body) == body
    assert requests[1].path == f"{COLLECTION}/a/status"


async def test_delete_tells_whether_the_object_is_still_there() -> None:
    client, requests = scripted(answer(body={"kind": "Status", "status": "Success"}), answer(body=STORED))
    options = DeleteOptions(
        propagation="Foreground", grace_period=timedelta(seconds=3), uid="u", resource_version="7"
    )

    assert await client.delete(App, "a", "shop", options=options) is None
    still_there = await client.using(dry_run=True).delete(App, "a", "shop")

    assert still_there is not None
    assert still_there.metadata.name == "a"
    assert orjson.loads(requests[0].body) == {
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "propagationPolicy": "Foreground",
        "gracePeriodSeconds": 3,
        "preconditions": {"uid": "u", "resourceVersion": "7"},
    }
    assert orjson.loads(requests[1].body)["dryRun"] == ["All"]


async def test_delete_collection_stays_in_one_namespace() -> None:
    client, requests = scripted(answer(body={"kind": "AppList", "items": []}))

    await client.delete_collection(App, labels="a=b", fields="metadata.name=x")

    assert requests[0].path == "/apis/demo.example.com/v1/namespaces/default/apps"
    assert requests[0].query == (("labelSelector", "a=b"), ("fieldSelector", "metadata.name=x"))


async def test_untyped_objects_go_the_same_way() -> None:
    kind = Untyped.of(Kind("apps", "v1", "Deployment", "deployments"))
    client, requests = scripted(answer(body=STORED), answer(body=STORED))

    got = await client.get(kind, "a", "shop")
    got["spec"]["replicas"] = 5
    await client.update(got)

    assert orjson.loads(requests[1].body)["spec"] == {"replicas": 5}
    assert requests[1].path == "/apis/apps/v1/namespaces/shop/deployments/a"


async def test_scale_is_read_and_set_for_any_kind() -> None:
    scale = {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "spec": {"replicas": 3},
        "status": {"replicas": 2},
    }
    client, requests = scripted(answer(body=scale), answer(body=scale))

    read = await get_scale(client, App, "a", "shop")
    await set_scale(client, App, "a", 5, "shop")

    assert (read.spec.replicas, read.status.replicas) == (3, 2)
    assert orjson.loads(requests[1].body) == {"spec": {"replicas": 5}}
    assert {request.path for request in requests} == {f"{COLLECTION}/a/scale"}


async def test_evict_and_request_token_post_their_forms() -> None:
    token = {"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "spec": {"audiences": []}}
    client, requests = scripted(
        answer(201, {"kind": "Status"}),
        answer(201, token | {"status": {"token": "abc", "expirationTimestamp": None}}),
    )

    await evict(client, "p", "shop", DeleteOptions(grace_period=timedelta()))
    issued = await request_token(client, "robot", "shop", ["vault"], timedelta(hours=2))

    assert issued.token == "abc"
    eviction, request = (orjson.loads(each.body) for each in requests)
    assert eviction["deleteOptions"]["gracePeriodSeconds"] == 0
    assert request["spec"] == {"audiences": ["vault"], "expirationSeconds": 7200}
    assert requests[1].path == "/api/v1/namespaces/shop/serviceaccounts/robot/token"


async def test_discovery_tells_every_kind_with_two_requests() -> None:
    group = {
        "metadata": {"name": "demo.example.com"},
        "versions": [
            {
                "version": version,
                "resources": [
                    {
                        "resource": "apps",
                        "responseKind": {"kind": "App"},
                        "scope": "Namespaced",
                        "verbs": ["get"],
                        "shortNames": ["ap"],
                        "subresources": [{"subresource": "status"}],
                    }
                ],
            }
            for version in ("v2", "v1")
        ],
    }
    client, requests = scripted(answer(body={"items": []}), answer(body={"items": [group]}))

    newer, older = await discover(client)

    assert newer.kind == Kind("demo.example.com", "v2", "App", "apps", subresources=("status",))
    assert (newer.preferred, older.preferred, newer.short_names) == (True, False, ("ap",))
    assert [request.path for request in requests] == ["/api", "/apis"]


async def test_discovery_passes_over_what_has_no_kind() -> None:
    named = {"resource": "apps", "responseKind": {"kind": "App"}, "scope": "Cluster", "verbs": ["get"]}
    nameless = [
        {"resource": "a", "scope": "Cluster", "verbs": []},
        {"resource": "b", "responseKind": {"kind": ""}, "scope": "Cluster", "verbs": []},
    ]
    group = {
        "metadata": {"name": "demo.example.com"},
        "versions": [{"version": "v1", "resources": [*nameless, named]}],
    }
    client, _ = scripted(
        answer(body={"kind": "APIGroupDiscoveryList", "items": []}),
        answer(body={"kind": "APIGroupDiscoveryList", "items": [group]}),
    )

    assert [served.kind.name for served in await discover(client)] == ["App"]


async def test_discovery_walks_the_documents_of_an_older_server() -> None:
    pods = [
        {"name": "pods", "kind": "Pod", "namespaced": True, "verbs": ["get"], "shortNames": ["po"]},
        {"name": "pods/status", "kind": "Pod", "namespaced": True, "verbs": ["get"]},
        {"name": "pods/eviction", "kind": "Eviction", "namespaced": True, "verbs": ["create"]},
    ]
    apps = [{"name": "apps", "kind": "App", "namespaced": False, "verbs": ["list"], "categories": ["all"]}]
    groups = [
        {"name": "demo.example.com", "versions": [{"version": "v1"}, {"version": "v1beta1"}]},
        {"name": "metrics.k8s.io", "versions": [{"version": "v1beta1"}]},
    ]
    client, requests = scripted(
        answer(body={"kind": "APIVersions", "versions": ["v1"]}),
        answer(body={"kind": "APIResourceList", "resources": pods}),
        answer(body={"kind": "APIGroupList", "groups": groups}),
        answer(body={"kind": "APIResourceList", "resources": apps}),
        answer(body={"kind": "APIResourceList", "resources": apps}),
        answer(503, status(503, "ServiceUnavailable", "the extension server is down")),
    )

    pod, app, older = await discover(client)

    assert (pod.kind, pod.kind.subresources) == (Kind("", "v1", "Pod", "pods"), ("eviction", "status"))
    assert (pod.verbs, pod.short_names, pod.preferred) == (("get",), ("po",), True)
    assert app.kind == Kind("demo.example.com", "v1", "App", "apps", namespaced=False)
    assert (app.categories, app.preferred, older.kind.version, older.preferred) == (
        ("all",), True, "v1beta1", False,
    )  # fmt: skip
    assert [request.path for request in requests] == [
        "/api",
        "/api/v1",
        "/apis",
        "/apis/demo.example.com/v1",
        "/apis/demo.example.com/v1beta1",
        "/apis/metrics.k8s.io/v1beta1",
    ]


async def test_a_kind_is_found_by_name_or_is_not_served() -> None:
    resources = [
        {"name": "apps", "kind": "App", "namespaced": True},
        {"name": "apps/status", "kind": "App", "namespaced": True},
    ]
    client, _ = scripted(*[answer(body={"resources": resources})] * 2, answer(body={"gitVersion": "v1.36.3"}))

    found = await find_kind(client, "demo.example.com/v1", "App")
    assert found.__kind__ == Kind("demo.example.com", "v1", "App", "apps", subresources=("status",))
    with pytest.raises(NotFound, match="no Other in it"):
        await find_kind(client, "demo.example.com/v1", "Other")
    assert (await server_version(client))["gitVersion"] == "v1.36.3"


class Interfaces(NamedTuple):
    """What code may ask for in place of a client; a type checker holds that a client is all of it."""

    reader: Reader
    watcher: Watcher
    writer: Writer
    updater: Updater
    deleter: Deleter


async def test_a_client_is_whatever_small_interface_is_asked_for() -> None:
    client, requests = scripted(answer(body=STORED), answer(body=STORED))
    parts = Interfaces(client, client, client, client.status, client)

    await parts.reader.get(App, "a", "shop")
    await parts.updater.update(app())

    assert [request.path for request in requests] == [f"{COLLECTION}/a", f"{COLLECTION}/a/status"]


async def test_a_list_may_come_packed_and_nothing_else_may() -> None:
    body = orjson.dumps({"metadata": {"resourceVersion": "7"}, "items": [STORED] * 1000})
    packed = Response(status=200, headers={}, body=gzip.compress(body), packing="gzip")
    client, requests = scripted(packed, replace(packed, body=packed.body[:-9]), answer(body=STORED))

    found = await client.list(App)
    with pytest.raises(ConnectionFailedError, match="the answer is damaged"):
        await client.list(App)
    await client.get(App, "a", "shop")

    assert (len(found), found.resource_version) == (1000, "7")
    assert found.items[999] == App.from_wire(STORED)
    assert [request.packed for request in requests] == [True, True, False]


@pytest.mark.parametrize("enabled", [True, False])
async def test_a_list_leaves_the_collector_as_it_was(enabled: bool) -> None:  # noqa: FBT001 - a case
    client, _ = scripted(
        answer(body={"metadata": {}, "items": [STORED]}), Response(status=200, headers={}, body=b"<")
    )
    was, frozen = gc.isenabled(), gc.get_freeze_count()
    (gc.enable if enabled else gc.disable)()
    try:
        await client.list(App)
        after_a_list = gc.isenabled()
        with pytest.raises(ConnectionFailedError):
            await client.list(App)
        after_a_failure = gc.isenabled()
    finally:
        (gc.enable if was else gc.disable)()

    assert (after_a_list, after_a_failure) == (enabled, enabled)
    assert gc.get_freeze_count() <= frozen


async def test_any_other_answer_may_be_read_in_lines() -> None:
    transport = ScriptedTransport([ScriptedStream((b"one", b"two")), ScriptedStream((b"{}",), code=404)])
    client = Client(transport)
    request = Request(method="GET", path="/logs")

    async with client.stream(request) as stream:
        assert [line async for line in stream.lines()] == [b"one", b"two"]
    with pytest.raises(NotFound):
        async with client.stream(request):
            pass
    assert transport.left == 2


async def test_who_has_rules_of_their_own_has_nothing_sent_again() -> None:
    failure = ConnectionFailedError("refused")
    transport = ScriptedTransport([failure, answer(200, {"a": 1})])
    client = Client(transport).retrying(NO_RETRY)

    with pytest.raises(ConnectionFailedError):
        await client.json(Request(method="GET", path="/version"))
    assert await client.json(Request(method="GET", path="/version")) == {"a": 1}
