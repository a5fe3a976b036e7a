"""Reading from memory, and from the server where too little is kept."""

from __future__ import annotations

import pytest

from caching import Setup, config_map, eventually, key
from windlass.api import ObjectMeta, Selection, Selector
from windlass.errors import NotCachedError, UndeclaredError
from windlass.kinds.core.v1 import ConfigMap, Secret


async def test_objects_are_typed_and_new_each_time_they_are_read(setup: Setup) -> None:
    made = await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        first, second = await informer.get(key("a")), await informer.get(key("a"))

        assert isinstance(first, ConfigMap)
        assert first == second
        assert first is not second
        assert first.metadata.uid == made.metadata.uid
        assert await informer.get(key("b")) is None
        assert informer.snapshot(key("b")) is None


async def test_a_list_is_in_the_order_of_keys_and_by_namespace_and_labels(setup: Setup) -> None:
    for name, namespace, app in (
        ("b", "default", "web"),
        ("a", "default", "db"),
        ("c", "kube-system", "web"),
    ):
        made = config_map(name, namespace)
        made.metadata.labels["app"] = app
        await setup.client.create(made)
    informer = setup.informer(ConfigMap)

    async def listed(namespace: str = "", labels: str | Selector = "") -> list[str]:
        return [each.metadata.name for each in await informer.list(namespace, labels)]

    async with setup.running():
        await informer.synced()
        assert await listed() == ["a", "b", "c"]
        assert await listed("default") == ["a", "b"]
        assert await listed("", "app=web") == ["b", "c"]
        assert await listed("default", Selector.parse("app!=web")) == ["a"]
        assert await listed("nowhere") == []
        assert sorted(informer.keys("default")) == [key("a"), key("b")]
        with pytest.raises(ValueError, match="not a label selector"):
            await informer.list("", "=")


async def test_an_index_follows_what_objects_say(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)
    informer.index("letters", lambda each: each.data.get("x", "").split(","))
    async with setup.running():
        await informer.synced()
        made = await setup.client.create(config_map("a", x="p,q"))
        await setup.client.create(config_map("b", x="q"))
        await eventually(lambda: len(setup.notes.changes) == 2)
        assert informer.find("letters", "p") == [key("a")]
        assert sorted(informer.find("letters", "q")) == [key("a"), key("b")]

        made.data["x"] = "r"
        await setup.client.update(made)
        await setup.client.delete(ConfigMap, "b", "default")
        await eventually(lambda: len(setup.notes.changes) == 4)
        assert informer.find("letters", "q") == []
        assert informer.find("letters", "r") == [key("a")]


async def test_an_index_that_nobody_declared_is_named(setup: Setup) -> None:
    with pytest.raises(UndeclaredError, match="ConfigMap has no index 'x'"):
        setup.informer(ConfigMap).find("x", "1")


async def test_an_index_added_late_is_whole_when_the_informer_is_synced_again(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1"))
    informer = setup.informer(ConfigMap)
    async with setup.running():
        await informer.synced()
        setup.notes.told()
        informer.index("x", lambda each: each.data.get("x"))
        assert not informer.is_synced
        await informer.synced()

        assert informer.find("x", "1") == [key("a")]
        assert setup.notes.told() == []


async def test_one_object_on_which_an_index_fails_does_not_stop_the_others(
    setup: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    await setup.client.create(config_map("a"))
    await setup.client.create(config_map("b", x="1"))
    informer = setup.informer(ConfigMap)
    informer.index("x", lambda each: each.data["x"])
    async with setup.running():
        await informer.synced()

    assert informer.find("x", "1") == [key("b")]
    assert "the index x failed for ConfigMap default/a" in caplog.text


async def test_names_of_indexes_are_unique(setup: Setup) -> None:
    informer = setup.informer(ConfigMap)

    def by_name(each: ConfigMap) -> str:
        return each.metadata.name

    informer.index("x", by_name)
    informer.index("x", by_name)
    with pytest.raises(ValueError, match="another index 'x'"):
        informer.index("x", lambda _: None)


async def test_metadata_only_is_all_that_is_transferred_and_kept(setup: Setup) -> None:
    made = config_map("a", x="1")
    made.metadata.labels["app"] = "web"
    await setup.client.create(made)
    informer = setup.informer(ConfigMap, Selection(metadata_only=True))
    async with setup.running():
        await informer.synced()
        assert "PartialObjectMetadata" in setup.transport.requests[0].headers["Accept"]
        found = await informer.get(key("a"))

        assert found is not None
        assert found.metadata.labels == {"app": "web"}
        assert set(informer.snapshot(key("a")).data) == {"apiVersion", "kind", "metadata"}  # type: ignore[union-attr]
        assert informer.live_reads == 0


async def test_fields_to_keep_are_kept_with_the_metadata_and_nothing_else(setup: Setup) -> None:
    await setup.client.create(config_map("a", x="1", y="2"))
    informer = setup.informer(ConfigMap, Selection(keep=(".data.y", ".data.z", ".immutable")))
    async with setup.running():
        await informer.synced()
        assert informer.snapshot(key("a")).data["data"] == {"y": "2"}  # type: ignore[union-attr]


async def test_values_of_secrets_are_kept_as_digests_that_show_drift(setup: Setup) -> None:
    made = await setup.client.create(
        Secret(
            metadata=ObjectMeta(name="s", namespace="default"), data={"password": b"hunter2", "user": b"me"}
        )
    )
    informer = setup.informer(Secret)
    async with setup.running():
        await informer.synced()
        kept = informer.snapshot(key("s"))
        assert kept is not None
        assert kept.is_uncached
        assert b"aHVudGVyMg" not in kept.raw
        assert informer.as_kept(made.to_wire(), kept.data)["data"] == kept.data["data"]
        secret = kept.decode()
        assert secret.data.keys() == {"password", "user"}
        with pytest.raises(NotCachedError, match="Secret default/s: the value of 'password' is not cached"):
            secret.data["password"]

        made.data["password"] = b"hunter3"
        await setup.client.update(made)
        await eventually(lambda: setup.notes.changes[-1].event == "modified")
        assert setup.notes.changes[-1].paths == (".data.password",)


async def test_a_value_that_is_not_kept_is_read_from_the_server_and_never_written(setup: Setup) -> None:
    metadata = ObjectMeta(name="s", namespace="default")
    await setup.client.create(Secret(metadata=metadata, data={"password": b"hunter2"}))
    informer = setup.informer(Secret)
    async with setup.running():
        await informer.synced()
        (listed,) = await informer.list()
        with pytest.raises(NotCachedError):
            await setup.client.update(listed)

        found = await informer.get(key("s"))
        assert found is not None
        assert found.data == {"password": b"hunter2"}
        assert informer.live_reads == 1
        await informer.get(key("s"))
        assert informer.live_reads == 2  # neither owned nor referred to: still not kept

        informer.keep_values(refers=lambda secret: secret == key("s"))
        await informer.get(key("s"))
        await informer.get(key("s"))
        assert informer.live_reads == 3
        assert setup.notes.told() == [("added", "s")]  # what is kept has changed, and not the Secret


async def test_the_values_of_secrets_are_kept_when_they_are_asked_for(setup: Setup) -> None:
    made = await setup.client.create(
        Secret(metadata=ObjectMeta(name="s", namespace="default"), data={"password": b"hunter2"})
    )
    informer = setup.informer(Secret, Selection(values=True))
    async with setup.running():
        await informer.synced()
        found = await informer.get(key("s"))
        assert found is not None
        assert found.data == {"password": b"hunter2"}
        assert informer.as_kept(made.to_wire(), found.to_wire()) == made.to_wire()
