from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.api import Key, Kind

ORPHAN: Final = "orphan"
FOREGROUND: Final = "foregroundDeletion"


class Stage(Enum):
    """How far the deletion of an object is."""

    ALIVE = "alive"
    GOING = "going"
    """It waits for something that is not our business."""
    FOREGROUND = "waits for its dependents to go"
    ORPHANING = "waits for its dependents to be released"


class Reference(NamedTuple):
    """An owner as a dependent names it."""

    uid: str
    api_version: str
    kind: str
    name: str
    blocking: bool = False

    @property
    def group(self) -> str:
        """The group of the owner's kind."""
        return self.api_version.rpartition("/")[0]


class Node(NamedTuple):
    """An object, as far as the garbage collector is concerned with it."""

    kind: Kind
    key: Key
    uid: str
    owners: tuple[Reference, ...] = ()
    stage: Stage = Stage.ALIVE

    def names(self, owner: Node) -> bool:
        """Whether all references to this owner's uid mean this very object, whichever version they name."""
        return all(
            owner.key.namespace in ("", self.key.namespace)
            and (each.group, each.kind, each.name) == (owner.kind.group, owner.kind.name, owner.key.name)
            for each in self.owners
            if each.uid == owner.uid
        )


def stage_of(deletion: object, finalizers: Sequence[str]) -> Stage:
    """The stage of an object with this deletion timestamp and these finalizers; orphaning goes first."""
    if not deletion:
        return Stage.ALIVE
    if ORPHAN in finalizers:
        return Stage.ORPHANING
    return Stage.FOREGROUND if FOREGROUND in finalizers else Stage.GOING


def node_of(kind: Kind, key: Key, metadata: Mapping[str, Any]) -> Node:
    """The node of an object, from its metadata as it stands on the wire."""
    owners = tuple(
        Reference(
            each["uid"], each["apiVersion"], each["kind"], each["name"], bool(each.get("blockOwnerDeletion"))
        )
        for each in metadata.get("ownerReferences") or ()
    )
    stage = stage_of(metadata.get("deletionTimestamp"), metadata.get("finalizers") or ())
    return Node(kind, key, metadata["uid"], owners, stage)


class Graph:
    """Who owns whom, as far as the watches have told.

    `observe` and `forget` return the objects that have to be looked at because of what they were told. An
    owner that nobody has seen has dependents all the same. Everything is in the order in which it came, so
    that the same history leads to the same looks.
    """

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._dependents: dict[str, dict[str, None]] = {}

    def get(self, uid: str) -> Node | None:
        """The object with this uid, if it was seen."""
        return self._nodes.get(uid)

    def dependents(self, uid: str) -> list[Node]:
        """The objects that name this uid as an owner."""
        return [self._nodes[each] for each in self._dependents.get(uid, ())]

    def is_blocked(self, uid: str) -> bool:
        """Whether a dependent has to be gone before an owner that waits for those."""
        return any(
            each.uid == uid and each.blocking
            for dependent in self._dependents.get(uid, ())  # the first one will do, of perhaps thousands
            for each in self._nodes[dependent].owners
        )

    def is_doubtful(self, node: Node) -> bool:
        """Whether an owner of this object was not seen as it is named here, or waits for its dependents."""
        owners = (self._nodes.get(each.uid) for each in node.owners)
        return any(each is None or each.stage is Stage.FOREGROUND or not node.names(each) for each in owners)

    def suspects(self) -> list[Node]:
        """Everything that has to be looked at, whatever was said of it before."""
        return [
            node
            for node in self._nodes.values()
            if node.stage in (Stage.FOREGROUND, Stage.ORPHANING)
            or (node.stage is Stage.ALIVE and self.is_doubtful(node))
        ]

    def observe(self, node: Node) -> list[Node]:
        """An object is there, or has changed."""
        before = self._nodes.get(node.uid)
        if before == node:
            return []
        self._nodes[node.uid] = node
        old = before.owners if before else ()
        self._link(node, old)
        woken = [] if node.owners == old or not self.is_doubtful(node) else [node]
        woken += self._unblocked(node, old)
        if node.stage is not (before.stage if before else Stage.ALIVE) and node.stage is not Stage.GOING:
            woken.append(node)
            woken += self.dependents(node.uid) if node.stage is Stage.FOREGROUND else ()
        elif before is None:
            woken += [each for each in self.dependents(node.uid) if not each.names(node)]
        return woken

    def forget(self, uid: str, kind: Kind) -> list[Node]:
        """An object is gone; unless it has meanwhile been seen as one of another version of its kind."""
        node = self._nodes.get(uid)
        if node is None or node.kind != kind:
            return []
        del self._nodes[uid]
        for each in node.owners:
            self._unlink(each.uid, uid)
        return [*self.dependents(uid), *self._waiting(each.uid for each in node.owners)]

    def lose(self, kind: Kind) -> list[Node]:
        """Nothing is known any more of a kind, which is not to say that its objects are gone."""
        lost = [node for node in self._nodes.values() if node.kind == kind]
        woken: dict[str, None] = {}
        for node in lost:
            woken |= dict.fromkeys(each.uid for each in self.forget(node.uid, kind))
        return [self._nodes[uid] for uid in woken if uid in self._nodes]

    def _link(self, node: Node, old: tuple[Reference, ...]) -> None:
        named = {each.uid for each in node.owners}
        for each in old:
            if each.uid not in named:
                self._unlink(each.uid, node.uid)
        for each in node.owners:
            self._dependents.setdefault(each.uid, {})[node.uid] = None

    def _unlink(self, owner: str, dependent: str) -> None:
        dependents = self._dependents.get(owner, {})
        dependents.pop(dependent, None)
        if not dependents:
            self._dependents.pop(owner, None)

    def _unblocked(self, node: Node, old: tuple[Reference, ...]) -> Iterator[Node]:
        """The owners that a dependent no longer holds back."""
        blocking = {each.uid for each in node.owners if each.blocking}
        yield from self._waiting(each.uid for each in old if each.blocking and each.uid not in blocking)

    def _waiting(self, uids: Iterator[str]) -> Iterator[Node]:
        owners = (self._nodes.get(each) for each in dict.fromkeys(uids))
        return (each for each in owners if each is not None and each.stage is Stage.FOREGROUND)
