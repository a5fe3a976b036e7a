"""A garbage collector that a test drives by hand: which change it hears next, and whom it looks at next."""

from __future__ import annotations

from collections import defaultdict, deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

import orjson

from windlass.api import Change, Key, Kind, Snapshot, Untyped
from windlass.client import ListOptions
from windlass.cluster.controller.garbage import GarbageCollector
from windlass.cluster.controller.garbage.ledger import Ledger, key_of
from windlass.errors import Conflict, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Json, Resource
    from windlass.client import Client, DeleteOptions, Patch
    from windlass.reconcile import Context, Result

CONFIG = Kind("", "v1", "ConfigMap", "configmaps")
SECRET = Kind("", "v1", "Secret", "secrets")
ROLE = Kind("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", namespaced=False)
KINDS = (CONFIG, SECRET, ROLE)
LABEL = "example.com/of"


class Acting:
    """The part of a context that the collector uses, on a client."""

    def __init__(self, client: Client) -> None:
        self.live = client
        self.events: list[str] = []
        self.now = datetime.min.replace(tzinfo=UTC)  # whatever is created is created after this

    async def patch(self, kind: type[Resource], name: str, patch: Patch, namespace: str = "") -> Any:
        """Change an object."""
        return await self.live.patch(kind, name, patch, namespace)

    async def delete(
        self, kind: type[Resource], name: str, namespace: str = "", *, options: DeleteOptions
    ) -> None:
        """Delete an object; one that is gone is no fault."""
        try:
            await self.live.delete(kind, name, namespace, options=options)
        except NotFound:
            return

    def event(self, reason: str, message: str, *, warning: bool, about: Resource) -> None:
        """Tell of something."""
        assert warning, message
        self.events.append(f"{about.metadata.name}: {reason}")


class ByHand:
    """Everything that happened to the objects of a test, and the collector that has heard of some of it.

    `note` takes down what changed since the last time; `hear` tells the collector the next change of a kind;
    `look` has it look at one of those that it wanted to look at.
    """

    def __init__(self, client: Client, label: str) -> None:
        self._client = client
        self._label = f"{LABEL}={label}"
        self._known: dict[Kind, dict[Key, Json]] = {kind: {} for kind in KINDS}
        self._untold: dict[Kind, deque[Change[Any]]] = defaultdict(deque)
        self.ledger = Ledger()
        self.ledger.serve(KINDS)
        self.ledger.is_complete = True
        self.wanted: dict[Key, None] = {}
        self.acting = Acting(client)
        self._collector = GarbageCollector(self.ledger)

    @property
    def untold(self) -> list[Kind]:
        """The kinds of which there are changes that the collector has not heard of."""
        return [kind for kind in KINDS if self._untold[kind]]

    async def note(self) -> None:
        """Take down what changed."""
        for kind in KINDS:
            untyped = Untyped.of(kind)
            found = await self._client.list(untyped, labels=self._label, options=ListOptions())
            now = {Key(each.metadata.namespace, each.metadata.name): each.to_wire() for each in found}
            before, self._known[kind] = self._known[kind], now
            for key in dict.fromkeys([*before, *now]):
                old, new = before.get(key), now.get(key)
                if old and new and old["metadata"]["uid"] != new["metadata"]["uid"]:
                    self._untold[kind] += [_change(untyped, key, old, None), _change(untyped, key, None, new)]
                elif old != new:
                    self._untold[kind].append(_change(untyped, key, old, new))

    def hear(self, kind: Kind) -> None:
        """Tell the collector the next change of a kind."""
        for node in self.ledger.hear(self._untold[kind].popleft()):
            self.wanted[key_of(node)] = None

    async def look(self, key: Key) -> Result[Any] | None:
        """Have the collector look at an object; a conflict has it look again, later."""
        self.wanted.pop(key, None)
        try:
            return await self._collector.reconcile(key, cast("Context", self.acting))
        except Conflict:
            self.wanted[key] = None
            return None
        finally:
            await self.note()

    async def settle(self, choose: Callable[[int], int] = lambda _: 0) -> None:
        """Go on until the collector has heard everything, and wants to look at nothing."""
        await self.note()
        for _ in range(2000):
            steps: list[Kind | Key] = [*self.untold, *self.wanted]
            if not steps:
                return
            await self.step(steps[choose(len(steps))])
        raise AssertionError(f"it does not come to rest: {self.wanted}")

    async def step(self, step: Kind | Key) -> None:
        """Hear the next change of a kind, or look at an object."""
        if isinstance(step, Kind):
            self.hear(step)
        else:
            await self.look(step)


def _change(kind: type[Untyped], key: Key, old: Json | None, new: Json | None) -> Change[Any]:
    states = [None if each is None else Snapshot(kind, orjson.dumps(each)) for each in (old, new)]
    return Change(kind, key, (states[0], states[1]))
