"""What a patch is read into, and what strict field validation finds in its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.patch.go import json_kind
from windlass.apiserver.patch.syntax import NotJsonError, parse
from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

MAPPING: Final = "map[string]interface {}"
_MOST_PROBLEMS: Final = 100


def read(body: bytes, prefix: str = "") -> Any:
    """The value of a body.

    Raises:
        Refusal: 400, the body is no JSON; `prefix` stands before the reason.
    """
    try:
        return parse(body)
    except NotJsonError as error:
        raise Refusal.bad_request(f"{prefix}{error}") from error
    except orjson.JSONDecodeError as error:
        raise Refusal.bad_request(f"{prefix}json: {error.msg}") from error


def read_mapping(body: bytes, prefix: str = "") -> dict[str, Any] | None:
    """The object of a body, or `None` where it is null.

    Raises:
        Refusal: 400, the body is neither.
    """
    value = read(body, prefix)
    if value is None or isinstance(value, dict):
        return value
    raise Refusal.bad_request(f"{prefix}{unfit(value, MAPPING)}")


def unfit(value: Any, target: str) -> str:
    """What Go says of a value that has not the form of its target."""
    return f"json: cannot unmarshal {json_kind(value)} into Go value of type {target}"


class _Members(list[tuple[str, Any]]):
    """The members of an object as they are written, with those that are given twice."""


def duplicates(body: bytes) -> tuple[str, ...]:
    """The fields that a text gives more than once, as strict field validation names them."""
    text = body.decode("utf-8", "replace")
    if not _has_duplicates(text):
        return ()
    found = dict.fromkeys(_duplicates(json.loads(text, object_pairs_hook=_Members), ""))
    return tuple(found)[:_MOST_PROBLEMS]


def operation_problems(body: bytes, known: frozenset[str]) -> tuple[str, ...]:
    """What strict field validation complains about in the operations of a JSON patch."""
    operations = json.loads(body.decode("utf-8", "replace"), object_pairs_hook=_Members) or []
    found: dict[str, None] = {}
    for index, operation in enumerate(operations):
        seen: set[str] = set()
        for name, value in operation or ():
            path = f"[{index}].{name}"
            if name not in known:
                found[f"json patch unknown field {quoted(path)}"] = None
                continue
            if name in seen:
                found[f"json patch duplicate field {quoted(path)}"] = None
            seen.add(name)
            found.update(dict.fromkeys(f"json patch {problem}" for problem in _duplicates(value, path)))
    return tuple(found)[:_MOST_PROBLEMS]


def _has_duplicates(text: str) -> bool:
    found = False

    def note(members: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal found
        unique = dict(members)
        found = found or len(unique) != len(members)
        return unique

    json.loads(text, object_pairs_hook=note)
    return found


def _duplicates(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, _Members):
        seen: set[str] = set()
        for name, member in value:
            below = f"{path}.{name}" if path else name
            if name in seen:
                yield f"duplicate field {quoted(below)}"
            seen.add(name)
            yield from _duplicates(member, below)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _duplicates(item, f"{path}[{index}]")
