"""RoleBinding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.access import (
    validate_access_meta,
    validate_role_reference,
    validate_same_role,
    validate_subjects,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A RoleBinding: a role of either scope, and its subjects."""
    role = obj.get("roleRef", {})
    yield from validate_access_meta(obj, old)
    yield from validate_role_reference(role, ("Role", "ClusterRole"))
    yield from validate_subjects(obj.get("subjects"), namespaced=True)
    if old is not None:
        yield from validate_same_role(role, old.get("roleRef", {}))
