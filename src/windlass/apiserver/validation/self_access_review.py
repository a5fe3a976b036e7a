"""SelfSubjectAccessReview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.access_review import validate_asked, validate_attributes, validate_bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema import Fault

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:  # noqa: ARG001 - the form of all kinds
    """A SelfSubjectAccessReview: what is asked for."""
    spec = obj.get("spec", {})
    yield from validate_asked(spec)
    yield from validate_attributes(spec)
    yield from validate_bare(obj, "must be empty")
