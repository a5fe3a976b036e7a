from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Resource
from windlass.errors import UndeclaredError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from windlass.api import Key
    from windlass.cache import Informer
    from windlass.reconcile import Index

R = TypeVar("R", bound=Resource)


class Declared:
    """The cached kinds that a reconciler may read and apply: those that it declared, and no others."""

    def __init__(self, reconciler: str) -> None:
        self._reconciler = reconciler
        self._informers: dict[type[Resource], list[Informer[Any]]] = {}
        self._indexes: dict[Index[Any], str] = {}
        self._managers: dict[Informer[Any], set[str]] = {}
        self._grown = asyncio.Event()

    async def grown(self) -> None:
        """Wait until an informer was added; for one who looks at all of them then."""
        await self._grown.wait()
        self._grown.clear()

    def add(self, informer: Informer[Any], managers: Iterable[str] = ()) -> None:
        """Let the reconciler see what this informer holds; the one that keeps more goes first.

        `managers` are the field managers in whose name it may apply.
        """
        known = self._informers.setdefault(informer.kind, [])
        self._managers.setdefault(informer, set()).update(managers)
        if informer not in known:
            known.append(informer)
            known.sort(key=_poverty)
            self._grown.set()

    def add_index(self, name: str, index: Index[Any]) -> Sequence[Callable[[], None]]:
        """Let the reconciler find objects by this index, whose name is its own; returns what ends it."""
        self._indexes[index] = name
        informers = self.of(index.kind)
        return [informer.index(name, index.of, undecoded=index.undecoded) for informer in informers]

    def of(self, kind: type[R]) -> Sequence[Informer[R]]:
        """The informers of a kind.

        Raises:
            UndeclaredError: it is not declared; the message has the line to add.
        """
        found = self._informers.get(kind)
        if not found:
            name = kind.__name__
            raise UndeclaredError(
                f"{self._reconciler} does not declare {kind.__kind__}, so it is not cached. Add one of:\n"
                f"    owns = ({name},)          # it is part of our objects: watched, applied, pruned\n"
                f"    reads = (Watch({name}),)  # it is somebody else's: watched, read from memory\n"
                f"or ask the server each time: await ctx.live.get({name}, …)"
            )
        return found

    def holding(self, kind: type[R], key: Key) -> Informer[R]:
        """The informer in whose part of the cluster an object lies.

        Raises:
            UndeclaredError: its kind, or its namespace, is not declared.
        """
        self.of(kind)
        found = self.find(kind, key)
        if found is not None:
            return found
        raise UndeclaredError(
            f"{self._reconciler} watches {kind.__kind__} in other namespaces than {key.namespace!r}: "
            "add it to the namespaces of the manager, or ask the server: ctx.live"
        )

    def keeping(self, kind: type[R], key: Key, manager: str) -> Informer[R]:
        """The informer that holds an object and what a field manager applied; without a name, our own.

        Raises:
            UndeclaredError: the kind, its namespace or the manager is not declared.
        """
        if not manager:
            return self.holding(kind, key)
        around = [each for each in self.around(kind, key) if manager in self._managers[each]]
        if around:
            return next((each for each in around if each.snapshot(key) is not None), around[0])
        self.holding(kind, key)
        name = kind.__name__
        raise UndeclaredError(
            f"{self._reconciler} does not keep what {manager!r} applied to {name}. Add one of:\n"
            f'    owns = (Owns({name}, managers=("{manager}",)),)\n'
            f'    reads = (Watch({name}, managers=("{manager}",)),)'
        )

    def find(self, kind: type[R], key: Key) -> Informer[R] | None:
        """The informer that holds an object, or would if it existed, if its kind is declared."""
        around = self.around(kind, key)
        if len(around) > 1:  # the same kind was declared with several selections
            return next((each for each in around if each.snapshot(key) is not None), around[0])
        return around[0] if around else None

    def around(self, kind: type[R], key: Key) -> Sequence[Informer[R]]:
        """The informers in whose part of the cluster an object lies, whatever else they select."""
        found = self._informers.get(kind, ())
        return [each for each in found if each.selection.namespace in ("", key.namespace)]

    def index_name(self, index: Index[Any]) -> str:
        """The name under which the informers know an index.

        Raises:
            UndeclaredError: it is not declared.
        """
        try:
            return self._indexes[index]
        except KeyError:
            raise UndeclaredError(
                f"{self._reconciler} does not declare this index of {index.kind.__name__}: "
                "add it to its `indexes`"
            ) from None

    def __iter__(self) -> Iterator[Informer[Any]]:
        for informers in self._informers.values():
            yield from informers


def _poverty(informer: Informer[Any]) -> tuple[bool, ...]:
    """How little an informer keeps of each object, and then of how many."""
    chosen = informer.selection
    narrow = bool(str(chosen.labels) or chosen.fields)
    return (not chosen.values, chosen.metadata_only, bool(chosen.keep), narrow)
