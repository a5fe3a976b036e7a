from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, get_args, get_origin

from windlass.api import EVERYTHING, Key, Resource, Selection
from windlass.reconcile.check import check_sequence, is_kind
from windlass.reconcile.declare import Follow, Index, Owns, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.reconcile.context import Context
    from windlass.reconcile.declare import Predicate
    from windlass.reconcile.result import Result
    from windlass.reconcile.source import Source

R = TypeVar("R", bound=Resource)


class Reconciler(Generic[R]):
    """Brings the world to what an object says: object in, result out.

    `reconcile` is called with the object as the cache has it, after every change of it or of what it owns and
    reads, one call at a time for each object. It returns a `Result`, raises (it is tried again, ever later),
    or raises `Terminal` (it waits for a change). Status is returned, not written along the way; one who fails
    and has a status to tell returns `Result.failed`.

        class WebAppController(Reconciler[WebApp]):
            owns = (Deployment, Service)

            async def reconcile(self, app: WebApp, ctx: Context) -> Result[WebAppStatus]:
                live = await ctx.apply(deployment(app))
                return Result.ready(WebAppStatus(replicas=live.status.ready_replicas))
    """

    of: ClassVar[type[Resource]]
    """The kind: taken from `Reconciler[WebApp]`."""

    name: ClassVar[str] = ""
    """What logs, metrics and the field manager call it; the kind in lower case unless said otherwise."""

    reporter: ClassVar[str] = ""
    """Whom its events name as the one who tells; the operator unless said otherwise."""

    owns: ClassVar[Sequence[type[Resource] | Owns[Any]]] = ()
    reads: Sequence[Watch[Any]] = ()
    """Said by the class; an instance may say again whom a change concerns, by what it knows itself."""

    indexes: ClassVar[Sequence[Index[Any]]] = ()
    selection: ClassVar[Selection] = EVERYTHING
    """Which objects of the kind it is responsible for."""

    until_gone: ClassVar[bool] = False
    """Whether `reconcile` is also called for objects that are being deleted and that no finalizer of ours
    holds, until they are gone: for one who ends what an object runs, as a node does for its pods."""

    when: ClassVar[Predicate | None] = None
    """Which changes of the object itself wake it; all but its own writes unless said otherwise."""

    finalizer: ClassVar[str] = ""
    """Put on each object before its first reconcile where the class has a `finalize`."""

    old_finalizers: ClassVar[Sequence[str]] = ()
    """Names that the finalizer had in the past: taken for ours, and removed with it."""

    sources: Sequence[Source] = ()
    """What wakes objects besides changes in the cluster: timers, channels, polls."""

    follows: Sequence[Follow[Any]] = ()
    """Kinds of which every change is told, for a state that the reconciler keeps itself."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            origin = get_origin(base)
            if isinstance(origin, type) and issubclass(origin, Reconciler):
                for kind in filter(is_kind, get_args(base)):
                    cls.of = kind
        if not hasattr(cls, "of"):  # a base for others
            return
        if not cls.name:
            cls.name = cls.of.__kind__.name.lower()
        cls.__check()

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Refuse to be made without a kind."""
        if not hasattr(cls, "of"):
            raise TypeError(f"{cls.__name__} reconciles nothing: class {cls.__name__}(Reconciler[WebApp])")
        return super().__new__(cls)

    @classmethod
    def __check(cls) -> None:
        """Find mistakes in what the class says."""
        check_sequence(cls, "owns", lambda each: isinstance(each, Owns) or is_kind(each), "Deployment")
        check_sequence(cls, "reads", lambda each: isinstance(each, Watch), "Watch(Secret)")
        check_sequence(cls, "indexes", lambda each: isinstance(each, Index), "Index(Pod, of)")
        check_sequence(cls, "old_finalizers", lambda each: isinstance(each, str), '"example.com/old"')
        if cls.finalizes() and not cls.finalizer:
            raise TypeError(f'{cls.__name__} has a finalize: say finalizer = "example.com/{cls.name}" too')
        if cls.finalizes() and cls.until_gone:
            raise TypeError(f"{cls.__name__} has a finalize, which is what runs until an object is gone")
        if cls.finalizer and not cls.finalizes():
            raise TypeError(
                f"{cls.__name__} has a finalizer but no `async def finalize(self, {cls.name}, ctx)`; "
                "a name that is no longer in use belongs into old_finalizers"
            )

    async def reconcile(self, resource: R, ctx: Context) -> Result[Any]:
        """Look, act, and tell how it ended."""
        raise NotImplementedError(f"{type(self).__name__} has no reconcile")

    async def finalize(self, resource: R, ctx: Context) -> Result[Any]:
        """Remove what the object has outside the cluster; called instead of `reconcile` once it is deleted.

        It may be called again after a success that was not recorded. `ready` lets the object go.
        """
        raise NotImplementedError(f"{type(self).__name__} has no finalize")

    async def forget(self, key: Key) -> None:
        """An object is gone: let go of what is kept in memory about it."""

    @classmethod
    def finalizes(cls) -> bool:
        """Whether objects are held back until `finalize` has run."""
        return cls.finalize is not Reconciler.finalize

    @classmethod
    def owned(cls) -> tuple[Owns[Any], ...]:
        """What `owns` says, in one form."""
        return tuple(each if isinstance(each, Owns) else Owns(each) for each in cls.owns)


class KeyReconciler:
    """Does something for each key that its sources or watches name, where no object is wanted.

    `reads` map changes to keys with `to`; there is no status, no finalizer and nothing is owned.
    """

    name: ClassVar[str]
    reporter: ClassVar[str] = ""
    reads: Sequence[Watch[Any]] = ()
    indexes: ClassVar[Sequence[Index[Any]]] = ()
    sources: Sequence[Source] = ()
    follows: Sequence[Follow[Any]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not getattr(cls, "name", ""):
            raise TypeError(f'{cls.__name__} has no name: say name = "{cls.__name__.lower()}"')
        check_sequence(cls, "reads", lambda each: isinstance(each, Watch), "Watch(Secret, to=keys)")
        check_sequence(cls, "indexes", lambda each: isinstance(each, Index), "Index(Pod, of)")
        if any(watch.by or watch.selects for watch in cls.reads):
            raise TypeError(f"{cls.__name__} has no objects that could refer to others: say `to` alone")

    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        """Look, act, and tell how it ended."""
        raise NotImplementedError(f"{type(self).__name__} has no reconcile")
