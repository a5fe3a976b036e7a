"""Why an object cannot be restored from what a strategic merge patch leaves.

The result of that form of patch does not pass through JSON on the real server, and is refused in other words
than the body of a request would be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.schema import Shape

_KINDS: Final = {dict: "map", list: "slice", str: "string", bool: "bool", int: "int64", float: "float64"}
_TYPES: Final = {"string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float)}
_CONVERTIBLE: Final = frozenset({("string", int), ("integer", float)})


def misfit(value: Any, shape: Shape) -> str | None:
    """The first value whose type is not that of its field, in the words of the real server.

    `None` where every type is right, and where a value is of a type that reads itself (a time, a quantity):
    what is wrong with those, their own reading tells.
    """
    if value is None:
        return None
    if shape.type == "object":
        return _object_misfit(value, shape)
    if shape.type == "array":
        return _list_misfit(value, shape)
    return _scalar_misfit(value, shape)


def _object_misfit(value: Any, shape: Shape) -> str | None:
    if shape.additional is None and not shape.properties:
        return None
    if not isinstance(value, dict):
        target = "map from" if shape.additional is not None else "struct from:"
        return f"cannot restore {target} {_KINDS[type(value)]}"
    for name, member in value.items():
        below = shape.child(name)
        found = misfit(member, below) if below is not None else None
        if found is not None:
            return found
    return None


def _list_misfit(value: Any, shape: Shape) -> str | None:
    if not isinstance(value, list):
        return f"cannot restore slice from {_KINDS[type(value)]}"
    items = shape.items
    found = (misfit(item, items) for item in value) if items is not None else iter(())
    return next((each for each in found if each is not None), None)


def _scalar_misfit(value: Any, shape: Shape) -> str | None:
    """A type that Go can convert, though this conversion does not, is refused in words of its own."""
    if "x-go-struct" in shape.schema or not shape.type:
        return None
    found = type(value)
    if shape.schema.get("format") == "byte":
        return None if found is str else f"cannot restore slice from {_KINDS[found]}"
    if _fits(value, shape.type):
        return None
    if (shape.type, found) in _CONVERTIBLE:
        return f"cannot convert {_KINDS[found]} to {shape.schema.get('x-go', '').lstrip('*')}"
    return f"unrecognized type: {_go_kind(shape)}"


def _fits(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return type(value) in _TYPES[kind]


def _go_kind(shape: Shape) -> str:
    if shape.type == "integer":
        return str(shape.schema.get("format", "int64"))
    return {"boolean": "bool", "number": "float64"}.get(shape.type, shape.type)
