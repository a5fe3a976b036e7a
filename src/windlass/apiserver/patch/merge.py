from __future__ import annotations

from typing import Any

from windlass.apiserver.go_json import duplicates
from windlass.apiserver.patch.body import read, read_mapping
from windlass.apiserver.patch.outcome import Patched, not_an_object
from windlass.apiserver.refusal import Refusal


def merge_patched(document: dict[str, Any], body: bytes, *, checked: bool = True) -> Patched:
    """Merge a JSON merge patch (RFC 7396) into an object.

    `checked` is false where field validation is off: the server then reads the body less closely, and refuses
    it in other words.

    Raises:
        Refusal: 400, the body is no object; 422, unchecked, it is a list.
    """
    patch = read_mapping(body, "error decoding patch: ") if checked else _read_unchecked(body)
    if patch is None:
        raise Refusal.bad_request("Invalid JSON Patch")
    return Patched(_merged(document, patch), duplicates(body, patch) if checked else ())


def _read_unchecked(body: bytes) -> dict[str, Any] | None:
    try:
        value = read(body)
    except Refusal:
        return None
    if isinstance(value, list):
        raise not_an_object(_without_nulls(value))
    return value if isinstance(value, dict) else None


def _merged(document: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    merged = dict(document)
    for key, value in patch.items():
        current = merged.get(key)
        if value is None:
            merged.pop(key, None)
        elif not isinstance(current, dict):
            merged[key] = _without_nulls(value)
        elif isinstance(value, dict):
            merged[key] = _merged(current, value)
        else:
            merged[key] = value
    return dict(sorted(merged.items()))  # as Go writes what it has changed, and so reads it again


def _without_nulls(value: Any) -> Any:
    """A value that replaces another; its objects have no null members, also where they stand in lists."""
    if isinstance(value, dict):
        return {key: _without_nulls(member) for key, member in value.items() if member is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value
