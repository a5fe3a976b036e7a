"""What is wrong with a body, in the words of Go's decoder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from windlass.apiserver.go_json import MOST_PROBLEMS, Number
from windlass.errors import WindlassError
from windlass.schema import json_kind, json_text, quoted

if TYPE_CHECKING:
    from windlass.apiserver.decode.container import Field

Path: TypeAlias = "tuple[Path, Field | str | int] | None"
"""Where in a value we are, innermost step first: a field of a struct, a key of a map, or a place in a list.

It is built for every container that is entered and read only when something is wrong there."""


class DecodeError(WindlassError, ValueError):
    """A value that does not fit its type. The message is the real server's."""


class InexactError(WindlassError):
    """A number whose digits matter, read in a way that has lost them; reading carefully keeps them."""


class Notes:
    """What was noticed while reading one value.

    `error` is the first thing that makes it undecodable; reading goes on after it, because an error in a
    value that decodes itself (a quantity, a time) comes first wherever it stands. `complaints` are unknown
    and repeated fields in the order of the document. While `muted` nothing is complained about.
    """

    __slots__ = ("_complaints", "error", "muted")

    def __init__(self) -> None:
        self.error = ""
        self.muted = False
        self._complaints: dict[tuple[str, str], None] = {}

    @property
    def complaints(self) -> tuple[str, ...]:
        """Unknown and repeated fields, in words."""
        return tuple(f"{what} {quoted(path)}" for what, path in self._complaints)

    @property
    def paths(self) -> tuple[str, ...]:
        """Where they are."""
        return tuple(path for _, path in self._complaints)

    def unknown(self, path: Path, name: str) -> None:
        """A field that the type does not have."""
        self._complain("unknown field", path, name)

    def repeated(self, path: Path, name: str) -> None:
        """A field or key that was there before."""
        self._complain("duplicate field", path, name)

    def mismatch(self, path: Path, value: Any, go: str) -> None:
        """A value that cannot go into a field of a type."""
        self.fail(mismatch(path, value, go))

    def fail(self, message: str) -> None:
        """Something that makes the value undecodable."""
        self.error = self.error or message

    def _complain(self, what: str, path: Path, name: str) -> None:
        if not self.muted and len(self._complaints) < MOST_PROBLEMS:
            above = _full(path)
            self._complaints[what, f"{above}.{name}" if above else name] = None


def mismatch(path: Path, value: Any, go: str) -> str:
    """A value of one sort stands where another is wanted."""
    struct, field = _of_struct(path)
    found = described(value, go)
    if not struct:
        return f"json: cannot unmarshal {found} into Go value of type {go}"
    return f"json: cannot unmarshal {found} into Go struct field {struct}.{field} of type {go}"


def described(value: Any, go: str = "") -> str:
    """What a value is; of a number that does not fit a numeric type also which."""
    kind = json_kind(value)
    if kind != "number" or go.startswith("intstr"):
        return kind
    numeric = go.lstrip("*").startswith(("int", "uint", "float"))
    return f"number {literal(value)}" if numeric else kind


def literal(value: Any) -> str:
    """A number as it was written, or as Go writes it."""
    if isinstance(value, Number):
        return value.text
    return json_text(value) if isinstance(value, float) else str(value)


def _of_struct(path: Path) -> tuple[str, str]:
    """The innermost struct, and the fields that lead to the place; keys and indexes are not named."""
    struct, names = "", []
    while path is not None:
        path, step = path
        if not isinstance(step, (str, int)):
            struct = struct or step.struct
            names.append(step.shown)
    return struct, ".".join(reversed(names))


def _full(path: Path) -> str:
    """The place with keys and indexes."""
    parts: list[str] = []
    while path is not None:
        path, step = path
        if isinstance(step, int):
            parts.append(f"[{step}]")
        else:
            name = step if isinstance(step, str) else step.name
            parts.append(name if path is None else f".{name}")
    return "".join(reversed(parts))
