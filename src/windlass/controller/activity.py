"""Log lines of what a run does: writes and effects, with the names of fields and never a value."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from windlass.api import changed_paths
from windlass.client import JsonPatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import timedelta

    from windlass.api import Json, Key, Resource
    from windlass.client import Patch

_MOST: Final = 8
_LONGEST: Final = 200
_ITS_OWN: Final = (".metadata.creationTimestamp", ".metadata.uid", ".metadata.selfLink")


class Activity:
    """Logs what one run does: each change of the cluster and each effect in one info line, a status at debug.

    What changes nothing has no line. A silent one, that of a plan, logs nothing.
    """

    def __init__(self, log: logging.LoggerAdapter[Any], *, silent: bool = False) -> None:
        self._log = log
        self._silent = silent

    def created(self, kind: type[Resource], key: Key) -> None:
        """Log that an object was created."""
        self._say(logging.INFO, f"Created {_named(kind, key)}")

    def deleted(self, kind: type[Resource], key: Key) -> None:
        """Log that an object was deleted, or begins to be."""
        self._say(logging.INFO, f"Deleted {_named(kind, key)}")

    def posted(self, kind: type[Resource], key: Key, action: str) -> None:
        """Log that a form was posted to a subresource of an object."""
        self._say(logging.INFO, f"Posted {action} of {_named(kind, key)}")

    def updated(self, kind: type[Resource], key: Key, old: Json, new: Json) -> None:
        """Log which fields of an object were changed from one state to the next."""
        if not self._silent and self._log.isEnabledFor(logging.INFO):
            self.updated_fields(kind, key, [each for each in changed_paths(old, new) if each not in _ITS_OWN])

    def updated_fields(self, kind: type[Resource], key: Key, paths: Sequence[str]) -> None:
        """Log that these fields of an object were changed."""
        is_status = bool(paths) and all(each.startswith(".status") for each in paths)
        listed = ", ".join(_short(each) for each in paths[:_MOST])
        more = f" and {len(paths) - _MOST} more" if len(paths) > _MOST else ""
        fields = f": {listed}{more}" if listed else ""
        self._say(logging.DEBUG if is_status else logging.INFO, f"Updated {_named(kind, key)}{fields}")

    def effect(self, what: str, result: str, took: timedelta) -> None:
        """Log an effect outside the cluster, and how long it took."""
        name = _short(what.partition("\n")[0])
        self._say(logging.INFO, f"Effect {name}: {result} after {duration(took)}")

    def _say(self, level: int, text: str) -> None:
        if not self._silent:
            self._log.log(level, "%s", text)


def patched_paths(patch: Patch) -> list[str]:
    """Return the fields that a patch names, for an object whose state before is not known."""
    if isinstance(patch, JsonPatch):
        return [_pointer(str(each.get("path", ""))) for each in patch.operations]
    return list(dict.fromkeys(_leaves(patch.content, "")))


def duration(took: timedelta) -> str:
    """Return a length of time as text: `120ms`, `2.5s`."""
    seconds = took.total_seconds()
    return f"{seconds * 1000:.0f}ms" if seconds < 1 else f"{seconds:.3g}s"


def _leaves(content: Any, path: str) -> Iterator[str]:
    if not isinstance(content, dict) or not content:
        yield path or "."
        return
    for name, value in content.items():
        yield from _leaves(value, _step(path, str(name)))


def _pointer(pointer: str) -> str:
    path = ""
    for step in pointer.split("/")[1:]:
        path = _step(path, step.replace("~1", "/").replace("~0", "~"))
    return path or "."


def _step(path: str, name: str) -> str:
    return f"{path}[{name}]" if "." in name or "/" in name or name.isdigit() else f"{path}.{name}"


def _named(kind: type[Resource], key: Key) -> str:
    return f"{kind.__kind__.name} {key}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
