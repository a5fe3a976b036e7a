"""LocalSubjectAccessReview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.access_review import (
    PATH_ATTRIBUTES,
    SPEC,
    validate_asked,
    validate_asker,
    validate_attributes,
    validate_bare,
)
from windlass.apiserver.validation.declared import as_declared
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:  # noqa: ARG001 - the form of all kinds
    """A LocalSubjectAccessReview: who asks for what, in the namespace that it was sent to."""
    spec = obj.get("spec", {})
    yield from validate_asked(spec)
    yield from validate_asker(spec)
    yield from validate_attributes(spec)
    yield from validate_bare(obj, "must be empty except for namespace", "namespace")
    resource, other = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if resource is not None:
        asked, here = resource.get("namespace", ""), obj.get("metadata", {}).get("namespace", "")
        if asked != here:
            path = SPEC.child("resourceAttributes", "namespace")
            yield Fault.invalid(path, asked, "must match metadata.namespace")
    if other is not None:
        shown = as_declared(other, PATH_ATTRIBUTES)
        yield Fault.invalid(SPEC.child("nonResourceAttributes"), shown, "disallowed on this kind of request")
