"""A request to both servers, in which what only one of them knows is left open."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from contract import JSON
from differential_change import TWIN, changed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from differential_change import Change, Way

_TWIN: Final = json.dumps(TWIN).strip('"')


@dataclass(frozen=True)
class Open:
    """A value that each server fills in from what it has answered before.

    `value` is what stood at the end of a way in the object at a path when it was last read; `version` is that
    object's version and `stale` the one before; `continue` is where the last page of the list at a path ended.
    `token` is that of the caller who is named in the place of a path.
    """

    what: Literal["value", "version", "stale", "continue", "token"]
    path: str
    way: Way = ()

    def __str__(self) -> str:
        name = ".".join(str(step) for step in self.way) or self.what
        return f"<{name} of {self.path}>"


def in_common(path: str, one: Any, other: Any, way: Way = ()) -> Any:
    """The object at a path as two servers have it: where they do not have the same, the value is open."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {name: in_common(path, one[name], other[name], (*way, name)) for name in one}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            in_common(path, *pair, (*way, index)) for index, pair in enumerate(zip(one, other, strict=True))
        ]
    return one if one == other else Open("value", path, way)


@dataclass(frozen=True)
class Caller:
    """Who sends a request: the name of a token that each server knows, or none, and headers that come with it."""

    token: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """The caller as one would write it down."""
        acting = ", ".join(f"{name}: {value}" for name, value in self.headers.items())
        return f"{self.token or 'anonymous'}{' with ' if acting else ''}{acting}"


@dataclass(frozen=True)
class Step:
    """One request, of the administrator or of a caller. The body is `base` with `changes` made to it."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    base: Any = None
    changes: tuple[Change, ...] = ()
    content_type: str = JSON
    accept: str = JSON
    caller: Caller | None = None

    @property
    def dry(self) -> bool:
        """Whether nothing will be kept."""
        return "dryRun" in self.query

    def body(self, fill: Callable[[Open], Any]) -> bytes | None:
        """What is sent, by what one server makes of the values that are open."""
        return None if self.base is None else text_of(changed(self.base, *self.changes), fill)

    def __str__(self) -> str:
        """The request as one would write it down; what is open stays open."""
        query = "&".join(f"{name}={value}" for name, value in self.query.items())
        lines = [f"{self.method} {self.path}{'?' if query else ''}{query}"]
        if self.caller is not None:
            lines.append(f"  as {self.caller}")
        if self.accept != JSON:
            lines.append(f"  Accept: {self.accept}")
        body = self.body(str)
        if body is not None:
            lines.append(f"  {self.content_type}: {body.decode()}")
        return "\n".join(lines)


def text_of(value: Any, fill: Callable[[Open], Any]) -> bytes:
    """A value as JSON; a name that ends in `TWIN` is written without it, and so may come twice."""
    text = json.dumps(value, default=fill, ensure_ascii=False, separators=(",", ":"))  # numbers of any size
    return text.replace(_TWIN, "").encode()
