from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Resource
from windlass.errors import UndeclaredError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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

    def add(self, informer: Informer[Any]) -> None:
        """Let the reconciler see what this informer holds."""
        known = self._informers.setdefault(informer.kind, [])
        if informer not in known:
            known.append(informer)

    def add_index(self, name: str, index: Index[Any]) -> Sequence[Callable[[], None]]:
        """Let the reconciler find objects by this index, whose name is its own; returns what ends it."""
        self._indexes[index] = name
        return [informer.index(name, index.of) for informer in self.of(index.kind)]

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

    def find(self, kind: type[R], key: Key) -> Informer[R] | None:
        """The informer that holds an object, if its kind is declared."""
        for informer in self._informers.get(kind, ()):
            if informer.selection.namespace in ("", key.namespace):
                return informer
        return None

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
