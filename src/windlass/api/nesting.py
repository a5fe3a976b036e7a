"""Objects that nest so deeply that they cannot be kept.

An API server takes 10,000 levels of lists and maps; the JSON library here reads 1,024 of them and writes 254.
Whoever may write objects of a kind must not be able to stop those who read them, so the fields that nest
too deeply are left out of such an object, and it says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from windlass.api.wire import Json

UNREADABLE: Final = "windlass.dev/unreadable"
"""The field of an object that tells which of its fields were left out."""

_LEVELS: Final = 300  # more than can be written, so that `_trim` finds the field
_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
_TOO_DEEP: Final = "depth limit exceeded"


def read_json(text: bytes | bytearray) -> Any:
    """Parse what an API server sent: an object, a list of them, or an event.

    If it nests too deeply to be read, the objects in it lack the fields that do.

    Raises:
        orjson.JSONDecodeError: it is not JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if _TOO_DEEP not in str(error):
            raise
        said = orjson.loads(_cut(bytes(text)))
    if isinstance(said, dict):
        for obj in _objects(said):
            _trim(obj)
    return said


def write_json(obj: Json) -> bytes:
    """Write an object as JSON, without the fields that nest too deeply; these are removed from it."""
    try:
        return orjson.dumps(obj)
    except orjson.JSONEncodeError:
        _trim(obj)
        return orjson.dumps(obj)


def _objects(said: Json) -> list[Json]:
    if "name" in (said.get("metadata") or {}):
        return [said]
    items = said.get("items")
    found = items if isinstance(items, list) else [said.get("object")]
    return [each for each in found if isinstance(each, dict)]


def _trim(obj: Json) -> None:
    """Remove the fields of an object that nest too deeply, and name them in `UNREADABLE`."""
    deep = [name for name, value in obj.items() if not _is_writable({name: value})]
    for name in deep:
        if name == "metadata":  # of which nothing else nests
            obj[name].pop("managedFields", None)
        else:
            del obj[name]
    if deep:
        obj[UNREADABLE] = f"{' and '.join(deep)} of more than 250 levels of lists and maps"


def _is_writable(value: Any) -> bool:
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True


def _cut(text: bytes) -> bytes:
    """Empty the lists and maps below the deepest level that is read."""
    pieces: list[bytes] = []
    depth = kept = 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in b"[{":
            depth += 1
            if depth == _LEVELS:
                pieces.append(text[kept : token.end()])
        elif sign in b"]}":
            if depth == _LEVELS:
                kept = token.start()
            depth -= 1
    return b"".join((*pieces, text[kept:])) if depth == 0 else text
