"""Kinds that are kept as they come: of their objects only the metadata is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import path_segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An object of the cluster that can be stored: it has a name, which can stand in a path."""
    yield from validate_object_meta(obj, old, path_segment, namespaced=False)
