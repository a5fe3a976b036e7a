"""Own writes are read at once, and nobody else's are lost over it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from caching import Setup, config_map, eventually, key, turns
from windlass.api import ObjectMeta, Selection
from windlass.kinds.apps.v1 import ReplicaSet
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from windlass.cache import Informer


def value(informer: Informer[ConfigMap], name: str = "a") -> str | None:
    snapshot = informer.snapshot(key(name))
    return None if snapshot is None else snapshot.data.get("data", {}).get("x", "")


async def change(setup: Setup, x: str, name: str = "a") -> ConfigMap:
    found = await setup.client.get(ConfigMap, name, "default")
    found.data["x"] = x
    return await setup.client.update(found)


async def test_what_we_wrote_is_read_before_the_watch_tells_of_it(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()

        informer.wrote((await change(setup, "2")).to_wire())
        assert value(informer) == "2"
        assert setup.notes.told() == []

        await eventually(lambda: len(setup.notes.changes) == 1)
        assert value(informer) == "2"
        [told] = setup.notes.changes
        assert told.paths == (".data.x",)
        assert told.resource_version == informer.snapshot(key("a")).resource_version  # type: ignore[union-attr]


async def test_changes_of_others_before_ours_are_told_and_do_not_hide_ours(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()

        await change(setup, "theirs")
        informer.wrote((await change(setup, "ours")).to_wire())
        seen: list[str | None] = []
        informer.listen(lambda _: seen.append(value(informer)))
        await eventually(lambda: len(setup.notes.changes) == 2)

        told = [each.new.data["data"]["x"] for each in setup.notes.changes if each.new]
        assert told == ["theirs", "ours"]
        assert set(seen) == {"ours"}


async def test_a_change_of_others_after_ours_is_read_when_it_is_told(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        ours = await change(setup, "ours")
        await change(setup, "theirs")
        informer.wrote(ours.to_wire())
        assert value(informer) == "ours"
        await eventually(lambda: value(informer) == "theirs")


async def test_an_answer_that_comes_after_the_watch_told_of_it_changes_nothing(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        ours = await change(setup, "ours")
        await change(setup, "theirs")
        await eventually(lambda: value(informer) == "theirs")
        informer.wrote(ours.to_wire())
        assert value(informer) == "theirs"

        await setup.client.delete(ConfigMap, "a", "default")
        await eventually(lambda: value(informer) is None)
        informer.wrote(ours.to_wire())
        assert value(informer) is None


async def test_what_we_created_is_listed_and_found_at_once(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    informer.index("x", lambda each: each.data.get("x"))
    async with setup.running():
        await informer.synced()
        informer.wrote((await setup.client.create(config_map("a", x="1"))).to_wire())

        assert informer.keys() == informer.keys("default") == [key("a")]
        assert informer.find("x", "1") == [key("a")]
        assert [each.metadata.name for each in await informer.list()] == ["a"]
        await eventually(lambda: len(setup.notes.changes) == 1)
        assert informer.keys() == [key("a")]


async def test_what_we_deleted_is_gone_at_once_and_told_when_the_watch_tells(setup: Setup) -> None:
    made = await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    informer.index("x", lambda each: each.data.get("x"))
    async with setup.running():
        await informer.synced()
        setup.notes.told()
        await change(setup, "theirs")
        await setup.client.delete(ConfigMap, "a", "default")
        informer.deleted(key("a"), made.metadata.uid)
        informer.wrote(made.to_wire())  # an answer that was slow
        seen: list[str | None] = [value(informer)]
        informer.listen(lambda _: seen.append(value(informer)))

        assert informer.keys() == []
        assert informer.find("x", "1") == []
        await eventually(lambda: len(setup.notes.changes) == 2)
        assert setup.notes.told() == [("modified", "a"), ("deleted", "a")]
        assert set(seen) == {None}


async def test_an_object_that_is_made_again_is_seen_although_we_deleted_the_first(setup: Setup) -> None:
    made = await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        await setup.client.delete(ConfigMap, "a", "default")
        informer.deleted(key("a"), made.metadata.uid)
        again = await setup.client.create(config_map("a", x="2"))
        await eventually(lambda: value(informer) == "2")

        informer.deleted(key("a"), made.metadata.uid)
        assert value(informer) == "2"
        assert again.metadata.uid != made.metadata.uid


async def test_deleting_what_was_made_again_outlives_the_end_of_the_first(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        await setup.client.delete(ConfigMap, "a", "default")
        second = await setup.client.create(config_map("a", x="2"))
        informer.wrote(second.to_wire())
        await setup.client.delete(ConfigMap, "a", "default")
        informer.deleted(key("a"), second.metadata.uid)
        seen: list[str | None] = []
        informer.listen(lambda _: seen.append(value(informer)))
        setup.notes.told()
        await eventually(lambda: len(setup.notes.changes) == 3)

        assert setup.notes.told() == [("deleted", "a"), ("added", "a"), ("deleted", "a")]
        assert set(seen) == {None}


async def test_after_a_gap_what_was_told_is_compared_and_not_what_we_wrote(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()
        setup.transport.cut()
        informer.wrote((await change(setup, "2")).to_wire())
        collection = setup.cluster.server.world.store.collection("/configmaps")
        collection._drop(len(collection._changes))
        await turns()
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: len(setup.notes.changes) == 1)

        [told] = setup.notes.changes
        assert told.paths == (".data.x",)
        assert told.listed


async def test_what_we_created_and_others_deleted_in_a_gap_is_told_as_gone(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()
        setup.transport.cut()
        informer.wrote((await setup.client.create(config_map("a", x="1"))).to_wire())
        assert value(informer) == "1"
        await setup.client.delete(ConfigMap, "a", "default")
        setup.cluster.compact()
        await turns()
        await setup.clock.advance(timedelta(seconds=1))
        await eventually(lambda: len(setup.notes.changes) == 1)

        [told] = setup.notes.changes
        assert (told.event, told.key, told.listed) == ("deleted", key("a"), True)
        assert value(informer) is None


async def test_versions_that_cannot_be_compared_are_not_taken(setup: Setup) -> None:
    made = await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        made.data["x"] = "2"
        made.metadata.resource_version = "not-a-number"
        informer.wrote(made.to_wire())
        assert value(informer) == "1"


async def test_what_is_not_selected_is_not_taken_and_what_no_longer_is_goes(setup: Setup) -> None:
    chosen = config_map("a", x="1")
    chosen.metadata.labels["app"] = "web"
    made = await setup.client.create(chosen)
    informer = setup.informer(ConfigMap, Selection(namespace="default", labels="app=web"))
    async with setup.running():
        await informer.synced()
        informer.wrote((await setup.client.create(config_map("b"))).to_wire())
        informer.wrote((await setup.client.create(config_map("c", "kube-system"))).to_wire())
        assert informer.keys() == [key("a")]

        made.metadata.labels["app"] = "other"
        informer.wrote((await setup.client.update(made)).to_wire())
        assert informer.keys() == []
        setup.notes.told()
        await eventually(lambda: len(setup.notes.changes) == 1)
        assert setup.notes.told() == [("deleted", "a")]
        assert informer.keys() == []


async def test_what_fields_select_is_left_to_the_server(setup: Setup) -> None:
    informer = setup.informer(ConfigMap, Selection(fields="metadata.name=a"))
    async with setup.running():
        await informer.synced()
        informer.wrote((await setup.client.create(config_map("b"))).to_wire())
        assert informer.keys() == []
        await setup.client.create(config_map("a", x="1"))
        await eventually(lambda: informer.keys() == [key("a")])
        informer.wrote((await change(setup, "2")).to_wire())
        assert value(informer) == "2"


async def test_a_bookmark_ends_what_is_ahead(setup: Setup) -> None:
    setup.cluster.server.world.clock = setup.clock
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        made = await setup.client.create(config_map("a", x="1"))
        await setup.client.delete(ConfigMap, "a", "default")
        await eventually(lambda: len(setup.notes.changes) == 2)
        made.metadata.name = "never-there"
        made.metadata.resource_version = "100000"
        informer.wrote(made.to_wire())
        assert informer.keys() == [key("never-there")]

        setup.cluster.server.world.store._revision = 200000
        await setup.clock.advance(timedelta(minutes=1))
        await eventually(lambda: informer.keys() == [])


async def test_no_more_own_writes_are_remembered_than_there_is_use_for(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    made = config_map("a", x="1").to_wire()
    for number in range(10_050):
        made["metadata"] |= {"name": f"a{number}", "resourceVersion": str(number + 1)}
        informer.wrote(made)

    assert len(informer.keys()) == 10_000
    assert informer.snapshot(key("a49")) is None
    assert informer.snapshot(key("a50")) is not None


async def test_a_write_moves_an_object_between_its_owners_at_once(setup: Setup) -> None:
    wire = {
        "metadata": {"name": "r", "namespace": "default", "resourceVersion": "5", "ownerReferences": []},
        "spec": {},
    }
    informer = setup.informer(ReplicaSet)

    def owned(version: str, *owners: tuple[str, bool]) -> None:
        references = [
            {"apiVersion": "apps/v1", "kind": "D", "name": "d", "uid": uid, "controller": controller}
            for uid, controller in owners
        ]
        informer.wrote(
            {
                **wire,
                "metadata": {**wire["metadata"], "resourceVersion": version, "ownerReferences": references},
            }
        )

    owned("1", ("u1", True), ("u2", False))
    assert informer.owned_by("u1") == informer.referring_to("u1") == [key("r")]
    assert (informer.owned_by("u2"), informer.referring_to("u2")) == ([], [key("r")])
    owned("2", ("u3", True))
    assert informer.referring_to("u1") == informer.referring_to("u2") == []
    assert informer.owned_by("u3") == [key("r")]


async def test_the_answer_that_is_told_stays_as_it_is(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    made = ConfigMap(metadata=ObjectMeta(name="a", namespace="default", resource_version="5")).to_wire()
    made["metadata"]["managedFields"] = [{"manager": "m"}]
    informer.wrote(made)

    assert made["kind"] == "ConfigMap"
    assert made["metadata"]["managedFields"] == [{"manager": "m"}]
