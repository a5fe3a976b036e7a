"""Role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.access import validate_access_meta, validate_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A Role: its rules, all of them for resources."""
    yield from validate_access_meta(obj, old)
    yield from validate_rules(obj.get("rules"), namespaced=True)
