"""Several informers in one cache: shared, added, removed, and within a budget."""

from __future__ import annotations

from datetime import timedelta

import pytest

from caching import Notes, Setup, config_map, eventually, key, turns
from scripted import answer, status
from windlass.api import Change, ObjectMeta, Selection, Selector, mark
from windlass.cache import CacheOptions, Phase
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.errors import ConfigError, NotCachedError
from windlass.kinds.core.v1 import ConfigMap, Secret

LARGE = "x" * 5000


async def test_equal_kind_and_selection_share_one_informer(setup: Setup) -> None:
    cache = setup.cache
    one = cache.informer(ConfigMap, Selection(labels="app=web"))

    assert cache.informer(ConfigMap, Selection(labels=Selector.parse("app=web"))) is one
    assert cache.informer(ConfigMap, Selection(labels="app=web"), keep_manager="m") is one
    assert cache.informer(ConfigMap) is not one
    assert len(cache.informers) == 2


def test_an_informer_that_is_also_declared_is_not_dynamic(setup: Setup) -> None:
    dynamic = setup.cache.informer(ConfigMap, dynamic=True)
    declared = setup.cache.informer(Secret)
    assert (dynamic.is_dynamic, declared.is_dynamic) == (True, False)

    assert setup.cache.informer(ConfigMap, dynamic=True).is_dynamic
    assert not setup.cache.informer(Secret, dynamic=True).is_dynamic
    assert not setup.cache.informer(ConfigMap).is_dynamic


async def test_an_informer_asked_for_while_the_cache_runs_starts_at_once(setup: Setup) -> None:
    await setup.client.create(config_map("a"))
    await setup.client.create(config_map("b", "kube-system"))
    async with setup.running():
        await turns()
        default = setup.cache.informer(ConfigMap, Selection(namespace="default"))
        system = setup.cache.informer(ConfigMap, Selection(namespace="kube-system"))
        await default.synced()
        await system.synced()

        assert default.keys() == [key("a")]
        assert system.keys() == [key("b", "kube-system")]


async def test_an_informer_that_is_removed_stops_and_holds_nothing(setup: Setup) -> None:
    await setup.client.create(config_map("a"))
    kept, removed = setup.cache.informer(Secret), setup.informer(ConfigMap)
    async with setup.running():
        await kept.synced()
        await removed.synced()
        setup.cache.remove(removed)
        await eventually(lambda: setup.transport.streams == 1)
        setup.notes.told()
        await setup.client.create(config_map("b"))
        await turns()

        assert (removed.keys(), removed.size, setup.notes.told()) == ([], 0, [])
        assert setup.cache.informers == [kept]
        with pytest.raises(ValueError, match="not in this cache"):
            setup.cache.remove(removed)

        again = setup.cache.informer(ConfigMap)
        await again.synced()
        assert again is not removed
        assert len(again.keys()) == 2
        with pytest.raises(ValueError, match="not in this cache"):
            setup.cache.remove(removed)
        assert setup.cache.informers == [kept, again]


async def test_a_cache_that_runs_again_goes_on_where_it_was(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
    assert setup.transport.streams == 0
    await setup.client.create(config_map("a"))
    async with setup.running():
        await eventually(lambda: len(setup.notes.changes) == 1)

    assert setup.notes.told() == [("added", "a")]
    assert not setup.transport.asked[-1].get("sendInitialEvents")


async def test_one_who_listens_late_is_given_everything_and_then_every_change(setup: Setup) -> None:
    for number in range(600):
        await setup.client.create(config_map(f"a{number}"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        late = Notes()
        informer.listen(late)
        assert not informer.is_synced
        await setup.client.delete(ConfigMap, "a5", "default")
        await setup.client.create(config_map("b"))
        await informer.synced()
        await eventually(lambda: len(setup.notes.world) == 600)

        assert all(change.listed for change in late.changes[:500])
        assert late.world == setup.notes.world


async def test_one_who_no_longer_listens_is_told_nothing(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    heard: list[Change[ConfigMap]] = []
    stop = informer.listen(heard.append)
    async with setup.running():
        await informer.synced()
        await setup.client.create(config_map("a"))
        await eventually(lambda: len(heard) == 1)
        stop()
        stop()
        await setup.client.create(config_map("b"))
        await eventually(lambda: len(setup.notes.changes) == 2)

    assert len(heard) == 1


async def test_what_a_listener_raises_ends_the_cache(setup: Setup) -> None:
    await setup.client.create(config_map("a"))

    def fail(change: Change[ConfigMap]) -> None:
        raise RuntimeError(f"cannot take {change.key}")

    setup.cache.informer(ConfigMap).listen(fail)
    with pytest.raises(ExceptionGroup) as raised:
        await setup.cache.run()

    assert raised.group_contains(RuntimeError, match="cannot take default/a")


async def test_bytes_are_those_of_the_objects_by_kind(setup: Setup) -> None:
    await setup.client.create(config_map("a", x=LARGE))
    informer = setup.informer(ConfigMap)
    setup.informer(Secret)
    async with setup.running():
        await informer.synced()
        size = setup.cache.bytes()["configmaps"]
        assert len(LARGE) < size < len(LARGE) + 600
        assert setup.cache.bytes()["secrets"] == 0

        await setup.client.delete(ConfigMap, "a", "default")
        await eventually(lambda: informer.keys() == [])
        assert setup.cache.bytes()["configmaps"] == 0


async def _over_budget(cluster: Cluster) -> Setup:
    setup = Setup(cluster, CacheOptions(budget=200_000))
    for number in range(50):
        made = config_map(f"a{number}", x=LARGE, n=str(number))
        made.metadata.labels["even"] = str(number % 2 == 0)
        await setup.client.create(made)
    await setup.client.create(
        Secret(metadata=ObjectMeta(name="s", namespace="default"), data={"password": b"hunter2"})
    )
    return setup


async def test_past_the_budget_the_largest_kind_is_reduced_to_its_metadata(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Cluster() as cluster:
        setup = await _over_budget(cluster)
        large, small = setup.informer(ConfigMap), setup.informer(Secret)
        async with setup.running():
            await large.synced()
            await small.synced()
            await eventually(lambda: large.state.phase is Phase.REDUCED and not large.is_reducing)

            assert sum(setup.cache.bytes().values()) < 50_000
            assert "200000" in large.state.reason
            assert setup.cache.behind() == {}
            assert small.state.phase is Phase.SYNCED
            assert len(large.keys()) == 50
            assert caplog.text.count("keeping metadata only") == 1

            assert large.live_reads == 0
            found = await large.get(key("a7"))
            assert found is not None
            assert found.data["x"] == LARGE
            assert large.live_reads == 1
            assert len(await large.list("default", "even=True")) == 25
            assert large.live_reads == 2


async def test_a_reduced_informer_still_tells_every_change_and_reads_what_we_wrote() -> None:
    async with Cluster() as cluster:
        setup = await _over_budget(cluster)
        informer = setup.informer(ConfigMap)
        async with setup.running():
            await informer.synced()
            await eventually(lambda: "as=PartialObjectMetadata" in _last_accept(setup))
            setup.notes.told()

            made = await setup.client.get(ConfigMap, "a7", "default")
            made.metadata.annotations["note"] = "1"
            made = await setup.client.update(made)
            informer.wrote(made.to_wire())
            assert informer.snapshot(key("a7")).metadata["annotations"] == {"note": "1"}  # type: ignore[union-attr]
            await eventually(lambda: len(setup.notes.changes) == 1)
            assert setup.notes.changes[0].paths == (".metadata.annotations",)

            await setup.client.delete(ConfigMap, "a7", "default")
            await eventually(lambda: len(setup.notes.changes) == 2)
            assert setup.notes.told() == [("modified", "a7"), ("deleted", "a7")]
            assert await informer.get(key("a7")) is None


async def test_the_indexes_of_a_reduced_informer_stay_right() -> None:
    async with Cluster() as cluster:
        setup = await _over_budget(cluster)
        informer = setup.informer(ConfigMap)
        informer.index("n", lambda each: each.data.get("n"))
        async with setup.running():
            await informer.synced()
            await eventually(lambda: informer.is_reduced and not informer.is_reducing)
            assert informer.find("n", "7") == [key("a7")]

            made = await setup.client.get(ConfigMap, "a7", "default")
            made.data["n"] = "seven"
            informer.wrote((await setup.client.update(made)).to_wire())
            assert informer.find("n", "seven") == [key("a7")]
            await setup.client.create(config_map("b", n="7"))
            await eventually(lambda: informer.find("n", "7") == [key("b")])
            assert informer.find("n", "seven") == [key("a7")]

            informer.index("length", lambda each: str(len(each.data.get("x", ""))))
            await informer.synced()
            assert len(informer.find("length", "5000")) == 50


async def test_an_object_that_is_gone_from_the_server_is_none_to_a_reduced_informer() -> None:
    async with Cluster() as cluster:
        setup = await _over_budget(cluster)
        informer = setup.informer(ConfigMap)
        async with setup.running():
            await informer.synced()
            await eventually(lambda: informer.is_reduced and not informer.is_reducing)
            await turns()
            setup.transport.refusals = [answer(404, status(404, "NotFound", name="a7"))]
            assert await informer.get(key("a7")) is None


async def test_a_reduced_informer_of_one_namespace_lists_no_other(setup: Setup) -> None:
    await setup.client.create(config_map("a"))
    await setup.client.create(config_map("b", "kube-system"))
    informer = setup.cache.informer(ConfigMap, Selection(namespace="default"))
    async with setup.running():
        await informer.synced()
        informer.reduce("for a test")
        await eventually(lambda: not informer.is_reducing)

        assert [each.metadata.name for each in await informer.list("default")] == ["a"]
        assert await informer.list("kube-system") == []


async def test_a_reduced_secret_is_read_with_its_values_and_listed_without() -> None:
    async with Cluster() as cluster:
        setup = Setup(cluster, CacheOptions(budget=70_000))
        for number in range(20):
            secret = Secret(
                metadata=ObjectMeta(name=f"s{number}", namespace="default"),
                data={f"k{each}": b"hunter2" for each in range(200)},
            )
            await setup.client.create(secret)
        informer = setup.informer(Secret)
        async with setup.running():
            await informer.synced()
            await eventually(lambda: informer.is_reduced and not informer.is_reducing)
            found = await informer.get(key("s7"))
            assert found is not None
            assert set(found.data.values()) == {b"hunter2"}
            listed = await informer.list()
            assert len(listed[0].data) == 200
            with pytest.raises(NotCachedError):
                listed[0].data.values()


async def test_a_budget_that_metadata_alone_exceeds_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    async with Cluster() as cluster:
        setup = Setup(cluster, CacheOptions(budget=10_000))
        informer = setup.informer(ConfigMap, Selection(metadata_only=True))
        async with setup.running():
            await informer.synced()
            for number in range(600):
                await setup.client.create(config_map(f"a{number}"))
            await eventually(lambda: len(informer.keys()) == 600)

    assert caplog.text.count("more than the budget of 10000") == 1


async def test_the_entries_of_managers_that_are_asked_for_are_kept_and_no_others(setup: Setup) -> None:
    for manager in ("one", "two", "three"):
        applied = config_map("a", **{manager: "1"})
        await setup.client.using(field_manager=manager).apply(applied)
    informer = setup.informer(ConfigMap, keep_manager="one")

    def kept() -> list[str]:
        entries = informer.snapshot(key("a")).metadata.get("managedFields", [])  # type: ignore[union-attr]
        return sorted(entry["manager"] for entry in entries)

    async with setup.running():
        await informer.synced()
        setup.notes.told()
        assert kept() == ["one"]

        assert setup.cache.informer(ConfigMap, keep_manager="three") is informer
        assert not informer.is_synced
        await informer.synced()
        assert kept() == ["one", "three"]
        assert setup.notes.told() == []


async def test_the_writers_of_a_change_are_those_who_wrote_last(setup: Setup) -> None:
    setup.cluster.server.world.clock = setup.clock
    await setup.client.using(field_manager="first").create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        assert setup.notes.changes[0].writers == ()
        await setup.clock.advance(timedelta(seconds=2))
        found = await setup.client.get(ConfigMap, "a", "default")
        found.data["x"] = "2"
        await setup.client.using(field_manager="second").update(found)
        await eventually(lambda: len(setup.notes.changes) == 2)

    assert setup.notes.changes[1].writers == ("second",)


@pytest.mark.parametrize("wrong", [{"budget": 0}, {"idle": timedelta()}, {"page_size": 0}])
def test_options_that_leave_no_room_are_refused(wrong: dict[str, int | timedelta]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        CacheOptions(**wrong)  # type: ignore[arg-type]


async def test_a_selection_that_cannot_be_understood_is_refused_when_it_is_asked_for(setup: Setup) -> None:
    with pytest.raises(ValueError, match="name a field such as"):
        setup.cache.informer(ConfigMap, Selection(keep=("data",)))
    with pytest.raises(ValueError, match="label selector"):
        setup.cache.informer(ConfigMap, Selection(labels="=="))
    assert setup.cache.informers == []


async def test_two_caches_digest_alike_values_differently(setup: Setup) -> None:
    from windlass.cache import Cache

    secret = {"metadata": {}, "data": {"a": "YQ=="}}
    caches = [Cache(Client(setup.cluster.transport())) for _ in range(2)]
    kept = {"metadata": {}, "data": {"a": mark("")}}
    digests = [cache.informer(Secret).as_kept(secret, kept)["data"]["a"] for cache in caches]

    assert digests[0] != digests[1]


def _last_accept(setup: Setup) -> str:
    return setup.transport.requests[-1].headers["Accept"]
