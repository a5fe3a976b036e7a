"""From changes in the cache to the objects that they concern."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from windlass.api import Key, is_secret, masked_logger, masking_secrets, note_secret
from windlass.controller.annotation import asks_for_a_look
from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from windlass.api import Change, Resource
    from windlass.cache import Informer
    from windlass.controller.authors import Authors
    from windlass.reconcile import Follow, Names, Predicate, Watch

_log = masked_logger("windlass.controller")

Wake = Callable[[Key, "Change[Any]"], None]


class Memory(Protocol):
    """Something that is remembered of objects."""

    def forget(self, kind: type[Resource], key: Key) -> None:
        """An object is gone."""


class Role(NamedTuple):
    """What a watched kind is to a reconciler: whom a change concerns, and which changes matter."""

    concerned: Callable[[Change[Any]], Iterable[Key]]
    when: Predicate | None = None


class Listener:
    """Hears the changes of one informer for one controller, in all the roles that the kind has there."""

    def __init__(self, authors: Authors, memories: Sequence[Memory], wake: Wake) -> None:
        self._authors = authors
        self._memories = memories
        self._wake = wake
        self.roles: list[Role] = []

    def __call__(self, change: Change[Any]) -> None:
        """Wake whom the change concerns, but for the object whose own reconcile made it."""
        if change.new is None:
            for memory in self._memories:
                memory.forget(change.kind, change.key)
        writer = self._authors.writer(change)
        woken: set[Key] = set()
        for role in self.roles:
            woken.update(_concerned(role, change))
        for key in woken:
            if key != writer:
                self._wake(key, change)


def _concerned(role: Role, change: Change[Any]) -> Iterable[Key]:
    """Whom a change concerns in a role; a function that fails for one object stops no other."""
    try:
        return tuple(role.concerned(change)) if role.when is None or role.when(change) else ()
    except Exception:  # noqa: BLE001 - it is somebody else's function, and is told
        with masking_secrets(*change.key):
            for state in (change.old, change.new):
                if state is not None and is_secret(change.kind.__kind__):
                    note_secret(state.data)
            _log.exception(
                "%s %s was %s, but its mapper raised an error: the change is dropped",
                change.kind.__kind__.name,
                change.key,
                change.event,
            )
        return ()


def itself(when: Predicate | None) -> Role:
    """The kind that is reconciled; a person's wish to have it looked at is never filtered out."""
    if when is None:
        return Role(lambda change: (change.key,))
    return Role(lambda change: (change.key,), lambda change: asks_for_a_look(change) or when(change))


def owned_by(kind: type[Resource], when: Predicate | None) -> Role:
    """A kind whose objects belong to those that are reconciled; one that changes hands concerns both."""
    group, name, namespaced = kind.__kind__.group, kind.__kind__.name, kind.__kind__.namespaced

    def owners(change: Change[Any]) -> Iterable[Key]:
        for state in (change.old, change.new):
            for each in state.metadata.get("ownerReferences", ()) if state else ():
                same_group = each["apiVersion"].rpartition("/")[0] == group
                if each.get("controller") and each["kind"] == name and same_group:
                    yield Key(change.key.namespace if namespaced else "", each["name"])

    return Role(owners, when)


def mapped(watch: Watch[Any]) -> Role:
    """A kind that tells by itself whom it concerns, before and after the change."""
    to = watch.to

    def told(change: Change[Any]) -> Iterable[Key]:
        for state in (change.old, change.new):
            if state is None or to is None:
                continue
            try:
                resource = state.shared
            except UndecodableError as error:  # what it was, or has become, may be worth a wake-up yet
                _log.warning("%s", error)
            else:
                yield from to(resource)

    return Role(told, watch.when)


def referred(watch: Watch[Any], index: str, primaries: Callable[[], Iterable[Informer[Any]]]) -> Role:
    """A kind that those that are reconciled refer to; an index over them tells who does."""

    def referring(change: Change[Any]) -> Iterable[Key]:
        for informer in primaries():
            yield from informer.find(index, str(change.key))

    return Role(referring, watch.when)


def followed(follow: Follow[Any]) -> Role:
    """A kind whose changes the reconciler takes note of itself; whom that concerns is its own affair."""

    def noted(change: Change[Any]) -> Iterable[Key]:
        follow.told(change)
        return ()

    return Role(noted)


def references(watch: Watch[Any]) -> Callable[[Resource], Iterable[str]]:
    """The index behind `referred`: which objects one of ours refers to."""
    by, namespaced = watch.by, watch.kind.__kind__.namespaced

    def named(resource: Resource) -> Iterable[str]:
        names: Names = by(resource) if by else None
        if names is None:
            return
        for each in (names,) if isinstance(names, str | Key) else names:
            if not each:
                continue
            namespace, name = each if isinstance(each, Key) else (resource.metadata.namespace, each)
            if namespaced and not namespace:
                raise ValueError(
                    f"{resource.metadata.name} is in no namespace: name {name} by Key(…, {name!r})"
                )
            yield str(Key(namespace if namespaced else "", name))

    return named
