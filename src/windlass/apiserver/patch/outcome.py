from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.go_json import written
from windlass.apiserver.refusal import Refusal
from windlass.schema import Fault, json_kind, printed

if TYPE_CHECKING:
    from collections.abc import Iterable

# Go's encoder writes these three as escapes, lest a browser takes them for markup.
_ESCAPED: Final = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})
_TYPED: Final = (
    r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'
)


@dataclass(frozen=True, slots=True)
class Patched:
    """An object as a patch leaves it, still to be decoded as its kind.

    `document`: the object; it may share values with the object that was patched, so neither is changed in
    place afterwards.
    `problems`: what strict field validation complains about in the patch itself (`duplicate field "data.a"`),
    in the order of its text; empty where that was not asked for.
    `patch`: the patch, of a strategic merge patch only, whose refusals show it instead of the object.
    """

    document: dict[str, Any]
    problems: tuple[str, ...] = ()
    patch: dict[str, Any] | None = None

    def refusal(self, why: str) -> Refusal:
        """422: the result cannot be decoded, or only with problems that strict field validation refuses."""
        shown = text(self.document) if self.patch is None else printed(self.patch)
        return unusable(shown, why)

    def strict_refusal(self, problems: Iterable[str] = ()) -> Refusal:
        """422: the patch has problems, or its result has those given, and validation is strict."""
        return self.refusal(f"strict decoding error: {', '.join((*self.problems, *problems))}")

    def check_kind(self) -> None:
        """Refuse a result that does not say of what kind it is, where it is taken by its word.

        Raises:
            Refusal: 422.
        """
        self.check_named()
        if self.document.get("apiVersion", "") is None:
            raise self.refusal(".apiVersion accessor error: <nil> is of the type <nil>, expected string")

    def check_named(self) -> None:
        """Refuse a result whose kind has no name.

        Raises:
            Refusal: 422.
        """
        for name in ("apiVersion", "kind"):
            value = self.document.get(name)
            if value is not None and not isinstance(value, str):
                unread = f"cannot unmarshal {json_kind(value)} into Go struct field .{name} of type string"
                raise self.refusal(f"couldn't get version/kind; json parse error: json: {unread}")
        if not self.document.get("kind"):
            raise self.refusal(f"Object 'Kind' is missing in '{text(self.document, deeply=True)}'")


class Unusable(Refusal):
    """422: what a patch leaves is not an object of the kind; `why` is that without what it is."""

    why = ""


def unusable(shown: str, why: str) -> Refusal:
    """422: what a patch leaves is not an object of the kind."""
    refusal = Unusable.invalid("", "", "", [Fault.invalid("patch", shown, why)])
    refusal.why = why
    return refusal


def not_an_object(result: list[Any]) -> Refusal:
    """422: a patch left a list where an object was."""
    unread = f"json: cannot unmarshal array into Go value of type {_TYPED}"
    return unusable(text(result), f"couldn't get version/kind; json parse error: {unread}")


class Rejected(Refusal):
    """422: a patch cannot be carried out. The server does not tell a client `why`."""

    def __init__(self, why: str) -> None:
        super().__init__(422, "the server rejected our request due to an error in our request", details={})
        self.why = why


def failed(why: str) -> Refusal:
    """500: a patch contradicts itself or the object, in a way that the server takes for its own fault."""
    return Refusal(500, why, "")


def panicked() -> Refusal:
    """500: what makes the real server's handler panic, which it does not survive to answer."""
    return failed("This request caused apiserver to panic. Look in the logs for details.")


def text(value: Any, *, deeply: bool = False) -> str:
    """A value as Go's encoder writes it: a map has its members in order, and what is in it perhaps too."""
    ordered = dict(sorted(value.items())) if isinstance(value, dict) else value
    return written(ordered, orjson.OPT_SORT_KEYS if deeply else 0).decode().translate(_ESCAPED)
