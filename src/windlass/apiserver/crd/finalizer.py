"""Finalizers of custom resources, whose names are nobody's but their writers'."""

from __future__ import annotations

from typing import Final

_STANDARD: Final = frozenset({"orphan", "foregroundDeletion", "kubernetes"})


def finalizer_warning(name: str) -> str:
    """What a client is told about the name of a finalizer that another writer may choose too, or nothing."""
    if "/" in name or name in _STANDARD:
        return ""
    better = "name including a path (/)" if "." in name else "name"
    return (
        f'metadata.finalizers: "{name}": prefer a domain-qualified finalizer {better} to avoid accidental '
        "conflicts with other finalizer writers"
    )
