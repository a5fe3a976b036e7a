"""What a version cannot say, kept in an annotation for the way back.

An entry is a field that would get lost, its value, and a digest of what the way there and back makes of it.
On the way back it is put in where the functions still make the same of it: somebody who changed the field,
or what it is made of, has the last word.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
from pydantic import ValidationError

from windlass.schema import copied
from windlass.webhook.conversion.difference import ABSENT, BESIDE, Reading, coarse_differences

if TYPE_CHECKING:
    from windlass.api import Json, Resource
    from windlass.webhook.conversion.difference import Step

_PREFIX: Final = "windlass.dev/kept-"
_DIGITS: Final = 16


class _Entry(NamedTuple):
    path: list[Step]
    made: list[str]
    """What the functions make of the field: a digest of it, and `absent` where they leave it out."""
    kept: Any


def annotation_of(version: str) -> str:
    """The annotation that keeps fields of a version while an object is in another one."""
    return f"{_PREFIX}{version}"


def lost(kind: type[Resource], obj: Json, again: Json) -> str:
    """What an object has lost after the way there and back, as the text of an annotation; empty for nothing.

    Raises:
        UndecodableError: an object does not fit the type.
    """
    entries = []
    made = Reading.of(kind, again)
    for each in coarse_differences(kind, Reading.of(kind, obj), made):
        entry: Json = {"path": each.path, "made": _marks(_found(made, each.path))}
        if each.one is not ABSENT:
            entry["kept"] = each.one
        entries.append(entry)
    return orjson.dumps(entries, option=orjson.OPT_SORT_KEYS).decode() if entries else ""


def restored(kind: type[Resource], obj: Json, text: str) -> Json:
    """An object with what was kept, but for what was changed meanwhile.

    Anybody who may write the object may write the annotation. So one that we cannot read is as good as none,
    and one that would make the object break the rules of its type is, too: a single object that cannot be
    converted would make the whole kind unreadable.

    Raises:
        UndecodableError: the object does not fit the type.
    """
    entries = _entries(text)
    whole: Json = copied(obj)
    reading = Reading.of(kind, whole)
    for entry in entries:
        parent, name = _found(reading, entry.path[:-1]), entry.path[-1]
        if parent is None or not isinstance(parent.raw, dict) or not isinstance(name, str):
            continue
        if not set(entry.made).intersection(_marks(parent.at(name))):
            continue
        at = whole if parent is reading else parent.raw  # the topmost reading has no metadata
        at.pop(name, None)
        if entry.kept is not ABSENT:
            at[name] = entry.kept
    return whole if _fits(kind, whole) else obj


def _entries(text: str) -> list[_Entry]:
    with suppress(ValueError, TypeError, LookupError, AttributeError):
        entries = [
            _Entry(list(each["path"]), list(each["made"]), each.get("kept", ABSENT))
            for each in orjson.loads(text)
        ]
        return [entry for entry in entries if _is_ours(entry)]
    return []


def _is_ours(entry: _Entry) -> bool:
    """Whether we could have written it: about a field beside the metadata, and of the forms that we write."""
    first, *_ = entry.path or [""]
    return (
        isinstance(first, str)
        and first not in ("", *BESIDE)
        and all(isinstance(mark, str) for mark in entry.made)
        and not any(isinstance(key, dict | list) for step in entry.path for key in _keys(step))
    )


def _keys(step: Step) -> list[Any]:
    return list(step.values()) if isinstance(step, dict) else [step]


def _fits(kind: type[Resource], obj: Json) -> bool:
    body = {name: value for name, value in obj.items() if name not in ("apiVersion", "kind")}
    try:
        kind.model_validate(body, by_alias=True, by_name=False)
    except ValidationError:
        return False
    return True


def _found(reading: Reading, path: tuple[Step, ...] | list[Step]) -> Reading | None:
    """What is at a path; None where the way there is gone."""
    for step in path:
        found: Reading | None = None
        if isinstance(step, str) and isinstance(reading.raw, dict):
            found = reading.at(step)
        elif isinstance(step, dict) and isinstance(reading.raw, list):
            found = (reading.items(tuple(step)) or {}).get(tuple(step.values()))
        if found is None:
            return None
        reading = found
    return reading


def _marks(reading: Reading | None) -> list[str]:
    """What tells a value from others, as its type reads it.

    A field that is left out has two marks: servers fill in defaults, and then it is not left out any more.
    """
    if reading is None:
        return []
    marks = ["absent"] if reading.raw is ABSENT else []
    if reading.full is not ABSENT:
        text = orjson.dumps(reading.full, option=orjson.OPT_SORT_KEYS)
        marks.append(sha256(text).hexdigest()[:_DIGITS])
    return marks
