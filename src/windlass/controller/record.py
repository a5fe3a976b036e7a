"""What one run of a reconciler did, while it runs (`Recorder`) and afterwards (`Run`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from windlass.api import mask, mask_all
from windlass.controller.difference import FieldChange, field_changes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta
    from random import Random

    from windlass.api import Json, Key, Resource
    from windlass.reconcile import Cause
    from windlass.workqueue import Item

_MOST_CAUSES = 8
_MOST_READS = 32
_MOST_WRITES = 16
_MOST_CHANGES = 16
_MOST_EFFECTS = 32
_LONGEST = 256
_BARE = 560  # bytes of a run that has nothing to tell: itself, its id, its times
_EACH = 160  # bytes of one more thing to tell, beside its texts


class Ending(Protocol):
    """How a run ended."""

    @property
    def outcome(self) -> str:
        """In one word: `ready`, `waiting`, `failed`, `terminal`, `cancelled`, or that the object is gone."""

    @property
    def reason(self) -> str:
        """In one word, why."""

    @property
    def message(self) -> str:
        """In a sentence, for people."""


class Read(NamedTuple):
    """A look at an object, or with no key at the objects of a kind; `live` asked the server."""

    kind: str
    key: Key | None
    live: bool


class Write(NamedTuple):
    """A change that was made: which verb, to what, and the fields that it changed."""

    verb: str
    kind: str
    key: Key
    changes: tuple[FieldChange, ...]


class Effect(NamedTuple):
    """Something that was done outside the cluster, and what came of it."""

    what: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a reconciler for one object: why, what it saw, what it did, and how it ended.

    Long texts are cut, and of many things of one kind only the first are kept; `left_out` counts the others.
    The values of Secrets that the run has read are masked.
    """

    id: str
    controller: str
    key: Key
    started: datetime
    causes: tuple[str, ...]
    waited: timedelta
    attempt: int
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    effects: tuple[Effect, ...]
    outcome: str
    reason: str
    message: str
    took: timedelta
    left_out: int
    size: int

    def to_dict(self) -> dict[str, Any]:
        """As plain data that JSON can hold; times in seconds."""
        return {
            "id": self.id,
            "controller": self.controller,
            "namespace": self.key.namespace,
            "name": self.key.name,
            "started": self.started.isoformat(),
            "causes": list(self.causes),
            "waited": self.waited.total_seconds(),
            "attempt": self.attempt,
            "reads": [{"kind": each.kind, **_where(each.key), "live": each.live} for each in self.reads],
            "writes": [_write_to_dict(each) for each in self.writes],
            "effects": [each._asdict() for each in self.effects],
            "outcome": self.outcome,
            "reason": self.reason,
            "message": self.message,
            "took": self.took.total_seconds(),
            "leftOut": self.left_out,
        }


class Recorder:
    """Told by a running reconcile what it does; `id` names the run in logs too.

    `writes` and `effects` are all that it has noted, as it is; `masked` and `run` are for others to see.
    """

    def __init__(self, controller: str, item: Item[Key, Cause], started: datetime, random: Random) -> None:
        self.id = f"{random.getrandbits(64):016x}"
        self._controller = controller
        self._item = item
        self._started = started
        self._reads: dict[Read, None] = {}
        self.writes: list[Write] = []
        self.effects: list[Effect] = []

    @property
    def attempt(self) -> int:
        """Which attempt this is, the first one is 1."""
        return self._item.attempt

    @property
    def write_count(self) -> int:
        """How many changes were made."""
        return len(self.writes)

    def read(self, kind: type[Resource], key: Key | None, *, live: bool = False) -> None:
        """It looked at an object, or at the objects of a kind; looking twice counts once."""
        self._reads[Read(kind.__kind__.name, key, live)] = None

    def wrote(self, verb: str, kind: type[Resource], key: Key, old: Json | None, new: Json | None) -> None:
        """It changed an object from one state to another, as far as these are known."""
        name = kind.__kind__.name
        changes = () if verb == "delete" else field_changes(old, new, kind=name)
        self.writes.append(Write(verb, name, key, changes))

    def effect(self, what: str, outcome: str) -> None:
        """It did something outside the cluster."""
        self.effects.append(Effect(what, outcome))

    def masked(self) -> tuple[tuple[Write, ...], tuple[Effect, ...]]:
        """All writes, with every field that changed, and effects, without the values of Secrets."""
        writes = [each._replace(changes=tuple(map(_masked, each.changes))) for each in self.writes]
        return tuple(writes), tuple([Effect(mask(what), mask(said)) for what, said in self.effects])

    def run(self, ending: Ending, took: timedelta) -> Run:
        """The whole of it, once it has ended."""
        item = self._item
        causes = tuple([_short(str(cause)) for cause in item.causes[:_MOST_CAUSES]])
        reads = tuple(self._reads)[:_MOST_READS]
        writes = tuple(map(_bounded, self.writes[:_MOST_WRITES]))
        effects = tuple([Effect(_short(what), _short(said)) for what, said in self.effects[:_MOST_EFFECTS]])
        happened = len(item.causes) + len(self._reads) + len(self.writes) + len(self.effects)
        told = len(causes) + len(reads) + len(writes) + len(effects)
        message = _short(ending.message)
        return Run(
            id=self.id,
            controller=self._controller,
            key=item.key,
            started=self._started,
            causes=causes,
            waited=item.waited,
            attempt=item.attempt,
            reads=reads,
            writes=writes,
            effects=effects,
            outcome=ending.outcome,
            reason=ending.reason,
            message=message,
            took=took,
            left_out=item.dropped_causes + happened - told,
            size=_BARE + sum(map(len, causes)) + len(message) + _size(reads, writes, effects),
        )


def _bounded(write: Write) -> Write:
    changes = tuple(
        FieldChange(_short(each.path), _small(each.old), _small(each.new))
        for each in write.changes[:_MOST_CHANGES]
    )
    return write._replace(changes=changes)


def _small(value: Any) -> Any:
    """A value that is worth keeping as it is, or the beginning of what it prints as."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _short(value if isinstance(value, str) else str(value))


def _masked(change: FieldChange) -> FieldChange:
    return FieldChange(mask(change.path), mask_all(change.old), mask_all(change.new))


def _short(text: str) -> str:
    text = mask(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _size(reads: Sequence[Read], writes: Sequence[Write], effects: Sequence[Effect]) -> int:
    """About how many bytes the things take that are told."""
    size = _EACH * (len(reads) + len(writes) + len(effects))
    size += sum([len(effect.what) + len(effect.outcome) for effect in effects])
    for write in writes:
        size += sum([_size_of_change(change) for change in write.changes])
    return size


def _size_of_change(change: FieldChange) -> int:
    return _EACH + len(change.path) + len(str(change.old)) + len(str(change.new))


def _where(key: Key | None) -> dict[str, str]:
    return {"namespace": key.namespace, "name": key.name} if key else {}


def _write_to_dict(write: Write) -> dict[str, Any]:
    changes = [{"path": each.path, "old": each.old, "new": each.new} for each in write.changes]
    return {"verb": write.verb, "kind": write.kind, **_where(write.key), "changes": changes}
