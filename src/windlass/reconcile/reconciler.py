from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, get_args, get_origin

from windlass.api import EVERYTHING, Key, Model, Resource, Selection
from windlass.reconcile.check import check_sequence, class_name, is_kind
from windlass.reconcile.declare import Follow, Index, Owns, Watch
from windlass.reconcile.mistake import check_methods, check_names, check_types, is_source
from windlass.reconcile.rule import Rule
from windlass.reconcile.timer import Timer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import TypeIs

    from windlass.reconcile.context import Context
    from windlass.reconcile.result import Result
    from windlass.reconcile.source import Source

R = TypeVar("R", bound=Resource)

_QUALIFIED = re.compile(
    r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
    r"/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
)

MYPY = False
"""True to mypy alone. pyright does not put the kind into the declared type of a base class when it infers an
attribute of a subclass, so that it would refuse each field in the lambda of a `Watch`."""


class _AfterKind:
    """The name that a reconciler has as long as nobody gives it another: that of its kind."""

    def __get__(self, reconciler: object, owner: type) -> str:
        kind = getattr(owner if reconciler is None else reconciler, "of", None)
        return kind.__kind__.name.lower() if kind is not None and is_kind(kind) else ""


def _after_kind() -> Any:
    """So that the type checker takes it for the text that it is read as."""
    return _AfterKind()


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

    What stands here is said by the class, or by an instance before it is added: then one class serves many
    kinds, each under a name of its own.
    """

    of: type[Resource]
    """The kind: taken from `Reconciler[WebApp]`, or said by the instance."""

    name: str = _after_kind()
    """What logs, metrics and the field manager call it; the kind in lower case unless said otherwise."""

    optional: bool = False
    """Whether the operator is ready without the kind, which another project may never install."""

    reporter: str = ""
    """Whom its events name as the one who tells; the operator unless said otherwise."""

    owns: Sequence[type[Resource] | Owns[Any]] = ()
    if MYPY:
        reads: Sequence[Watch[Any, R]] = ()
    else:
        reads: Sequence[Watch[Any, Any]] = ()
    indexes: Sequence[Index[Any]] = ()
    selection: Selection = EVERYTHING
    """Which objects of the kind it is responsible for."""

    until_gone: bool = False
    """Whether `reconcile` is also called for objects that are being deleted and that no finalizer of ours
    holds, until they are gone: for one who ends what an object runs, as a node does for its pods."""

    when: Callable[..., bool] | None = None  # a `Predicate`: type checkers take one of a class for a method
    """Which changes of the object itself wake it; all but its own writes unless said otherwise."""

    finalizer: str = ""
    """Put on each object before its first reconcile where the class has a `finalize`."""

    old_finalizers: Sequence[str] = ()
    """Names that the finalizer had in the past: taken for ours, and removed with it."""

    sources: Sequence[Source] = ()
    """What wakes objects besides changes in the cluster: timers, channels, polls."""

    follows: Sequence[Follow[Any]] = ()
    """Kinds of which every change is told, for a state that the reconciler keeps itself."""

    first_retry: timedelta = timedelta()
    """The delay before the first retry after a failure, which doubles with each further one. Set a second
    where a reconcile starts a process or calls a remote API; by default the queue's 5 ms apply."""

    rules: Sequence[Rule] = ()
    """What it does beyond what it declares, by `ctx.patch`, `ctx.live`, `ctx.watch` or a client of its own:
    `Rule.on(Node, "patch", subresource="status")`."""

    programs: Sequence[str] = ()
    """Programs that it runs, such as `helm`: generated memory limits include them."""

    status_type: type[Model] | None = None
    """The type of the status that it returns, where the kind has none, as an `Untyped` has. What the loop
    writes into the status follows from it, as it otherwise does from the kind."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in vars(cls).get("__orig_bases__", ()):  # those of a base class have had their say
            origin = get_origin(base)
            if isinstance(origin, type) and issubclass(origin, Reconciler):
                for kind in filter(is_kind, get_args(base)):
                    cls.of = kind
        check_names(cls, Reconciler, of_objects=True)
        check_methods(cls, of_objects=True)
        if hasattr(cls, "of"):  # else it is a base for others, or its instances say it
            check_reconciler(cls)

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Refuse to be made where nobody can say the kind."""
        if cls.__init__ is object.__init__:
            _check_kind_of(cls)
            _check_reconciles(cls)
        return super().__new__(cls)

    async def reconcile(self, resource: R, ctx: Context, /) -> Result[Any]:
        """Look, act, and tell how it ended."""
        raise NotImplementedError(f"{type(self).__name__} has no reconcile")

    async def finalize(self, resource: R, ctx: Context, /) -> Result[Any]:
        """Remove what the object has outside the cluster; called instead of `reconcile` once it is deleted.

        It may be called again after a success that was not recorded. `ready` lets the object go.
        """
        raise NotImplementedError(f"{type(self).__name__} has no finalize")

    async def forget(self, key: Key, /) -> None:
        """An object is gone: let go of what is kept in memory about it."""

    @classmethod
    def finalizes(cls) -> bool:
        """Whether objects are held back until `finalize` has run."""
        return cls.finalize is not Reconciler.finalize


class KeyReconciler:
    """Does something for each key that its sources or watches name, where no object is wanted.

    `reads` map changes to keys with `to`; there is no status, no finalizer and nothing is owned.

        class Report(KeyReconciler):
            name = "report"
            sources = (Cron("@daily", keys=(Key("", "report"),)),)
    """

    name: str
    reporter: str = ""
    reads: Sequence[Watch[Any]] = ()
    indexes: Sequence[Index[Any]] = ()
    sources: Sequence[Source] = ()
    follows: Sequence[Follow[Any]] = ()
    first_retry: timedelta = timedelta()
    rules: Sequence[Rule] = ()
    programs: Sequence[str] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        check_names(cls, KeyReconciler, of_objects=False)
        check_methods(cls, of_objects=False)
        check_reconciler(cls)

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Refuse to be made without a `reconcile`."""
        if cls.__init__ is object.__init__:
            _check_reconciles(cls)
        return super().__new__(cls)

    async def reconcile(self, key: Key, ctx: Context, /) -> Result[Any]:
        """Look, act, and tell how it ended."""
        raise NotImplementedError(f"{type(self).__name__} has no reconcile")


Reconciles = type[Reconciler[Any] | KeyReconciler] | Reconciler[Any] | KeyReconciler
"""Whoever declares something: a class, or an instance that says more than its class."""


def check_reconciler(said: Reconciles) -> None:
    """Find mistakes in what a reconciler declares; of an instance, when it is put to use.

    Raises:
        TypeError: there is one; the message has the line to write.
    """
    check_sequence(said, "indexes", lambda each: isinstance(each, Index), "Index(Pod, of)")
    check_sequence(said, "sources", is_source, "Every(timedelta(hours=1))")
    check_sequence(said, "rules", lambda each: isinstance(each, Rule), 'Rule.on(Node, "patch")')
    first: object = said.first_retry
    if not isinstance(first, timedelta) or first < timedelta():
        raise TypeError(f"{class_name(said)}: first_retry is {first!r}; write timedelta(seconds=1)")
    if not isinstance(said, type):
        _check_reconciles(said)
    if is_of_objects(said):
        _check_of_objects(said)
    else:
        _check_of_keys(said)


def is_of_objects(said: Reconciles) -> TypeIs[Reconciler[Any] | type[Reconciler[Any]]]:
    """Whether it reconciles objects, and not keys alone."""
    return issubclass(said if isinstance(said, type) else type(said), Reconciler)


def _check_of_objects(said: Any) -> None:
    _check_kind_of(said)
    check_sequence(said, "reads", lambda each: isinstance(each, Watch), "Watch(Secret)")
    check_sequence(said, "owns", lambda each: isinstance(each, Owns) or is_kind(each), "Deployment")
    check_sequence(said, "old_finalizers", lambda each: isinstance(each, str), '"example.com/old"')
    name = class_name(said)
    if said.of in said.owns:
        raise TypeError(
            f"{name} owns {said.of.__name__}, the kind that it reconciles and watches in any case: "
            f"leave it out, or say Owns({said.of.__name__}) if such objects own others of their kind"
        )
    for watch in said.reads:
        watch.check_fields_of(said.of)
    check_types(said)
    status: object = said.status_type
    if status is not None and not (isinstance(status, type) and issubclass(status, Model)):
        raise TypeError(f"{name}: status_type is {status!r}; name a class such as `WebAppStatus`")
    _check_finalizer(said, name)


def _check_finalizer(said: Any, name: str) -> None:
    if said.finalizer and not (isinstance(said.finalizer, str) and _QUALIFIED.fullmatch(said.finalizer)):
        raise TypeError(
            f"{name}: the API server takes no finalizer {said.finalizer!r}: "
            f'say finalizer = "example.com/{said.name}", with a domain of yours'
        )
    if said.finalizes() and not said.finalizer:
        raise TypeError(f'{name} has a finalize: say finalizer = "example.com/{said.name}" too')
    if said.finalizes() and said.until_gone:
        raise TypeError(f"{name} has a finalize, which is what runs until an object is gone")
    if said.finalizer and not said.finalizes():
        raise TypeError(
            f"{name} has a finalizer but no `async def finalize(self, {said.name}, ctx)`; "
            "a name that is no longer in use belongs into old_finalizers"
        )


def _check_kind_of(said: Any) -> None:
    name = class_name(said)
    if not is_kind(getattr(said, "of", None)):
        raise TypeError(
            f"{name} reconciles nothing: class {name}(Reconciler[WebApp]), or self.of = WebApp in __init__"
        )


def _check_reconciles(said: Any) -> None:
    """A class without a `reconcile` may be a base of others; it cannot be put to use."""
    name = class_name(said)
    if getattr(said.reconcile, "__func__", said.reconcile) in (Reconciler.reconcile, KeyReconciler.reconcile):
        given = "app" if is_of_objects(said) else "key"
        raise TypeError(f"{name} has no reconcile: write async def reconcile(self, {given}, ctx)")


def _check_of_keys(said: Any) -> None:
    name = class_name(said)
    if not getattr(said, "name", ""):
        raise TypeError(f'{name} has no name: say name = "{name.lower()}"')
    check_sequence(said, "reads", lambda each: isinstance(each, Watch), "Watch(Secret, to=keys)")
    if any(watch.by or watch.selects for watch in said.reads):
        raise TypeError(f"{name} has no objects that could refer to others: say `to` alone")
    if any(isinstance(source, Timer) and not source.keys for source in said.sources):
        raise TypeError(f'{name} has no objects that a timer could wake: say keys=(Key("", "all"),)')
