"""Annotations by which a person steers how any object is reconciled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import UNCONVERTED

if TYPE_CHECKING:
    from windlass.api import Change, Json

PAUSED: Final = "windlass.dev/paused"
"""`"true"`: the object is left alone until the annotation goes."""

RECONCILE_AT: Final = "windlass.dev/reconcile-at"
"""Any new value: the object is reconciled now, whatever it waits for."""


def is_paused(metadata: Json) -> bool:
    """Whether a person asked to leave the object alone."""
    return bool((metadata.get("annotations") or {}).get(PAUSED) == "true")


def asks_for_a_look(change: Change[Any]) -> bool:
    """Whether a change is a person's wish to pause, to resume, or to look at the object; or its repair."""
    if change.old is None or change.new is None:
        return False
    old: Json = change.old.metadata.get("annotations") or {}
    new: Json = change.new.metadata.get("annotations") or {}
    if bool(old.get(UNCONVERTED)) != bool(new.get(UNCONVERTED)):
        return True
    return any(old.get(name) != new.get(name) for name in (PAUSED, RECONCILE_AT))
