from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Key, Resource, Selector, Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.client import Client, Reader
    from windlass.controller.running import Running
    from windlass.reconcile import Digest, Index, Watch

R = TypeVar("R", bound=Resource)
D = TypeVar("D")


class ContextReads:
    """The reading part of a context."""

    _run: Running
    _client: Client

    @property
    def live(self) -> Reader:
        """Reads that ask the server."""
        return self._client

    async def get(
        self, kind: type[R], name: str, namespace: str = "", *, cached_only: bool = False
    ) -> R | None:
        """One object from the cache."""
        key = self._run.key_of(kind, name, namespace)
        await self._run.shared.assembly.present(kind)
        self._run.recorder.read(kind, key)
        informer = self._run.shared.declared.holding(kind, key)
        if cached_only:
            kept = informer.snapshot(key)
            return None if kept is None else kept.decode()
        return await informer.get(key)

    async def list(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        index: Index[R] | None = None,
        value: str | Sequence[str] = "",
    ) -> Sequence[R]:
        """Objects from the cache."""
        await self._run.shared.assembly.present(kind)
        self._run.recorder.read(kind, None)
        declared = self._run.shared.declared
        name, values = declared.index_name(index) if index else "", _all(value)
        selector = Selector.parse(labels) if isinstance(labels, str) else labels
        found: dict[Key, R] = {}
        for informer in declared.of(kind):
            if informer.is_reduced and not index:  # one page at a time, not one object
                for each in await informer.list(namespace, selector):
                    found.setdefault(Key(each.metadata.namespace, each.metadata.name), each)
                continue
            for key in informer.find(name, *values) if index else informer.keys(namespace):
                if key in found or (namespace and key.namespace != namespace):
                    continue
                snapshot = await informer.read(key) if informer.is_reduced else informer.snapshot(key)
                if snapshot and selector.matches(snapshot.metadata.get("labels") or {}):
                    found[key] = snapshot.decode()
        self._run.read_count += len(found)
        return list(found.values())

    async def owned(self, kind: type[R]) -> Sequence[R]:
        """Objects whose controller our object is."""
        await self._run.shared.assembly.present(kind)
        self._run.recorder.read(kind, None)
        found: dict[Key, Snapshot[R] | None] = {}
        for informer in self._run.shared.declared.of(kind):
            for key in informer.owned_by(self._run.uid):
                found[key] = found.get(key) or await informer.read(key)
        self._run.read_count += len(found)
        return [each.decode() for each in found.values() if each is not None]

    async def digests(
        self, digest: Digest[R, D], *, index: Index[R] | None = None, value: str | Sequence[str] = ""
    ) -> Mapping[Key, D]:
        """What is known of each object, decoded once for each change."""
        shared = self._run.shared
        await shared.assembly.present(digest.kind)
        self._run.recorder.read(digest.kind, None)
        name, values = shared.declared.index_name(index) if index else "", _all(value)
        found: dict[Key, D] = {}
        for informer in shared.declared.of(digest.kind):
            for key in informer.find(name, *values) if index else informer.owned_by(self._run.uid):
                snapshot = await informer.read(key)
                if snapshot is not None:
                    found[key] = shared.digests.of(digest, key, snapshot)
        self._run.read_count += len(found)
        return found

    async def watch(self, watch: Watch[Any]) -> None:
        """Declare a kind while running."""
        await self._run.shared.assembly.watch(watch)


def _all(value: str | Sequence[str]) -> Sequence[str]:
    return (value,) if isinstance(value, str) else value


def key_in(kind: type[Resource], name: str, namespace: str) -> Key:
    """Where an object lies, given the namespace of whoever names it."""
    return Key(namespace if kind.__kind__.namespaced else "", name)
