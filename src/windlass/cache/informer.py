from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from typing_extensions import override

from windlass.api import Resource, Selector
from windlass.cache.feed import Feed
from windlass.cache.form import Form
from windlass.cache.health import Health
from windlass.cache.index import Index
from windlass.cache.intake import Intake
from windlass.cache.listener import Listener
from windlass.cache.own import OwnWrites
from windlass.cache.pace import Pace
from windlass.cache.reflector import Reflector
from windlass.cache.replica import Replica
from windlass.cache.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Change, Selection
    from windlass.cache.index import Values
    from windlass.cache.options import Environment
    from windlass.cache.redact import Redactor
    from windlass.cache.state import State

R = TypeVar("R", bound=Resource)

_STEP: Final = 2**16
"""After so many bytes more or less, the cache is weighed."""


class Informer(OwnWrites[R]):
    """The objects of one kind and selection, kept in step with the server; made by `Cache.informer`.

    What it holds is what listeners were told last, or newer where we wrote it ourselves: `wrote` and
    `deleted` tell it so. It belongs to one event loop, and works while its cache runs. `is_dynamic` tells
    whether it was begun at run time and is not declared, so that readiness does not depend on it.
    """

    def __init__(
        self,
        kind: type[R],
        selection: Selection,
        environment: Environment,
        redactor: Redactor,
        on_growth: Callable[[], None],
    ) -> None:
        self.kind = kind
        self.selection = selection
        self.live_reads = 0
        self.is_dynamic = False
        self._environment = environment
        self._whole = Form.of(kind, selection, redactor)
        self._replica = Replica(kind, self._whole)
        labels = selection.labels
        self._labels = Selector.parse(labels) if isinstance(labels, str) else labels
        self._on_growth, self._weighed = on_growth, 0
        self._listeners: list[Listener[R]] = []
        self._ready, self._owing = asyncio.Event(), asyncio.Event()
        self._phases = {phase: asyncio.Event() for phase in Phase}
        self._intake = Intake(self._replica, self._tell)
        self._health = Health(str(self), environment.clock, self._review)
        feed = Feed(kind.__kind__, selection)
        self._reflector = Reflector(feed, self._replica, self._intake, self._health)

    @property
    def state(self) -> State:
        """How far it is, and why."""
        return self._health.state

    @property
    def last_progress(self) -> float:
        """When something was last heard from the server, by the monotonic clock."""
        return self._health.last_progress

    @property
    def is_synced(self) -> bool:
        """Whether the list was read to its end, listeners that came late included."""
        return self._health.listed and not any(listener.is_waiting for listener in self._listeners)

    async def synced(self) -> None:
        """Wait until everything that was asked for is there, and every listener was told of it."""
        await self._ready.wait()

    async def reach(self, phase: Phase) -> None:
        """Wait until it comes to a phase, such as that the server does not know the kind."""
        await self._phases[phase].wait()

    def listen(self, callback: Callable[[Change[R]], None]) -> Callable[[], None]:
        """Have every change told, in its order; returns what ends that.

        What is there already is told first, as listed additions. The callback must be quick; what it raises
        ends the cache.
        """
        listener = Listener(self.kind, callback, self._replica.told)
        self._listeners.append(listener)
        self._owing.set()
        self._review()
        return lambda: self._dismiss(listener)

    def index(self, name: str, of: Values, *, undecoded: bool = False) -> Callable[[], None]:
        """Have objects found by what a function says of them: a value, several, none. Returns what ends it.

        An `undecoded` one is given the snapshot: what needs no more than labels or owners costs little then.

        One that is added while the informer runs is there when it is `synced` again.

        Raises:
            ValueError: there is an index of this name with another function.
        """
        found = self._replica.indexes.get(name)
        if found is not None:
            if found.of is not of:
                raise ValueError(f"{self} has another index {name!r} already")
            return lambda: self._drop_index(found)
        made = self._replica.indexes[name] = Index(name, of, undecoded=undecoded)
        if self.is_reduced:
            self._replica.form = self._whole.reduced(transfer_all=True)
        self._list_anew()
        return lambda: self._drop_index(made)

    def on_release(self, name: str, callback: Callable[[str], None]) -> None:
        """Call back with each value of an index that no object has any more."""
        self._replica.indexes[name].on_release.append(callback)

    @property
    def managers(self) -> frozenset[str]:
        """The field managers whose entries in managedFields are kept."""
        return self._whole.managers

    def keep_manager(self, manager: str) -> None:
        """Keep a field manager's entry in managedFields."""
        if manager in self._whole.managers:
            return
        self._whole = self._whole.keeping(manager)
        self._replica.form = self._replica.form.keeping(manager)
        self._list_anew()

    def reduce(self, reason: str) -> None:
        """Keep metadata alone from now on, and read the rest from the server when it is wanted."""
        self._replica.form = self._whole.reduced(transfer_all=bool(self._replica.indexes))
        self._health.reduce(reason)
        self._replica.is_reforming = True
        self._reflector.reform()

    async def run(self) -> None:
        """Follow the server until cancelled. The cache does this."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._reflector.run(self._environment))
            group.create_task(self._catch_up())

    async def _catch_up(self) -> None:
        """Give listeners that came late what they are owed."""
        pace = Pace(self._environment.clock)
        while True:
            await self._owing.wait()
            self._owing.clear()
            for listener in tuple(self._listeners):
                while listener.is_waiting:
                    listener.give_one()
                    if pace.due():
                        await pace.rest()
            self._review()

    def _tell(self, change: Change[R]) -> None:
        for listener in self._listeners:
            listener.tell(change)
        for state in (change.old, change.new):
            if state is not None:
                state.release()  # who keeps the change, as a cause of a run, keeps its text alone
        self._weigh()

    def _dismiss(self, listener: Listener[R]) -> None:
        listener.dismiss()
        self._listeners = [each for each in self._listeners if each is not listener]
        self._review()

    def _drop_index(self, index: Index) -> None:
        if self._replica.indexes.get(index.name) is index:
            del self._replica.indexes[index.name]

    def _list_anew(self) -> None:
        if len(self._replica.told):
            self._replica.index_anew = True
            self._reflector.list_anew()
            self._health.list_anew()

    def _weigh(self) -> None:
        size = self._replica.told.size
        if abs(size - self._weighed) > _STEP:
            self._weighed = size
            self._on_growth()

    def _review(self) -> None:
        self._weigh()
        _mark(self._ready, is_so=self.is_synced)
        for phase, event in self._phases.items():
            _mark(event, is_so=self.state.phase is phase)

    @override
    def __repr__(self) -> str:
        return f"Informer({self.kind.__name__}, {self.selection})"

    @override
    def __str__(self) -> str:
        """As messages name it: `Pod in default`."""
        chosen = (
            f" in {self.selection.namespace}" if self.selection.namespace else "",
            f" with {self.selection.labels}" if str(self.selection.labels) else "",
            f" where {self.selection.fields}" if self.selection.fields else "",
        )
        return f"{self.kind.__kind__.name}{''.join(chosen)}"


def _mark(event: asyncio.Event, *, is_so: bool) -> None:
    if is_so:
        event.set()
    else:
        event.clear()
