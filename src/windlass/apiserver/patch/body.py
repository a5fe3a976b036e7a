"""What a patch is read into, and what strict field validation finds in the operations of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.go_json import (
    MOST_PROBLEMS,
    NotJsonError,
    Repeated,
    parse,
    parse_carefully,
    parse_exactly,
    repeated_fields,
    unstructured,
)
from windlass.apiserver.refusal import Refusal
from windlass.schema import json_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

MAPPING: Final = "map[string]interface {}"


def read(body: bytes, prefix: str = "", *, exactly: bool = True) -> Any:
    """The value of a body; `exactly` with the digits of its numbers, where it becomes text again.

    Raises:
        Refusal: 400, the body is no JSON; `prefix` stands before the reason.
    """
    try:
        return parse_exactly(body) if exactly else unstructured(parse(body))
    except NotJsonError as error:
        raise Refusal.bad_request(f"{prefix}{error}") from error


def read_mapping(body: bytes, prefix: str = "", *, exactly: bool = True) -> dict[str, Any] | None:
    """The object of a body, or `None` where it is null.

    Raises:
        Refusal: 400, the body is neither.
    """
    value = read(body, prefix, exactly=exactly)
    if value is None or isinstance(value, dict):
        return value
    raise Refusal.bad_request(f"{prefix}{unfit(value, MAPPING)}")


def unfit(value: Any, target: str) -> str:
    """What Go says of a value that has not the form of its target."""
    return f"json: cannot unmarshal {json_kind(value)} into Go value of type {target}"


def operation_problems(body: bytes, known: frozenset[str]) -> tuple[str, ...]:
    """What strict field validation complains about in the operations of a JSON patch."""
    found: dict[str, None] = {}
    for index, operation in enumerate(parse_carefully(body) or ()):
        seen: set[str] = set()
        for name, value in _members(operation):
            path = f"[{index}].{name}"
            if name not in known:
                found[f"json patch unknown field {quoted(path)}"] = None
                continue
            if name in seen:
                found[f"json patch duplicate field {quoted(path)}"] = None
            seen.add(name)
            for below in repeated_fields(value, path):
                found[f"json patch duplicate field {quoted(below)}"] = None
    return tuple(found)[:MOST_PROBLEMS]


def _members(operation: dict[str, Any] | None) -> Iterable[tuple[str, Any]]:
    """Every member as it is written, with those that are given twice."""
    if isinstance(operation, Repeated):
        return operation.pairs
    return operation.items() if operation else ()
