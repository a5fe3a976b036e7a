"""Following a server: lists, watches, and whatever happens between the two sides."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from caching import Setup, Widget, config_map, eventually, key, turns
from scripted import answer, status
from windlass.cache import CacheOptions, Phase
from windlass.client import Request, Response
from windlass.cluster import Cluster
from windlass.errors import ConnectionFailedError
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.cache import Informer


def page(size: int) -> Request:
    return Request(method="GET", path="/api/v1/configmaps", query=(("limit", str(size)),))


def names(informer: Informer[ConfigMap]) -> list[str]:
    return sorted(each.name for each in informer.keys())  # noqa: SIM118 - not a dictionary


def compact(cluster: Cluster) -> None:
    """The server forgets what happened to config maps so far."""
    collection = cluster.server.world.store.collection("/configmaps")
    collection._drop(len(collection._changes))


async def test_what_is_there_is_told_as_listed_and_what_happens_then_as_single_steps(setup: Setup) -> None:
    await setup.client.create(config_map("a"))
    informer = setup.informer(ConfigMap)

    async with setup.running():
        await informer.synced()
        assert [change.listed for change in setup.notes.changes] == [True]
        assert setup.notes.told() == [("added", "a")]

        made = await setup.client.create(config_map("b", x="1"))
        made.data["x"] = "2"
        await setup.client.update(made)
        await setup.client.delete(ConfigMap, "b", "default")
        await eventually(lambda: len(setup.notes.changes) == 3)

    assert not any(change.listed for change in setup.notes.changes)
    assert setup.notes.changes[1].paths == (".data.x",)
    assert setup.notes.told() == [("added", "b"), ("modified", "b"), ("deleted", "b")]


async def test_the_list_is_streamed_and_the_same_stream_goes_on(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)

    async with setup.running():
        await informer.synced()
        await setup.client.create(config_map("a"))
        await eventually(lambda: names(informer) == ["a"])

    [asked] = setup.transport.asked
    assert asked["sendInitialEvents"] == "true"
    assert asked["resourceVersionMatch"] == "NotOlderThan"
    assert asked["allowWatchBookmarks"] == "true"
    assert 300 <= int(asked["timeoutSeconds"]) <= 600


@pytest.mark.parametrize(("code", "reason"), [(400, "BadRequest"), (422, "Invalid")])
async def test_a_server_that_refuses_to_stream_is_read_in_pages(code: int, reason: str) -> None:
    async with Cluster() as cluster:
        setup = Setup(cluster, CacheOptions(page_size=2))
        for name in "abcde":
            await setup.client.create(config_map(name))
        setup.transport.refusals = [answer(code, status(code, reason))]
        informer = setup.informer(ConfigMap)

        async with setup.running():
            await informer.synced()
            assert names(informer) == list("abcde")
            assert [asked.get("limit") for asked in setup.transport.asked[1:4]] == ["2", "2", "2"]

            await setup.client.create(config_map("f"))
            await eventually(lambda: names(informer) == list("abcdef"))

        assert "resourceVersion" in setup.transport.asked[4]


async def test_a_server_that_never_closes_the_stream_of_the_list_is_read_in_pages(setup: Setup) -> None:
    await setup.client.create(config_map("a"))
    setup.transport.mute = True
    informer = setup.informer(ConfigMap)

    async with setup.running():
        await eventually(lambda: setup.transport.streams == 1)
        await setup.clock.advance(timedelta(seconds=9))
        assert len(setup.transport.requests) == 1
        setup.transport.mute = False
        await setup.clock.advance(timedelta(seconds=1))
        await informer.synced()

    assert names(informer) == ["a"]
    assert setup.transport.asked[1]["limit"] == "500"


async def test_pages_that_the_server_forgets_half_way_are_read_in_one_piece() -> None:
    async with Cluster() as cluster:
        setup = Setup(cluster, CacheOptions(page_size=2))
        for name in "abc":
            await setup.client.create(config_map(name))
        first = await setup.client.send(page(2))
        expired = answer(410, status(410, "Expired"))
        refused = answer(422, status(422, "Invalid"))
        setup.transport.refusals = [refused, first, expired]
        informer = setup.informer(ConfigMap)

        async with setup.running():
            await informer.synced()

        assert names(informer) == ["a", "b", "c"]
        assert [asked.get("limit") for asked in setup.transport.asked[1:4]] == ["2", "2", None]
        assert sorted(setup.notes.told()) == [("added", "a"), ("added", "b"), ("added", "c")]


async def test_after_a_cut_the_watch_goes_on_where_it_was(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        await setup.client.create(config_map("a"))
        await eventually(lambda: names(informer) == ["a"])
        setup.notes.told()

        setup.transport.cut()
        await setup.client.create(config_map("b"))
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        assert "cut" in informer.state.reason
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: names(informer) == ["a", "b"])

        assert informer.state.phase is Phase.SYNCED
        assert [change.listed for change in setup.notes.changes] == [False]


async def test_a_watch_that_ends_in_the_usual_way_is_begun_again_at_once(setup: Setup) -> None:
    setup.cluster.server.world.clock = setup.clock
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        await setup.clock.advance(timedelta(seconds=int(setup.transport.asked[0]["timeoutSeconds"])))
        await eventually(lambda: len(setup.transport.requests) == 2)
        assert informer.state.phase is Phase.SYNCED

        await setup.client.create(config_map("a"))
        await eventually(lambda: names(informer) == ["a"])


async def test_a_server_that_is_down_is_tried_ever_more_seldom(setup: Setup) -> None:
    setup.transport.partition()
    informer = setup.informer(ConfigMap)
    async with setup.running():
        for _ in range(12):
            await turns()
            await setup.clock.advance(timedelta(minutes=1))
        pauses = [pause.total_seconds() for pause in setup.clock.sleeps if pause < timedelta(minutes=1)]
        pauses = [pause for pause in pauses if pause != 10]
        assert informer.state.phase is Phase.BEHIND
        assert all(0.4 * 2**n <= pause <= 0.8 * 2**n for n, pause in enumerate(pauses[:5]))
        assert all(15 <= pause <= 30 for pause in pauses[6:])
        assert setup.cache.behind() == {informer: str(informer.state)}

        setup.transport.heal()
        await setup.clock.advance(timedelta(minutes=1))
        await informer.synced()
        assert setup.cache.behind() == {}


@pytest.mark.parametrize("form", ["answer", "event"])
async def test_a_version_that_is_no_longer_kept_is_made_good_by_the_difference(
    setup: Setup, form: str
) -> None:
    for name in ("same", "changes", "goes"):
        await setup.client.create(config_map(name, x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()

        setup.transport.cut()
        changing = await setup.client.get(ConfigMap, "changes", "default")
        changing.data["x"] = "2"
        await setup.client.update(changing)
        await setup.client.delete(ConfigMap, "goes", "default")
        await setup.client.create(config_map("comes"))
        compact(setup.cluster)
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        if form == "answer":  # to the second request: the first one asks how far the server is
            first = await setup.client.send(page(1))
            setup.transport.refusals = [first, answer(410, status(410, "Expired"))]
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: names(informer) == ["changes", "comes", "same"])

        assert all(change.listed for change in setup.notes.changes)
        assert sorted(setup.notes.told()) == [
            ("added", "comes"),
            ("deleted", "goes"),
            ("modified", "changes"),
        ]
        assert informer.state.phase is Phase.SYNCED


async def test_a_server_whose_versions_went_back_is_read_anew(setup: Setup) -> None:
    for name in "abc":
        await setup.client.create(config_map(name))
    informer = setup.informer(ConfigMap)
    async with Cluster() as restored, setup.running():
        await informer.synced()
        setup.notes.told()
        setup.transport.use(restored.transport())
        setup.transport.cut()
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: informer.state.phase is Phase.SYNCED)

        assert sorted(setup.notes.told()) == [("deleted", "a"), ("deleted", "b"), ("deleted", "c")]


async def test_a_change_that_is_older_than_the_last_one_makes_everything_be_read_anew(setup: Setup) -> None:
    for name in "abc":
        await setup.client.create(config_map(name))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.cluster.server.world.store._revision = 100
        await setup.client.create(config_map("d"))
        await eventually(lambda: names(informer) == list("abcd"))
        await setup.client.create(config_map("e"))
        await eventually(lambda: names(informer) == list("abcde"))

        assert len(setup.transport.requests) > 1


async def test_a_kind_that_is_not_there_is_waited_for(setup: Setup, caplog: pytest.LogCaptureFixture) -> None:
    informer = setup.informer(Widget)
    with caplog.at_level("INFO", "windlass.cache"):
        async with setup.running():
            await eventually(lambda: informer.state.phase is Phase.WAITING)
            for _ in range(5):
                await setup.clock.advance(timedelta(seconds=30))
                await turns()
            assert not informer.is_synced

            await install_kinds(setup.client, [Widget])
            await setup.client.create(Widget(metadata={"name": "w", "namespace": "default"}))  # type: ignore[arg-type]
            await setup.clock.advance(timedelta(seconds=30))
            await informer.synced()

    assert informer.keys() == [key("w")]
    assert informer.state.phase is Phase.SYNCED
    assert [record.message for record in caplog.records] == [
        "Widget: the server does not serve the kind, waiting for it",
        "Widget: the server serves the kind now",
    ]


async def test_the_objects_of_a_kind_that_is_deleted_are_told_as_deleted(setup: Setup) -> None:
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    await install_kinds(setup.client, [Widget])
    await setup.client.create(Widget(metadata={"name": "w", "namespace": "default"}))  # type: ignore[arg-type]
    informer = setup.informer(Widget)
    async with setup.running():
        await informer.synced()
        await setup.client.delete(CustomResourceDefinition, "widgets.cache.example.com")
        await eventually(lambda: informer.state.phase is Phase.WAITING)
        await setup.clock.advance(timedelta(seconds=2))
        await eventually(lambda: informer.keys() == [])
        assert setup.notes.told() == [("added", "w"), ("deleted", "w")]

        await install_kinds(setup.client, [Widget])
        await setup.client.create(Widget(metadata={"name": "x", "namespace": "default"}))  # type: ignore[arg-type]
        await setup.clock.advance(timedelta(minutes=1))
        await informer.synced()
        assert informer.keys() == [key("x")]


async def test_one_not_found_alone_deletes_nothing(setup: Setup) -> None:
    await setup.client.create(config_map("a"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()
        first = await setup.client.send(page(1))
        setup.transport.refusals = [first, answer(404, status(404, "NotFound"))]
        setup.transport.cut()
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: informer.state.phase is Phase.WAITING)
        await setup.clock.advance(timedelta(seconds=1))
        await informer.synced()

        assert setup.notes.told() == []
        assert names(informer) == ["a"]


async def test_a_missing_right_is_told_with_its_rule_and_asked_for_seldom(setup: Setup) -> None:
    setup.transport.use(setup.cluster.transport("nobody"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        assert 'resources: ["configmaps"]' in informer.state.reason
        await setup.clock.advance(timedelta(seconds=4))
        assert len(setup.transport.requests) == 1

        setup.transport.use(setup.cluster.transport())
        await setup.clock.advance(timedelta(seconds=10))
        await informer.synced()


async def test_a_silent_watch_is_given_up_and_begun_anew(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.transport.mute = True
        await setup.client.create(config_map("a"))
        await setup.clock.advance(timedelta(seconds=149))
        assert len(setup.transport.requests) == 1
        setup.transport.mute = False
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: names(informer) == ["a"])

        assert setup.transport.asked[1]["limit"] == "1"
        assert informer.state.phase is Phase.SYNCED
        assert informer.last_progress == setup.clock.monotonic()


async def test_a_watch_that_hears_bookmarks_alone_is_alive(setup: Setup) -> None:
    setup.cluster.server.world.clock = setup.clock
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        await setup.clock.advance(timedelta(seconds=290))
        assert len(setup.transport.requests) == 1
        assert informer.last_progress == 240


async def test_a_server_that_is_busy_is_left_alone_for_as_long_as_it_says(setup: Setup) -> None:
    setup.transport.refusals = [answer(429, status(429, "TooManyRequests"), retry_after="20")]
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        await setup.clock.advance(timedelta(seconds=19))
        assert len(setup.transport.requests) == 1
        await setup.clock.advance(timedelta(seconds=1))
        await informer.synced()


async def test_a_line_that_is_cut_off_is_a_cut(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    setup.transport.refusals = [
        answer(200, {"type": "ADDED"}),
        ConnectionFailedError("reset"),
    ]
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        assert "no event" in informer.state.reason
        await setup.clock.advance(timedelta(seconds=10))
        await informer.synced()


@pytest.mark.parametrize(
    "said",
    [{"type": "ADDED", "object": {}}, {"type": "BOOKMARK", "object": {}}, {"type": "ADDED", "object": []}],
)
async def test_an_event_without_an_object_is_a_cut(setup: Setup, said: Any) -> None:
    informer = setup.informer(ConfigMap)
    setup.transport.refusals = [answer(200, said)]
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        assert "no event" in informer.state.reason
        await setup.clock.advance(timedelta(seconds=10))
        await informer.synced()


@pytest.mark.parametrize("said", [[], {}, {"ok": True}, status(200, "Success") | {"metadata": {}}])
async def test_an_answer_that_is_no_list_is_not_taken_for_an_empty_one(setup: Setup, said: Any) -> None:
    await setup.client.create(config_map("a"))
    informer = setup.informer(ConfigMap)
    setup.transport.refusals = [answer(422, status(422, "Invalid")), answer(200, said)]
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        assert "no list" in informer.state.reason
        await setup.clock.advance(timedelta(seconds=10))
        await informer.synced()
        assert names(informer) == ["a"]


async def test_a_watch_that_ends_at_once_is_not_begun_again_at_once(setup: Setup) -> None:
    setup.transport.refusals = [Response(status=200, headers={}, body=b"")]
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        await setup.clock.advance(timedelta(seconds=1))
        await informer.synced()


async def test_a_burst_of_changes_lets_others_run(setup: Setup) -> None:
    for number in range(1000):
        await setup.client.create(config_map(f"a{number}", x=orjson.dumps(number).decode()))
    seen: list[int] = []
    informer = setup.informer(ConfigMap)
    async with setup.running():
        while not informer.is_synced:
            seen.append(len(setup.notes.changes))
            await turns(1)

    steps = [after - before for before, after in pairwise(seen)]
    assert max(steps) <= 256


@pytest.mark.parametrize(
    "event",
    [
        {"type": "ADDED", "object": None},
        {"type": "MODIFIED", "object": {"metadata": {}}},
        {"type": "BOOKMARK", "object": {"metadata": {}}},
        {"type": "ERROR", "object": None},
    ],
)
async def test_an_event_about_nothing_is_a_cut(setup: Setup, event: dict[str, object]) -> None:
    informer = setup.informer(ConfigMap)
    setup.transport.refusals = [answer(200, event)]
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        await setup.clock.advance(timedelta(seconds=10))
        await informer.synced()


@pytest.mark.parametrize("body", [{"please": "log in"}, ["?"], {"metadata": {}, "items": []}])
async def test_an_answer_that_is_no_list_is_asked_for_again_after_a_while(setup: Setup, body: object) -> None:
    setup.transport.refusals = [answer(400, status(400, "BadRequest")), answer(200, body)]
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await eventually(lambda: informer.state.phase is Phase.BEHIND)
        assert "no list" in informer.state.reason
        assert len(setup.transport.requests) == 2
        await setup.clock.advance(timedelta(seconds=10))
        await informer.synced()
