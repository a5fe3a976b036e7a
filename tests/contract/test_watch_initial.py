"""watch: a list as a stream, and the bookmark at its end."""

from typing import Any

import pytest

from contract import Api, config_map
from contract_crd import Definitions
from contract_reads import (
    INITIAL_EVENTS_END,
    PARTIAL,
    STREAMING_LIST,
    TABLE,
    before,
    current,
    revision,
    summary,
    take,
    version_of,
)


async def test_what_exists_is_followed_by_a_bookmark_and_then_by_what_happens(
    api: Api, config_maps: str
) -> None:
    existing = [(await api.create(config_maps, config_map(name))).ok() for name in ("a", "b")]
    listed = await current(api, config_maps)

    async with api.watch(config_maps, **STREAMING_LIST) as events:
        *initial, bookmark = await take(events, 3)
        created = (await api.create(config_maps, config_map("c"))).ok()
        [then] = await take(events)

    assert [event["type"] for event in initial] == ["ADDED", "ADDED"]
    assert sorted((event["object"] for event in initial), key=revision) == existing
    assert bookmark == {
        "type": "BOOKMARK",
        "object": {
            "kind": "ConfigMap",
            "apiVersion": "v1",
            "metadata": {
                "resourceVersion": version_of(bookmark["object"]),
                "annotations": {INITIAL_EVENTS_END: "true"},
            },
        },
    }
    assert revision(bookmark["object"]) >= int(listed)
    assert then == {"type": "ADDED", "object": created}


async def test_a_custom_kind_has_the_same_bookmark(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()
    created = (await widgets.create("a")).ok()

    async with api.watch(widgets.path, **STREAMING_LIST) as events:
        initial, bookmark = await take(events, 2)

    assert initial == {"type": "ADDED", "object": created}
    assert bookmark["type"] == "BOOKMARK"
    assert bookmark["object"] == {
        "apiVersion": f"{widgets.group}/v1",
        "kind": "Widget",
        "metadata": {
            "resourceVersion": version_of(bookmark["object"]),
            "annotations": {INITIAL_EVENTS_END: "true"},
        },
    }


async def test_where_nothing_exists_the_bookmark_comes_alone(api: Api, config_maps: str) -> None:
    async with api.watch(config_maps, **STREAMING_LIST) as events:
        [bookmark] = await take(events)

    assert bookmark["type"] == "BOOKMARK"
    assert bookmark["object"]["metadata"]["annotations"] == {INITIAL_EVENTS_END: "true"}


async def test_a_watch_goes_on_after_the_version_of_the_bookmark(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    async with api.watch(config_maps, **STREAMING_LIST) as events:
        bookmark = (await take(events, 2))[1]
    created = (await api.create(config_maps, config_map("b"))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(bookmark["object"])) as events:
        assert await take(events) == [{"type": "ADDED", "object": created}]


async def test_the_initial_events_are_not_older_than_the_version(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    newest = (await api.create(config_maps, config_map("b"))).ok()

    async with api.watch(config_maps, resourceVersion=version_of(newest), **STREAMING_LIST) as events:
        *initial, bookmark = await take(events, 3)

    assert {summary(event) for event in initial} == {("ADDED", "a"), ("ADDED", "b")}
    assert revision(bookmark["object"]) >= revision(newest)


async def test_initial_events_are_selected_like_others(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    (await api.create(config_maps, config_map("b", labels={"in": "yes"}))).ok()

    async with api.watch(config_maps, labelSelector="in", **STREAMING_LIST) as events:
        initial, bookmark = await take(events, 2)

    assert summary(initial) == ("ADDED", "b")
    assert bookmark["type"] == "BOOKMARK"


async def test_who_does_not_allow_bookmarks_gets_none(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    query: dict[str, Any] = {**STREAMING_LIST, "allowWatchBookmarks": False}
    async with api.watch(config_maps, **query) as events:
        await take(events)
        (await api.create(config_maps, config_map("end"))).ok()

        assert await before(events, "end") == []


async def test_initial_events_can_be_declined(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    query: dict[str, Any] = {**STREAMING_LIST, "sendInitialEvents": False}
    async with api.watch(config_maps, **query) as events:
        (await api.create(config_maps, config_map("end"))).ok()

        assert await before(events, "end") == []


async def test_the_bookmark_of_metadata_is_metadata(api: Api, config_maps: str) -> None:
    async with api.watch(config_maps, accept=PARTIAL, **STREAMING_LIST) as events:
        [bookmark] = await take(events)

    assert (bookmark["type"], bookmark["object"]["kind"]) == ("BOOKMARK", "PartialObjectMetadata")
    assert bookmark["object"]["metadata"]["annotations"] == {INITIAL_EVENTS_END: "true"}


async def test_the_bookmark_of_a_table_is_in_its_row(api: Api, config_maps: str) -> None:
    async with api.watch(config_maps, accept=TABLE, **STREAMING_LIST) as events:
        [bookmark] = await take(events)

    [row] = bookmark["object"]["rows"]
    assert (bookmark["type"], bookmark["object"]["kind"]) == ("BOOKMARK", "Table")
    assert row["object"]["metadata"]["annotations"] == {INITIAL_EVENTS_END: "true"}
    assert version_of(row["object"]) == version_of(bookmark["object"])


@pytest.mark.parametrize(
    ("query", "messages"),
    [
        (
            {"sendInitialEvents": "true"},
            ["Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"],
        ),
        (
            {"sendInitialEvents": "true", "resourceVersionMatch": "Exact", "resourceVersion": "1"},
            [
                "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
                'Unsupported value: "Exact": supported values: "NotOlderThan"',
            ],
        ),
        (
            {"resourceVersionMatch": "NotOlderThan", "resourceVersion": "1"},
            ["Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"],
        ),
        (
            {"resourceVersionMatch": "Exact", "resourceVersion": "1"},
            [
                "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
                'Unsupported value: "Exact": supported values: "NotOlderThan"',
            ],
        ),
        (
            {"continue": "x"},
            ["Forbidden: resourceVersionMatch is forbidden when continue is provided"],
        ),
    ],
)
async def test_initial_events_and_version_match_need_each_other(
    api: Api, config_maps: str, query: dict[str, str], messages: list[str]
) -> None:
    reply = await api.get(config_maps, watch=True, **query)

    details = reply.refused(422, "Invalid")["details"]
    assert (details["group"], details["kind"]) == ("meta.k8s.io", "ListOptions")
    assert [cause["message"] for cause in details["causes"]] == messages
    assert set(reply.fields) == {"resourceVersionMatch"}


@pytest.mark.parametrize("version", ["", "0"])
async def test_who_names_no_version_has_the_bookmark_too(api: Api, config_maps: str, version: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    async with api.watch(config_maps, resourceVersion=version, allowWatchBookmarks=True) as events:
        initial, bookmark = await take(events, 2)

    assert summary(initial) == ("ADDED", "a")
    assert bookmark["object"]["metadata"]["annotations"] == {INITIAL_EVENTS_END: "true"}
