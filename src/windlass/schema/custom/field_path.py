"""The paths by which rules name the fields that they blame: `.spec['a.b'].c`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_PART: Final = re.compile(r"'.*?(?<!\\)'|'.*|[.\[\]]|[^.\[\]]+", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED: Final = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "'": "'",
    "\\": "\\",
}


class _NowhereError(Exception):
    """A path that is none, or that the schema does not know."""


def field_path(text: str, schema: Schema) -> str | None:
    """A path below a schema as the paths of faults are written: `spec.a[b].c`; `None` if it leads nowhere."""
    parts = iter(_PART.findall(text))
    path = ""
    try:
        for part in parts:
            name = _name(part, parts)
            named = bool(schema.get("properties"))
            schema = _below(schema, name)
            path += f"{'.' if path else ''}{name}" if named else f"[{name}]"
    except _NowhereError:
        return None
    return path


def _name(part: str, parts: Iterator[str]) -> str:
    """The name that is after a dot or in brackets."""
    found = next(parts, "")
    if part == "." and found:
        return found
    if part != "[" or len(found) < len("''") or not found.startswith("'") or not found.endswith("'"):
        raise _NowhereError
    if next(parts, "") != "]":
        raise _NowhereError
    inner = found[1:-1]
    if any(match.group(1) not in _ESCAPED for match in _ESCAPE.finditer(inner)):
        raise _NowhereError
    return _ESCAPE.sub(lambda match: _ESCAPED[match.group(1)], inner)


def _below(schema: Schema, name: str) -> Schema:
    properties = schema.get("properties")
    found = properties.get(name) if properties else schema.get("additionalProperties")
    if found is None:
        raise _NowhereError
    return found if isinstance(found, dict) else {}
