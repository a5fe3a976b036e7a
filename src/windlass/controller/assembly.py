"""What a reconciler declares, turned into informers, indexes and wake-ups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windlass.controller.selecting import demands, selected, selections
from windlass.controller.wiring import (
    Listener,
    Role,
    followed,
    itself,
    mapped,
    owned_by,
    references,
    referred,
)
from windlass.reconcile import Reconciler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.api import Resource, Selection
    from windlass.cache import Informer
    from windlass.controller.environment import Environment
    from windlass.controller.facilities import Facilities
    from windlass.controller.wiring import Wake
    from windlass.reconcile import KeyReconciler, Watch


class Assembly:
    """Declares a reconciler's kinds to the cache, and listens to them.

    Indexes come before ears: an informer that is already filled tells a new listener everything at once.
    """

    def __init__(self, environment: Environment, facilities: Facilities, wake: Wake) -> None:
        self._environment = environment
        self._facilities = facilities
        self._declared = facilities.declared
        self._wake = wake
        self._listeners: dict[Informer[Any], Listener] = {}
        self._dismissals: list[Callable[[], None]] = []

    def assemble(self, reconciler: Reconciler[Any] | KeyReconciler) -> Sequence[Informer[Any]]:
        """Do it, and return the informers of the kind that is reconciled."""
        primaries: list[Informer[Any]] = []
        if isinstance(reconciler, Reconciler):
            primaries = self._informers(reconciler.of, reconciler.selection)
            self._give(primaries, itself(type(reconciler).when))
            for owns in reconciler.owned():
                informers = self._informers(owns.kind, owns.selection, owns.managers)
                self._give(informers, owned_by(reconciler.of, owns.when))
        for number, watch in enumerate(reconciler.reads):
            self._read(watch, f"{reconciler.name}/reads/{number}", primaries)
        for follow in reconciler.follows:
            self._give(self._declared.of(follow.kind), followed(follow))
        for number, index in enumerate(reconciler.indexes):
            self._dismissals += self._declared.add_index(f"{reconciler.name}/indexes/{number}", index)
        self._dismissals += [informer.listen(listener) for informer, listener in self._listeners.items()]
        return primaries

    def disassemble(self) -> None:
        """Listen no more, and leave no index behind: what shares the informers may keep them."""
        for dismiss in self._dismissals:
            dismiss()

    def _read(self, watch: Watch[Any], index: str, primaries: Sequence[Informer[Any]]) -> None:
        informers = self._informers(watch.kind, watch.selection, watch.managers)
        if watch.to:
            self._give(informers, mapped(watch))
        if watch.by:
            for informer in primaries:
                self._dismissals.append(informer.index(index, references(watch)))
            self._give(informers, referred(watch, index, lambda: primaries))
        if watch.selects:
            for informer in primaries:
                self._index_selections(informer, watch, index)
            self._give(informers, selected(watch, index, lambda: primaries))

    def _index_selections(self, informer: Informer[Any], watch: Watch[Any], index: str) -> None:
        """The index of rare labels counts in that of all, which is therefore brought up to date before it."""
        every, demanded = f"{index}/all", demands(watch)
        rarest = selections(demanded, lambda label: len(informer.find(every, label)))
        self._dismissals += [informer.index(every, demanded), informer.index(index, rarest)]

    def _informers(
        self, kind: type[Resource], selection: Selection, managers: Sequence[str] = ()
    ) -> list[Informer[Any]]:
        environment = self._environment
        namespaces = environment.namespaces or ("",)
        if selection.namespace or not kind.__kind__.namespaced:
            namespaces = (selection.namespace,)
        manager = environment.client.options.write.field_manager
        informers: list[Informer[Any]] = [
            environment.cache.informer(kind, replace(selection, namespace=each), keep_manager=manager)
            for each in namespaces
        ]
        for informer in informers:
            for each in managers:
                informer.keep_manager(each)
            self._declared.add(informer, (manager, *managers))
            self._listeners.setdefault(informer, self._listener())
        return informers

    def _listener(self) -> Listener:
        shared = self._facilities
        return Listener(shared.own, (shared.settled, shared.digests), self._wake)

    def _give(self, informers: Sequence[Informer[Any]], role: Role) -> None:
        for informer in informers:
            self._listeners[informer].roles.append(role)
