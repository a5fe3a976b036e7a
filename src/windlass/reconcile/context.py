"""What a reconcile may do, as protocols that the controller implements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from windlass.api import Resource

if TYPE_CHECKING:
    import logging
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from windlass.api import Json, Key, Model, Selector
    from windlass.client import DeleteOptions, Impersonation, Patch, Reader
    from windlass.reconcile.cause import Cause
    from windlass.reconcile.declare import Digest, Index, Watch

R = TypeVar("R", bound=Resource)
D = TypeVar("D")
T = TypeVar("T")
P = ParamSpec("P")


class Reads(Protocol):
    """Reads from the cache. Only kinds that the reconciler declared are there.

    What this reconcile wrote itself is seen at once, whether or not the watch has reported it. A kind that is
    declared as `optional` raises `KindMissingError` for as long as the server does not serve it.
    """

    @property
    def live(self) -> Reader:
        """Reads that ask the server."""

    async def get(
        self, kind: type[R], name: str, namespace: str = "", *, cached_only: bool = False
    ) -> R | None:
        """Return an object, or None if there is none; without a namespace, from that of our own object.

        The cache keeps the values of a Secret only if an object of the reconciler owns it or refers to it by
        `Watch(Secret, by=…)`; others are read from the server. With `cached_only`, no request is made, and
        reading a value that is not kept raises `NotCachedError`.

        Raises:
            UndeclaredError: the kind is not declared.
        """

    async def list(
        self,
        kind: type[R],
        namespace: str = "",
        *,
        labels: str | Selector = "",
        index: Index[R] | None = None,
        value: str | Sequence[str] = "",
    ) -> Sequence[R]:
        """Objects of a kind in one namespace or in all, by labels and by what an index says of them.

        Of several values, the index has to say each; the rarest one decides how many are looked at.

        Raises:
            UndeclaredError: the kind, or the index, is not declared.
        """

    async def owned(self, kind: type[R]) -> Sequence[R]:
        """Objects of a kind whose controller our object is."""

    async def digests(
        self, digest: Digest[R, D], *, index: Index[R] | None = None, value: str | Sequence[str] = ""
    ) -> Mapping[Key, D]:
        """What a digest says of each object whose controller our object is, or that an index finds.

        Raises:
            UndeclaredError: the kind, or the index, is not declared.
        """

    async def watch(self, watch: Watch[Any]) -> None:
        """Declare a kind of which one learns only now, and wait until it can be read; an equal one is free.

        It stays declared for as long as the controller is there, and counts for all of its objects, so keep
        the `Watch`: let `to` tell from the object that changed whom to wake. What the operator needs for it
        belongs into `Reconciler.rules`.

        Raises:
            KindMissingError: the server does not serve it. Where nobody catches this, the object waits, and
                is looked at when the kind comes.
            UnwatchableError: the server cannot be asked, or refuses.
            ValueError: it has a `by` or `selects`, or its `to` was made anew.
        """


class Writes(Protocol):
    """Changes objects of the cluster; each is recorded, and refused when this process no longer leads."""

    async def apply(self, resource: R, *, owned: bool = True, force: bool = True, manager: str = "") -> R:
        """Make the cluster's object have these fields, and drop those that we applied before and not now.

        No call is made when nothing would change. `owned` makes our object its controller, so that it goes
        when ours goes. `manager` is another field manager in whose name this is done, such as `helm`: the
        fields are its own, apart from those of the operator, and `prune` does not ask for them.

        Raises:
            AlreadyOwnedError: it is to be owned, and another object owns it.
            Conflict: another manager owns one of the fields, and `force` is not set.
            KindMissingError: the kind is optional, and not served.
            UndeclaredError: the kind is not declared, or the manager is not declared for it.
        """

    async def create(self, resource: R, *, owned: bool = True) -> R:
        """Create one of many, such as a pod of a set; with a `generate_name` the server finds the name.

        What has a name of its own is better applied: then a second attempt finds what the first one left.
        The cache shows the object at once, so that the next reconcile counts it. `prune` leaves it alone.

        Raises:
            AlreadyExists: there is one of this name.
            UndeclaredError: it is to be owned, and the kind is not declared.
        """

    async def patch(
        self, kind: type[R], name: str, patch: Patch, namespace: str = "", *, subresource: str = ""
    ) -> R:
        """Change fields of an object that is not ours; a merge patch that changes nothing is not sent.

        `subresource` is one whose form is the object itself, such as `status`.
        """

    async def post(
        self, kind: type[Resource], name: str, action: str, form: Json, namespace: str = ""
    ) -> Json:
        """Post a form to a subresource that is an action, such as `eviction`; returns the answer."""

    async def delete(
        self,
        kind: type[Resource],
        name: str,
        namespace: str = "",
        *,
        options: DeleteOptions | None = None,
    ) -> None:
        """Delete an object, its dependents in the background; one that is gone already is no fault.

        Without a `uid` in the options, only the one that the cache has is deleted.

        Raises:
            Conflict: another object has the name by now, or it has changed, where the options ask for that.
        """

    async def prune(self) -> Sequence[Resource]:
        """Delete what we applied earlier as part of our object, and not in this reconcile; returns that.

        Of what no longer fits its type, the metadata is returned.
        """


class Acts(Protocol):
    """Everything else that can be noticed outside."""

    async def checkpoint(self, status: Model) -> None:
        """Write the status now: an intent that has to outlive a crash before the effect that it announces.

        It is written on top of the status that this run was given, never over another: whoever has written
        an intent may act on it.

        Raises:
            Conflict: the status is another one by now; let it pass, and the next run is given that one.
            NotFound: the object is gone.
        """

    async def progress(self, reason: str, message: str) -> None:
        """Write now that our object is not ready and why, while this run goes on.

        Use it before a step that takes long. A kind whose conditions the loop does not write shows nothing:
        write those by `checkpoint`.
        """

    async def superseded(self) -> None:
        """Return when this run has become obsolete: our object got a new generation, or is being deleted.

        Wait for it beside a step that takes long, to give that up.
        """

    async def effect(self, what: str, call: Callable[[], Awaitable[T]], *, planned: T | None = None) -> T:
        """Do something outside the cluster, such as creating a record in somebody's API.

        It is refused when this process no longer leads, recorded in the journal, and in a plan told instead
        of done: there, `planned` is what it would have returned. Without it the plan ends here.
        """

    def event(
        self, reason: str, message: str, *, warning: bool = False, about: Resource | None = None
    ) -> None:
        """Tell people something about our object, or another (an Event); repeated ones are merged."""

    async def thread(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a library that blocks, in a thread, without stopping everybody else.

        A thread cannot be stopped: after the time limit or the loss of the lease, `call` goes on to its end,
        unheard. Give it a time limit of its own that is shorter.
        """


class Context(Reads, Writes, Acts, Protocol):
    """What a reconcile may do, and why it runs."""

    @property
    def key(self) -> Key:
        """The object that this reconcile is about."""

    def acting_as(self, user: Impersonation) -> Context:
        """The same reconcile whose writes, and whose `live` reads, act as another user.

        What that user may not do is refused, although the operator may. Reads from the cache, events, the
        status and the finalizers of our own object stay the operator's. The operator needs the right to
        `impersonate` that user.
        """

    @property
    def causes(self) -> Sequence[Cause]:
        """Everything that led to this run, oldest first."""

    @property
    def log(self) -> logging.LoggerAdapter[Any]:
        """A logger that names the object in each line."""

    @property
    def now(self) -> datetime:
        """The time, in UTC."""
