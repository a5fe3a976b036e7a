"""watch: the stream itself, how it begins and how it ends."""

import asyncio

import orjson
import pytest
import yaml

from contract import JSON, Api, config_map
from contract_callers import bearer
from contract_crd import Definitions
from contract_reads import PARTIAL, TABLE, current, opened, take, version_of
from windlass.testing import Access


async def test_events_are_lines_of_compact_json(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1\n2"}))).ok()

    async with opened(api, config_maps, ("watch", "true")) as stream:
        line = await anext(stream.lines())

    assert line.startswith(b'{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1",')
    assert orjson.loads(line) == {"type": "ADDED", "object": created}


async def test_the_answer_begins_before_there_is_any_event(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)

    async with opened(api, config_maps, ("watch", "true"), ("resourceVersion", since)) as stream:
        headers = stream.headers

    assert stream.status == 200
    assert headers["content-type"] == JSON
    assert headers["transfer-encoding"] == "chunked"
    assert headers["cache-control"] == "no-cache, private"
    assert "content-length" not in headers
    assert headers["audit-id"]


async def test_a_watch_is_never_compressed(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", {"key": "x" * 140_000}))).ok()

    async with opened(api, config_maps, ("watch", "true"), Accept_Encoding="gzip") as stream:
        line = await anext(stream.lines())

    assert "content-encoding" not in stream.headers
    assert len(line) > 140_000


@pytest.mark.parametrize("value", ["true", "1", "", "nonsense"])
async def test_whatever_is_not_false_asks_for_a_watch(api: Api, config_maps: str, value: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    async with opened(api, config_maps, ("watch", value)) as stream:
        assert orjson.loads(await anext(stream.lines()))["type"] == "ADDED"


@pytest.mark.parametrize("value", ["false", "False", "0"])
async def test_a_watch_can_be_declined(api: Api, config_maps: str, value: str) -> None:
    assert (await api.get(config_maps, watch=value)).ok()["kind"] == "ConfigMapList"


async def test_the_stream_ends_in_order_when_its_time_is_over(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    started = asyncio.get_running_loop().time()

    async with api.watch(config_maps, timeoutSeconds=1) as events:
        seen = [event["type"] async for event in events]

    assert seen == ["ADDED"]
    assert asyncio.get_running_loop().time() - started > 0.9


async def test_a_version_that_is_too_old_is_an_error_in_the_stream(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()  # whose history begins here, long after version 1

    async with api.watch(widgets.path, resourceVersion=1, timeoutSeconds=60) as events:
        [error] = [event async for event in events]

    message = error["object"].pop("message")
    assert message.startswith("too old resource version: 1 (")
    assert error == {
        "type": "ERROR",
        "object": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "reason": "Expired",
            "code": 410,
        },
    }


async def test_a_version_that_is_no_number_is_an_error_of_the_server(api: Api, config_maps: str) -> None:
    reply = await api.get(config_maps, watch=True, resourceVersion="abc")

    assert reply.status == 500
    assert reply.body["message"] == (
        'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'
    )


@pytest.mark.parametrize("accept", ["application/yaml", "application/yaml, application/json"])
async def test_a_watch_is_not_to_be_had_as_yaml(api: Api, config_maps: str, accept: str) -> None:
    reply = await api.get(config_maps, watch=True, accept=accept)

    assert (reply.status, reply.headers["content-type"]) == (406, "application/yaml")
    assert yaml.safe_load(reply.body)["message"] == (
        "only the following media types are accepted: application/json;stream=watch, "
        "application/vnd.kubernetes.protobuf;stream=watch"
    )


async def test_a_limit_does_not_limit_a_watch(api: Api, config_maps: str) -> None:
    for name in ("a", "b", "c"):
        (await api.create(config_maps, config_map(name))).ok()

    async with api.watch(config_maps, limit=1) as events:
        assert len(await take(events, 3)) == 3


async def test_a_watch_needs_a_right_of_its_own(
    control_plane: Access, namespace: str, config_maps: str
) -> None:
    async with bearer(control_plane, control_plane.token("nobody")) as nobody:
        refused = (await nobody.get(config_maps, watch=True)).refused(403, "Forbidden")

    assert refused["message"] == (
        'configmaps is forbidden: User "nobody" cannot watch resource "configmaps" in API group "" '
        f'in the namespace "{namespace}"'
    )


async def test_events_can_carry_metadata_alone(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}))).ok()

    async with api.watch(config_maps, accept=PARTIAL) as events:
        (await api.delete(f"{config_maps}/a")).ok()
        added, deleted = await take(events, 2)

    assert added == {
        "type": "ADDED",
        "object": {
            "kind": "PartialObjectMetadata",
            "apiVersion": "meta.k8s.io/v1",
            "metadata": created["metadata"],
        },
    }
    assert deleted["type"] == "DELETED"
    assert set(deleted["object"]) == {"kind", "apiVersion", "metadata"}


async def test_events_can_carry_tables_of_which_only_the_first_has_columns(
    api: Api, config_maps: str
) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}))).ok()

    async with api.watch(config_maps, accept=TABLE) as events:
        changed = (await api.patch(f"{config_maps}/a", {"data": {"other": "2"}})).ok()
        first, second = await take(events, 2)

    assert [first["type"], second["type"]] == ["ADDED", "MODIFIED"]
    assert [column["name"] for column in first["object"]["columnDefinitions"]] == ["Name", "Data", "Age"]
    assert second["object"]["columnDefinitions"] is None
    assert [row["cells"][:2] for row in second["object"]["rows"]] == [["a", 2]]
    assert version_of(first["object"]) == version_of(created)
    assert version_of(second["object"]) == version_of(changed)
