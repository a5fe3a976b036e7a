"""What a reconciler declares, turned into informers, indexes and wake-ups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windlass.api import Key, is_secret
from windlass.controller.known import filled
from windlass.controller.selecting import demands, selected, selections
from windlass.controller.wiring import (
    followed,
    itself,
    mapped,
    owned_by,
    references,
    referred,
)
from windlass.reconcile import Owns, Reconciler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.api import Kind, Resource, Selection
    from windlass.cache import Informer
    from windlass.controller.declared import Declared
    from windlass.controller.environment import Environment
    from windlass.controller.wiring import Listener, Role
    from windlass.reconcile import KeyReconciler, Predicate, Watch


class Assembly:
    """Declares a reconciler's kinds to the cache, and listens to them.

    Indexes come before ears: an informer that is already filled tells a new listener everything at once.
    """

    def __init__(
        self, environment: Environment, declared: Declared, listener: Callable[[], Listener]
    ) -> None:
        self._environment = environment
        self._declared = declared
        self._listener = listener
        self._listeners: dict[Informer[Any], Listener] = {}
        self._watched: dict[Watch[Any], Sequence[Informer[Any]]] = {}
        self._dismissals: list[Callable[[], None]] = []
        self._needed: dict[Informer[Any], None] = {}
        self._optional: dict[type[Resource], list[Informer[Any]]] = {}
        self._primary: Kind | None = None

    @property
    def required(self) -> Sequence[Informer[Any]]:
        """Those without which nothing is reconciled: not what is optional, or declared while running."""
        return tuple(self._needed)

    def assemble(self, reconciler: Reconciler[Any] | KeyReconciler) -> Sequence[Informer[Any]]:
        """Do it, and return the informers of the kind that is reconciled."""
        primaries: list[Informer[Any]] = []
        if isinstance(reconciler, Reconciler):
            self._primary = reconciler.of.__kind__
            primaries = self._informers(reconciler.of, reconciler.selection)
            self._give(primaries, itself(_when(reconciler)))
            self._need(primaries)
            for owns in Owns.all(reconciler.owns):
                informers = self._informers(owns.kind, owns.selection, owns.managers)
                self._give(informers, owned_by(reconciler.of, owns.when))
                self._need(informers, optional=owns.optional)
        for number, watch in enumerate(reconciler.reads):
            self._read(watch, f"{reconciler.name}/reads/{number}", primaries)
            self._need(self._watched[watch], optional=watch.optional)
        for follow in reconciler.follows:
            self._give(self._declared.of(follow.kind), followed(follow))
        for number, index in enumerate(reconciler.indexes):
            self._dismissals += self._declared.add_index(f"{reconciler.name}/indexes/{number}", index)
        self._dismissals += [informer.listen(listener) for informer, listener in self._listeners.items()]
        return primaries

    async def watch(self, watch: Watch[Any]) -> None:
        """Declare a kind while running, unless it is, and wait until it can be read.

        Raises:
            KindMissingError, UnwatchableError: it cannot be; it is tried further on.
            ValueError: it could not have been meant.
        """
        if watch not in self._watched:
            self._check(watch)
            self._add(watch)
        for informer in self._watched[watch]:
            await filled(informer)

    async def present(self, kind: type[Resource]) -> None:
        """Wait until a kind can be read or applied, which is at once unless it is optional.

        Raises:
            KindMissingError: nobody serves it.
            UnwatchableError: the server cannot be asked, or refuses.
        """
        for informer in self._optional.get(kind, ()):
            await filled(informer)

    def is_optional(self, kind: type[Resource]) -> bool:
        """Whether the reconciler declares a kind, and can do without it."""
        found = self._optional.get(kind, ())
        return bool(found) and not any(each in self._needed for each in found)

    def disassemble(self) -> None:
        """Listen no more, and leave no index behind: what shares the informers may keep them."""
        for dismiss in self._dismissals:
            dismiss()

    def _check(self, watch: Watch[Any]) -> None:
        """Refuse what would need an index over all of our objects, or would be added in each run."""
        name = watch.kind.__name__
        if watch.by or watch.selects:
            raise ValueError(f"Watch({name}): what is declared while running wakes others by `to` alone")
        code = getattr(watch.to, "__code__", None)
        for each in self._watched:
            same = (each.kind, each.selection) == (watch.kind, watch.selection) and each.to != watch.to
            if same and code is not None and getattr(each.to, "__code__", None) is code:
                raise ValueError(
                    f"Watch({name}): its `to` was made anew, and would be asked beside the earlier one: "
                    "make the Watch once, and let `to` tell whom to wake from the object that changed"
                )

    def _add(self, watch: Watch[Any]) -> None:
        known = set(self._listeners)
        informers = self._watched[watch] = self._informers(
            watch.kind, watch.selection, watch.managers, dynamic=True
        )
        if watch.to:
            self._give(informers, mapped(watch))
        fresh = [each for each in informers if each not in known]
        self._dismissals += [each.listen(self._listeners[each]) for each in fresh]

    def _read(self, watch: Watch[Any], index: str, primaries: Sequence[Informer[Any]]) -> None:
        informers = self._watched[watch] = self._informers(watch.kind, watch.selection, watch.managers)
        if watch.to:
            self._give(informers, mapped(watch))
        if watch.by:
            for informer in primaries:
                self._dismissals.append(informer.index(index, references(watch)))
            self._give(informers, referred(watch, index, lambda: primaries))
            if is_secret(watch.kind.__kind__):
                self._keep_referred(informers, index, primaries)
        if watch.selects:
            for informer in primaries:
                self._index_selections(informer, watch, index)
            self._give(informers, selected(watch, index, lambda: primaries))

    def _keep_referred(
        self, secrets: Sequence[Informer[Any]], index: str, primaries: Sequence[Informer[Any]]
    ) -> None:
        """Keep the values of the Secrets that an object of ours refers to, for as long as one does."""

        def refers(key: Key) -> bool:
            return any(primary.find(index, str(key)) for primary in primaries)

        def release(value: str) -> None:
            namespace, _, name = value.rpartition("/")
            for each in secrets:
                each.release_values(Key(namespace, name))

        self._dismissals += [each.keep_values(refers=refers) for each in secrets]
        for primary in primaries:
            primary.on_release(index, release)

    def _need(self, informers: Sequence[Informer[Any]], *, optional: bool = False) -> None:
        """Reconcile nothing without these, or let whoever reads them find out that they are missing."""
        if not optional:
            self._needed.update(dict.fromkeys(informers))
        for informer in informers if optional else ():
            self._optional.setdefault(informer.kind, []).append(informer)

    def _index_selections(self, informer: Informer[Any], watch: Watch[Any], index: str) -> None:
        """The index of rare labels counts in that of all, which is therefore brought up to date before it."""
        every, demanded = f"{index}/all", demands(watch)
        rarest = selections(demanded, lambda label: len(informer.find(every, label)))
        self._dismissals += [informer.index(every, demanded), informer.index(index, rarest)]

    def _informers(
        self,
        kind: type[Resource],
        selection: Selection,
        managers: Sequence[str] = (),
        *,
        dynamic: bool = False,
    ) -> list[Informer[Any]]:
        environment = self._environment
        namespaces = environment.namespaces or ("",)
        if selection.namespace or not kind.__kind__.namespaced:
            namespaces = (selection.namespace,)
        manager = environment.client.options.write.field_manager
        informers: list[Informer[Any]] = [
            environment.cache.informer(
                kind, replace(selection, namespace=each), keep_manager=manager, dynamic=dynamic
            )
            for each in namespaces
        ]
        for informer in informers:
            informer.keep_values(owner=self._primary)
            for each in managers:
                informer.keep_manager(each)
            self._declared.add(informer, (manager, *managers))
            self._listeners.setdefault(informer, self._listener())
        return informers

    def _give(self, informers: Sequence[Informer[Any]], role: Role) -> None:
        for informer in informers:
            self._listeners[informer].roles.append(role)


def _when(reconciler: Reconciler[Any]) -> Predicate | None:
    """What the reconciler says, else its class, where a plain function is not meant to become a method."""
    said: Predicate | None = vars(reconciler).get("when", type(reconciler).when)
    return said
