"""What the demo shows: each resource with its state, its children and its last event."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from windlass.api import Key, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windlass.api import Json, Resource
    from windlass.kinds.events.v1 import Event

_NAMES_OWNER: Final = ("operator-sdk/primary-resource", "confidentialcontainers.org/peerpodconfig")
_FAILURES: Final = ("Irreconcilable", "ReleaseFailed")  # operator-sdk's, beside what was deployed before
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One resource, as it is at the moment."""

    operator: str
    kind: str
    key: Key
    ready: bool
    state: str
    message: str = ""
    created: datetime | None = None
    children: str = ""
    event: str = ""

    @property
    def name(self) -> str:
        """What tells it from all others, as people write it."""
        where = "" if self.key.namespace in ("", "default") else f"{self.key.namespace}/"
        return f"{self.kind} {where}{self.key.name}"


@dataclass(frozen=True, kw_only=True)
class Board:
    """All lines; `expected` are the resources that were applied, and which must all be ready in the end."""

    lines: Sequence[Line] = ()
    expected: frozenset[tuple[str, Key]] = field(default_factory=frozenset)

    @property
    def all_ready(self) -> bool:
        """Whether everything that is expected is there and ready."""
        ready = {(line.kind, line.key) for line in self.lines if line.ready}
        return bool(self.expected) and self.expected <= ready

    @property
    def missing(self) -> Sequence[str]:
        """What is expected and not ready, in words."""
        ready = {(line.kind, line.key) for line in self.lines if line.ready}
        states = {(line.kind, line.key): f": {line.state} {line.message}" for line in self.lines}
        return [f"{kind} {key}{states.get((kind, key), '')}" for kind, key in sorted(self.expected - ready)]


def line_of(operator: str, resource: Resource, ready_when: str, children: str = "", event: str = "") -> Line:
    """What there is to say about a resource whose condition of this name tells whether it is ready."""
    meta = resource.metadata
    status: Json = resource.to_wire().get("status") or {}
    conditions: Sequence[Json] = status.get("conditions") or ()
    told = {each["type"]: each for each in conditions if each["type"] == ready_when or _is_failure(each)}
    found = next((told[name] for name in (*_FAILURES, ready_when) if name in told), {})
    current = status.get("observedGeneration", meta.generation) == meta.generation
    ready = found.get("type") == ready_when and found["status"] == "True" and current
    return Line(
        operator=operator,
        kind=resource.kind,
        key=Key(meta.namespace, meta.name),
        ready=ready and meta.deletion_timestamp is None,
        state="Deleting" if meta.deletion_timestamp else _state(found, current=current),
        message="" if ready else _on_one_line(found.get("message", "")),
        created=meta.creation_timestamp,
        children=children,
        event=event,
    )


def _is_failure(condition: Json) -> bool:
    return condition["type"] in _FAILURES and condition["status"] == "True"


def _state(found: Json, *, current: bool) -> str:
    if not found:
        return "…"
    if not current:
        return "Changed"
    return str(found["type"] if found["status"] == "True" else found.get("reason") or f"not {found['type']}")


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def children_by_owner(kinds: Mapping[str, Iterable[Resource]]) -> Mapping[str, str]:
    """For each owner, what it has: `Deployment, Service, 2 Secrets`.

    An owner is known by its uid, or by its key where an annotation names it: what lies in another namespace
    cannot refer to it otherwise.
    """
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, resources in kinds.items():
        for each in resources:
            owners = [owner.uid for owner in each.metadata.owner_references]
            owners += [text for name, text in each.metadata.annotations.items() if name in _NAMES_OWNER]
            for owner in owners:
                counted[owner][kind] += 1
    return {
        uid: ", ".join(_counted(*each) for each in sorted(kinds.items())) for uid, kinds in counted.items()
    }


def _counted(kind: str, count: int) -> str:
    return kind if count == 1 else f"{count} {_plural(kind)}"


def _plural(kind: str) -> str:
    return kind[:1] + plural(kind)[1:]


def last_events(events: Iterable[Event]) -> Mapping[str, str]:
    """For the uid of each object, what was told of it last."""
    latest: dict[str, tuple[datetime, str]] = {}
    for event in events:
        about = event.regarding.uid if event.regarding else ""
        when = _time(event)
        if about and when >= latest.get(about, (_LONG_AGO, ""))[0]:
            latest[about] = (when, _on_one_line(": ".join(filter(None, (event.reason, event.note)))))
    return {uid: text for uid, (_, text) in latest.items()}


def _time(event: Event) -> datetime:
    repeated = event.series.last_observed_time if event.series else None
    return repeated or event.event_time or event.deprecated_last_timestamp or _LONG_AGO
