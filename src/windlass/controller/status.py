"""The status that belongs to how a reconcile ended: what was returned, and what follows from the exit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.api import UNOBSERVED, Definition, format_time
from windlass.schema import reports_conditions, reports_generation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.api import Json, Model, Resource
    from windlass.controller.exit import Exit

RECONCILING = "Reconciling"
STALLED = "Stalled"
PAUSED = "Paused"
_BUILT_IN = "windlass.kinds."


class Reporting(NamedTuple):
    """What of a status the loop may write by itself.

    `ready` is the condition that says whether all is well, empty where conditions are none of our business.
    """

    subresource: str
    ready: str
    observes: bool


class Seen(NamedTuple):
    """What the reconcile had before it: the object's generation, and the time.

    `status_type` is what the reconciler reports where the kind itself has no type for its status.
    """

    generation: int | None
    now: datetime
    status_type: type[Model] | None = None


@lru_cache(maxsize=1024)
def reporting(kind: type[Resource], status_type: type[Model] | None = None) -> Reporting:
    """What the type says about its status. Built-in kinds have conditions of their own, so they get none.

    `status_type` stands in where the kind has no type for its status.
    """
    if is_built_in(kind):
        has_status = "status" in kind.__kind__.subresources
        return Reporting("status" if has_status else "", "", observes=False)
    definition = kind.__definition__ or Definition()
    return Reporting(
        subresource="status" if definition.status else "",
        ready=definition.ready if reports_conditions(kind, status_type) else "",
        observes=reports_generation(kind, status_type),
    )


def is_built_in(kind: type[Resource]) -> bool:
    """Whether a kind comes with Kubernetes, so that its conditions are none of ours."""
    return kind.__module__.startswith(_BUILT_IN)


def next_status(kind: type[Resource], live: Json, exit_: Exit, seen: Seen) -> Json:
    """The status that belongs to this exit; where a reconcile returned none, the last one stays.

    Where the kind has no type for its status, a ready condition that was returned is left as it is, with
    those that go with it.
    """
    told = reporting(kind, seen.status_type)
    old: Json = live.get("status") or {}
    returned = exit_.result.status if exit_.result else None
    status: Json = dict(old) if returned is None else returned.to_wire()
    if told.observes and seen.generation is not None:
        status["observedGeneration"] = seen.generation
    if told.ready:
        before = _well_formed(old.get("conditions"))
        wanted = _well_formed(status.get("conditions"))
        is_told = returned is not None and not reporting(kind).ready and _has(wanted, told.ready)
        ours: dict[str, Json | None] = {PAUSED: None}
        if not is_told:
            ours = _conditions(exit_, told.ready, seen)
        status["conditions"] = _merged(before, wanted or before, ours, seen)
    return status


def paused_status(kind: type[Resource], live: Json, seen: Seen) -> Json:
    """The present status with the condition that says that the object is left alone.

    The generation stays the one that was reconciled last.
    """
    status: Json = dict(live.get("status") or {})
    told = reporting(kind, seen.status_type)
    if told.observes:
        status.setdefault("observedGeneration", UNOBSERVED)
    if told.ready:
        old = _well_formed(status.get("conditions"))
        message = "reconciling is paused by an annotation of this object"
        condition = _condition(PAUSED, "True", ("PausedByAnnotation", message), seen)
        status["conditions"] = _merged(old, old, {PAUSED: condition}, seen)
    return status


def kept_by_loop(kind: type[Resource], live: Json) -> Json:
    """The parts of a status that the loop writes, as they are now."""
    told = reporting(kind)
    old: Json = live.get("status") or {}
    names = [*(["conditions"] if told.ready else []), *(["observedGeneration"] if told.observes else [])]
    return {name: old[name] for name in names if name in old}


def beyond_loop(kind: type[Resource], live: Json) -> Json:
    """Return the parts of a status that the loop does not write itself."""
    ours = kept_by_loop(kind, live)
    return {name: value for name, value in (live.get("status") or {}).items() if name not in ours}


def merge_patch(old: Json, new: Json) -> Json:
    """The merge patch (RFC 7386) that makes the new object of the old one; empty if they are equal.

    A field that is null is as good as none: servers write some that nobody set.
    """
    patch: Json = {name: None for name, value in old.items() if name not in new and value is not None}
    for name, value in new.items():
        before = old.get(name)
        if type(before) is dict and type(value) is dict:
            inner = merge_patch(before, value)
            if inner:
                patch[name] = inner
        elif before != value and _without_nulls(before) != _without_nulls(value):
            patch[name] = value
    return patch


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return value


def _conditions(exit_: Exit, ready: str, seen: Seen) -> dict[str, Json | None]:
    """The conditions that follow from an exit; None for one that is to go (its absence means “no”)."""
    said = exit_.reason, exit_.message
    is_ready, stalled = exit_.outcome == "ready", exit_.outcome == "terminal"
    return {
        ready: _condition(ready, "True" if is_ready else "False", said, seen),
        RECONCILING: None if is_ready or stalled else _condition(RECONCILING, "True", said, seen),
        STALLED: _condition(STALLED, "True", said, seen) if stalled else None,
        PAUSED: None,
    }


def _condition(type_: str, status: str, said: tuple[str, str], seen: Seen) -> Json:
    reason, message = said
    observed = {} if seen.generation is None else {"observedGeneration": seen.generation}
    return {"type": type_, "status": status, "reason": reason, "message": message, **observed}


def _merged(
    old: Sequence[Json], wanted: Sequence[Json], ours: dict[str, Json | None], seen: Seen
) -> list[Json]:
    """The conditions in their old order, new ones last; a time moves only with the status."""
    before = {each.get("type"): each for each in old}
    after = {each.get("type"): each for each in wanted} | ours
    order = [*before, *(each for each in after if each not in before)]
    return [
        _dated(found, before.get(type_), seen.now)
        for type_ in order
        if (found := after.get(type_)) is not None
    ]


def _well_formed(conditions: Any) -> Sequence[Json]:
    """The conditions that have a type; what else is there was stored before the present schema."""
    if not isinstance(conditions, list):
        return ()
    return [each for each in conditions if isinstance(each, dict) and each.get("type")]


def _dated(condition: Json, old: Json | None, now: datetime) -> Json:
    unmoved = old is not None and old.get("status") == condition.get("status")
    moved = (old if unmoved and old else condition).get("lastTransitionTime")
    return {**condition, "lastTransitionTime": moved or format_time(now)}


def _has(conditions: Sequence[Json], type_: str) -> bool:
    return any(each.get("type") == type_ for each in conditions)
