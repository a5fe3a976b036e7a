"""Binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_TARGET: Final = Path("target")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:  # noqa: ARG001 - the form of all kinds
    """A Binding: the node that a pod goes to.

    The server answers these faults with 500 and no causes, not with 422.
    """
    target = obj.get("target", {})
    kind = target.get("kind", "")
    if kind not in ("", "Node"):
        yield Fault.not_supported(_TARGET.child("kind"), kind, ("Node", "<empty>"))
    if not target.get("name"):
        yield Fault.required(_TARGET.child("name"))
