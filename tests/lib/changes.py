"""Changes of objects, made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from widget import Widget
from windlass.api import Change, Key, Snapshot

if TYPE_CHECKING:
    from windlass.api import Json, Resource


def state(data: Json | None, kind: type[Resource] = Widget) -> Snapshot[Any] | None:
    """An object as the cache would have it."""
    if data is None:
        return None
    metadata = {"name": "a", "namespace": "default", "uid": "u", **data.get("metadata", {})}
    return Snapshot(kind, orjson.dumps({**data, "metadata": metadata}))


def change(
    old: Json | None, new: Json | None, kind: type[Resource] = Widget, *, listed: bool = False
) -> Change[Any]:
    """A change of the object `default/a`."""
    return Change(kind, Key("default", "a"), (state(old, kind), state(new, kind)), listed=listed)


def metadata(**fields: Any) -> Json:
    """An object with nothing but metadata."""
    return {"metadata": fields}
