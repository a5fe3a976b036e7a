"""Paths of files below a volume or a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator


def validate_no_backsteps(target: str, path: Path) -> Iterator[Fault]:
    """A path that never steps back."""
    if ".." in target and ".." in target.split("/"):
        yield Fault.invalid(path, target, "must not contain '..'")


def validate_descending(target: str, path: Path) -> Iterator[Fault]:
    """A relative path that never steps back."""
    if target.startswith("/"):
        yield Fault.invalid(path, target, "must be a relative path")
    yield from validate_no_backsteps(target, path)


def validate_not_reserved(target: str, path: Path) -> Iterator[Fault]:
    """A relative path that never steps back and does not begin as the kubelet's own files do."""
    yield from validate_descending(target, path)
    if target.startswith("..") and not target.startswith("../"):
        yield Fault.invalid(path, target, "must not start with '..'")
