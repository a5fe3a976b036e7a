"""What a reconciler declares about other kinds: from it come watches, caches, wake-ups and RBAC."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from typing_extensions import TypeVar

from windlass.api import EVERYTHING, Change, Key, LabelSelector, Resource, Selection
from windlass.reconcile.access import check_fields
from windlass.reconcile.check import check_function, check_kind, check_managers

if TYPE_CHECKING:
    from windlass.api import Snapshot

R = TypeVar("R", bound=Resource)
O_contra = TypeVar("O_contra", bound=Any, default=Any, contravariant=True)
"""The kind that is reconciled. Where it is unknown, pyright goes by the bound, which refuses nothing."""

D = TypeVar("D")

Names = str | Key | Iterable[str | Key] | None
"""Which objects are meant: a name lies in the namespace of the object that names it."""

Predicate = Callable[[Change[Any]], bool]
"""Whether a change is worth a reconcile."""


@dataclass(frozen=True)
class Watch(Generic[R, O_contra]):
    """Another kind that a reconciler reads: it is watched, cached, and may wake the objects concerned.

    `by` tells which objects of the kind an object of ours refers to: a change of one of those wakes it.
    `selects` tells by which labels it selects them, in its own namespace: a change of one that has them, or
    had them, wakes it; None selects nothing. `to` tells, from the object that changed, which of ours to wake.
    With none of these, it is read and wakes nobody. `managers` are field managers beside our own whose
    entries are kept, for one who applies in their name: `ctx.apply(…, manager="helm")`.

    Nothing is reconciled while a kind that is declared is not served, unless it is `optional`: then only what
    reads or applies it raises `KindMissingError`, and all of our objects are looked at when it comes.

        reads = (Watch(Secret, by=lambda app: app.spec.secret_name),)

    mypy takes the kind of `app` from `Reconciler[WebApp]`. pyright does not do that for attributes of a
    class: there, write `Watch[Secret, WebApp](Secret, by=…)`, or pass a function that names the type.
    """

    kind: type[R]
    by: Callable[[O_contra], Names] | None = None
    to: Callable[[R], Iterable[Key]] | None = None
    selects: Callable[[O_contra], LabelSelector | None] | None = None
    when: Predicate | None = None
    selection: Selection = EVERYTHING
    managers: tuple[str, ...] = ()
    optional: bool = False

    def __post_init__(self) -> None:
        check_kind("Watch", self.kind)
        check_managers("Watch", self.kind, self.managers)
        for name in ("by", "to", "selects", "when"):
            check_function(f"Watch({self.kind.__name__}, {name}=…)", getattr(self, name))
        if sum(each is not None for each in (self.by, self.to, self.selects)) > 1:
            raise ValueError(f"Watch({self.kind.__name__}): say one of `by`, `to` and `selects`")
        check_fields(f"Watch({self.kind.__name__}, to=…)", self.to, self.kind)

    def check_fields_of(self, of: type[Resource]) -> None:
        """See that `by` and `selects` read fields that the reconciled kind has.

        Raises:
            TypeError: there is no such field; the message has the nearest one.
        """
        check_fields(f"Watch({self.kind.__name__}, by=…)", self.by, of)
        check_fields(f"Watch({self.kind.__name__}, selects=…)", self.selects, of)


@dataclass(frozen=True)
class Owns(Generic[R]):
    """A kind that a reconciler applies as parts of its own objects; in `owns`, the kind alone says the same.

    A change of an owned object wakes its owner, unless the owner's own reconcile made it. `managers` and
    `optional` are those of `Watch`.
    """

    kind: type[R]
    when: Predicate | None = None
    selection: Selection = EVERYTHING
    managers: tuple[str, ...] = ()
    optional: bool = False

    def __post_init__(self) -> None:
        check_kind("Owns", self.kind)
        check_managers("Owns", self.kind, self.managers)

    @classmethod
    def all(cls, said: Iterable[type[Resource] | Owns[Any]]) -> tuple[Owns[Any], ...]:
        """What the `owns` of a reconciler says, in one form."""
        return tuple(each if isinstance(each, Owns) else Owns(each) for each in said)


@dataclass(frozen=True)
class Index(Generic[R]):
    """Finds cached objects by what a function says of them: `ctx.list(Pod, index=BY_NODE, value="a")`.

    It is asked at each change of each object. Where there are very many, and it looks at labels or owners
    alone, let it be `undecoded`: then it is given the `Snapshot`.
    """

    kind: type[R]
    of: Callable[[Any], str | Iterable[str] | None]
    undecoded: bool = False

    if TYPE_CHECKING:

        @overload
        def __init__(
            self,
            kind: type[R],
            of: Callable[[R], str | Iterable[str] | None],
            undecoded: Literal[False] = False,  # noqa: FBT002 - as the dataclass makes it
        ) -> None: ...

        @overload
        def __init__(
            self,
            kind: type[R],
            of: Callable[[Snapshot[R]], str | Iterable[str] | None],
            undecoded: Literal[True],
        ) -> None: ...

        def __init__(self, kind: type[R], of: Callable[..., Any], undecoded: bool = ...) -> None: ...  # noqa: FBT001

    def __post_init__(self) -> None:
        check_kind("Index", self.kind)
        check_function(f"Index({self.kind.__name__}, of=…)", self.of)
        if not self.undecoded:
            check_fields(f"Index({self.kind.__name__}, of=…)", self.of, self.kind)


@dataclass(frozen=True)
class Follow(Generic[R]):
    """Has every change of a kind told to a reconciler that keeps a state of its own: sums, a graph.

    `told` hears what the first list found before the first reconcile runs, and each change before anybody is
    woken by it. It must be quick and cannot wait; what it raises is logged. It may wake objects by a
    `Channel`. The kind is declared besides, as the one that is reconciled, in `owns` or in `reads`. Where
    `ctx.list` with an index does, use that: a state of one's own has to be kept right.

        self.follows = (Follow(Pod, self._room.see),)
    """

    kind: type[R]
    told: Callable[[Change[R]], None]

    def __post_init__(self) -> None:
        check_kind("Follow", self.kind)


@dataclass(frozen=True)
class Digest(Generic[R, D]):
    """What a reconciler has to know of each of many objects: `ctx.digests(Digest(Pod, is_ready))`.

    It is worked out once for each change of an object, so that to count a thousand pods, of which one has
    changed, decodes one. All runs share it: let it be a value that nobody changes, and keep the `Digest`.
    """

    kind: type[R]
    of: Callable[[R], D]

    def __post_init__(self) -> None:
        check_kind("Digest", self.kind)
        check_fields(f"Digest({self.kind.__name__}, of=…)", self.of, self.kind)
