"""How runs end, for people: transitions of the ready condition, and failures that become Warning events."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.controller.status import is_built_in, reporting
from windlass.errors import NotLeadingError

if TYPE_CHECKING:
    from collections.abc import Collection

    from windlass.api import Json, Key, Resource
    from windlass.controller.exit import Exit

_READY: Final = "Ready"
_UNKNOWN: Final = "Unknown"
_MOST: Final = 10_000
_NOTES: Final = 3
_VARIES: Final = re.compile(r"\b(?=\w*\d)[0-9a-zA-Z]{8,}\b|\d+")
"""What differs between repetitions of one failure: times, counts, identifiers."""


class Transition(NamedTuple):
    """The ready condition of an object before and after a write of its status."""

    condition: str
    old: str
    new: str
    reason: str
    message: str

    @property
    def is_ready(self) -> bool:
        """Whether the object is ready now."""
        return self.new == "True"

    @property
    def is_new(self) -> bool:
        """Whether the status of the condition changed, not only its reason."""
        return self.old != self.new

    @property
    def note(self) -> str:
        """What an event says of it."""
        return self.message or f"{self.condition} is {self.new} (was {self.old})"

    def __str__(self) -> str:
        said = f"{self.reason}: {self.message}" if self.message else self.reason
        return f"{self.condition} is {self.new} (was {self.old}): {said}"


def transition(kind: type[Resource], before: Json, after: Json) -> Transition | None:
    """Return how the ready condition changed between two states of an object; None if it did not."""
    name = reporting(kind).ready or ("" if is_built_in(kind) else _READY)
    old, new = _condition(before, name), _condition(after, name)
    if new is None:
        return None
    was, now = (str((each or {}).get("status") or _UNKNOWN) for each in (old, new))
    reasons = [(each or {}).get("reason") for each in (old, new)]
    if was == now and reasons[0] == reasons[1]:
        return None
    return Transition(name, was, now, str(reasons[1] or now), str(new.get("message") or ""))


def _condition(obj: Json, name: str) -> Json | None:
    status = obj.get("status")
    conditions = status.get("conditions") if name and isinstance(status, dict) else None
    for each in conditions if isinstance(conditions, list) else ():
        if isinstance(each, dict) and each.get("type") == name:
            return each
    return None


class _Failure(NamedTuple):
    """What the last failures of an object have in common: `shape` is their message without what varies."""

    reason: str
    shape: str
    notes: tuple[str, ...]
    is_reported: bool


class Failures:
    """Decides with which note a failed run is recorded as a Warning event.

    A failure whose message differs each time, by a time or an identifier, is recorded with its first messages
    and from then on without what varies, so that its events are one series. No event is due for a lost race
    that the first retry may win, for the end of leadership, and for a failure that the reconciler has
    recorded by a warning of its own.
    """

    def __init__(self) -> None:
        self._last: OrderedDict[Key, _Failure] = OrderedDict()

    def note(self, key: Key, exit_: Exit, attempt: int, warnings: Collection[str]) -> str:
        """Return the note of the event that is due for a run; empty for none."""
        if not exit_.is_failure:
            self.forget(key)
            return ""
        if isinstance(exit_.error, NotLeadingError) or (exit_.is_lost_race and attempt == 1):
            return ""
        message = exit_.message or exit_.reason
        shape = _VARIES.sub("…", message)
        last = self._last.get(key)
        if last is None or (last.reason, last.shape) != (exit_.reason, shape):
            last = _Failure(exit_.reason, shape, (), is_reported=False)
        last = last._replace(is_reported=last.is_reported or message in warnings)
        if message not in last.notes and len(last.notes) < _NOTES:
            last = last._replace(notes=(*last.notes, message))
        self._remember(key, last)
        if last.is_reported:
            return ""
        return message if message in last.notes else shape

    def forget(self, key: Key) -> None:
        """Drop what is known about an object that is gone, or that fails no more."""
        self._last.pop(key, None)

    def _remember(self, key: Key, failure: _Failure) -> None:
        self._last[key] = failure
        self._last.move_to_end(key)
        if len(self._last) > _MOST:
            self._last.popitem(last=False)
