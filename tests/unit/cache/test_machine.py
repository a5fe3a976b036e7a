"""Whatever happens between a cache and its server, in the end both have the same, and nobody was lied to."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from caching import Notes, Setup, config_map, eventually, key, turns
from windlass.api import Selection
from windlass.cluster import Cluster
from windlass.errors import AlreadyExists, NotFound
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from windlass.api import Json, Key
    from windlass.cache import Informer

NAMES = st.sampled_from("abc")
VALUES = st.sampled_from("xyz")
APPS = st.sampled_from(["web", "db"])


class Following(RuleBasedStateMachine):
    """Two clients write: others, and we, who tell the cache of our answers, sometimes late."""

    @initialize()
    def start(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.run(self._start())

    async def _start(self) -> None:
        self.setup = Setup(Cluster())
        self.everything = self.setup.informer(ConfigMap)
        self.everything.index("x", lambda each: each.data.get("x"))
        self.chosen: Informer[ConfigMap] = self.setup.cache.informer(ConfigMap, Selection(labels="app=web"))
        self.chosen_notes = Notes()
        self.chosen.listen(self.chosen_notes)
        self.late: list[Notes] = []
        self.answers: list[Json] = []
        self.ends: list[tuple[Key, str]] = []
        self.written: dict[Key, tuple[str, int]] = {}
        self.deleted: defaultdict[Key, set[str]] = defaultdict(set)
        self.everything.listen(lambda _: self.nobody_reads_older_than_they_wrote())
        self.chosen.listen(lambda _: self.nobody_reads_older_than_they_wrote())
        self.block = self.setup.running()
        await self.block.__aenter__()

    def run(self, what: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(what)

    @rule(name=NAMES, x=VALUES, app=APPS, ours=st.booleans())
    def write(self, name: str, x: str, app: str, ours: bool) -> None:  # noqa: FBT001 - drawn by name
        self.run(self._write(name, x, app, ours=ours))

    async def _write(self, name: str, x: str, app: str, *, ours: bool) -> None:
        wanted = config_map(name, x=x)
        wanted.metadata.labels["app"] = app
        try:
            made = await self.setup.client.create(wanted)
        except AlreadyExists:
            made = await self.setup.client.update(wanted)
        if ours:
            self.answers.append(made.to_wire())

    @rule(name=NAMES, ours=st.booleans())
    def delete(self, name: str, ours: bool) -> None:  # noqa: FBT001 - drawn by name
        self.run(self._delete(name, ours=ours))

    async def _delete(self, name: str, *, ours: bool) -> None:
        try:
            found = await self.setup.client.get(ConfigMap, name, "default")
            await self.setup.client.delete(ConfigMap, name, "default")
        except NotFound:
            return
        if ours:
            self.ends.append((key(name), found.metadata.uid))

    @rule()
    def answers_arrive(self) -> None:
        for answer in self.answers:
            for informer in (self.everything, self.chosen):
                informer.wrote(answer)
            metadata = answer["metadata"]
            self.written[key(metadata["name"])] = (metadata["uid"], int(metadata["resourceVersion"]))
        for ended, uid in self.ends:
            for informer in (self.everything, self.chosen):
                informer.deleted(ended, uid)
            self.deleted[ended].add(uid)
        self.answers.clear()
        self.ends.clear()

    @rule(count=st.integers(1, 30))
    def others_run(self, count: int) -> None:
        self.run(turns(count))

    @rule()
    def time_passes(self) -> None:
        self.run(self.setup.clock.advance(timedelta(seconds=2)))

    @rule()
    def connections_are_cut(self) -> None:
        async def cut() -> None:
            self.setup.transport.cut()

        self.run(cut())

    @rule()
    def history_is_compacted(self) -> None:
        collection = self.setup.cluster.server.world.store.collection("/configmaps")
        collection._drop(len(collection._changes))

    @rule()
    def somebody_else_listens(self) -> None:
        notes = Notes()
        self.everything.listen(notes)
        self.late.append(notes)

    @rule()
    def another_manager_is_kept(self) -> None:
        self.everything.keep_manager(f"m{len(self.setup.transport.requests)}")

    @invariant()
    def nobody_reads_older_than_they_wrote(self) -> None:
        if not hasattr(self, "setup"):
            return
        for each, (uid, version) in self.written.items():
            snapshot = self.everything.snapshot(each)
            if snapshot is not None and snapshot.metadata["uid"] == uid:
                assert int(snapshot.resource_version) >= version
        for each, uids in self.deleted.items():
            for informer in (self.everything, self.chosen):
                snapshot = informer.snapshot(each)
                assert snapshot is None or snapshot.metadata["uid"] not in uids

    def teardown(self) -> None:
        if not hasattr(self, "setup"):
            return
        try:
            self.run(self._finish())
        finally:
            self.loop.close()

    async def _finish(self) -> None:
        self.answers_arrive()
        try:
            await self._compare()
        finally:
            await self.block.__aexit__(None, None, None)

    async def _compare(self) -> None:
        there = {key(each.metadata.name): each.to_wire() for each in await self.setup.client.list(ConfigMap)}
        chosen = {each: wire for each, wire in there.items() if wire["metadata"]["labels"]["app"] == "web"}
        for _ in range(3):
            await turns(200)
            await self.setup.clock.advance(timedelta(seconds=60))
        await eventually(lambda: self.everything.is_synced and self.chosen.is_synced)

        def same(seen: dict[Key, Json], wanted: dict[Key, Json]) -> bool:
            return {each: _content(wire) for each, wire in seen.items()} == {
                each: _content(wire) for each, wire in wanted.items()
            }

        def kept(informer: Informer[ConfigMap]) -> dict[Key, Json]:
            found = {each: informer.snapshot(each) for each in informer.keys()}  # noqa: SIM118 - not a dictionary
            return {each: snapshot.data for each, snapshot in found.items() if snapshot}

        await eventually(
            lambda: same(self.setup.notes.world, there) and same(self.chosen_notes.world, chosen)
        )
        assert same(kept(self.everything), there)
        assert same(kept(self.chosen), chosen)
        assert all(same(notes.world, there) for notes in self.late)
        for x in "xyz":
            assert set(self.everything.find("x", x)) == {
                each for each, wire in there.items() if wire["data"]["x"] == x
            }


def _content(wire: Json) -> tuple[str, str, str]:
    return wire["metadata"]["uid"], wire["metadata"]["resourceVersion"], wire["data"]["x"]


PROFILE = settings()
Following.TestCase.settings = settings(
    PROFILE, stateful_step_count=40, max_examples=max(1, PROFILE.max_examples // 2)
)

# A failure is made smaller before it is shown, and each attempt is a cluster of its own.
test_the_cache_and_what_it_tells_are_in_the_end_what_the_server_has = pytest.mark.timeout(600)(
    pytest.mark.property(Following.TestCase)
)
