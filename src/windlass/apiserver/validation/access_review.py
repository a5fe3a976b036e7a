"""SubjectAccessReview, and what the other reviews of access share with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.names import label_key, label_value
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

SPEC: Final = Path("spec")
PATH_ATTRIBUTES: Final = {"path": "", "verb": ""}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:  # noqa: ARG001 - the form of all kinds
    """A SubjectAccessReview: who asks for what."""
    spec = obj.get("spec", {})
    yield from validate_asked(spec)
    yield from validate_asker(spec)
    yield from validate_attributes(spec)
    yield from validate_bare(obj, "must be empty")


def validate_asked(spec: Object) -> Iterator[Fault]:
    """A resource or a path, one of them."""
    resource, other = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if resource is not None and other is not None:
        detail = "cannot be specified in combination with resourceAttributes"
        yield Fault.invalid(SPEC.child("nonResourceAttributes"), as_declared(other, PATH_ATTRIBUTES), detail)
    if resource is None and other is None:
        detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        yield Fault.invalid(SPEC.child("resourceAttributes"), None, detail)


def validate_asker(spec: Object) -> Iterator[Fault]:
    """Somebody asks."""
    if not spec.get("user") and not spec.get("groups"):
        detail = "at least one of user or group must be specified"
        yield Fault.invalid(SPEC.child("user"), spec.get("user", ""), detail)


def validate_attributes(spec: Object) -> Iterator[Fault]:
    """The selectors that a list is asked for with."""
    attributes = spec.get("resourceAttributes") or {}
    for name, check in (("fieldSelector", _validate_field), ("labelSelector", _validate_label)):
        selector = attributes.get(name)
        if selector is None:
            continue
        path = SPEC.child("resourceAttributes", name)
        raw, requirements = selector.get("rawSelector", ""), selector.get("requirements") or ()
        if raw and requirements:
            detail = "may not specified at the same time as requirements"
            yield Fault.invalid(path.child("rawSelector"), raw, detail)
        if not raw and not requirements:
            detail = f"when {path} is specified, requirements or rawSelector is required"
            yield Fault.required(path.child("requirements"), detail)
        for index, requirement in enumerate(requirements):
            yield from check(requirement, path.child("requirements").index(index))


def validate_bare(obj: Object, detail: str, *allowed: str) -> Iterator[Fault]:
    """Metadata without anything in it: a review is not stored."""
    metadata = obj.get("metadata") or {}
    if any(value for name, value in metadata.items() if name not in ("managedFields", *allowed)):
        yield Fault.invalid("metadata", metadata, detail)


def _validate_field(requirement: Object, path: Path) -> Iterator[Fault]:
    if not requirement.get("key"):
        yield Fault.required(path.child("key"), "must be specified")
    yield from _validate_values(requirement, path)


def _validate_label(requirement: Object, path: Path) -> Iterator[Fault]:
    yield from _validate_values(requirement, path)
    key, values = requirement.get("key", ""), _values(requirement)
    for problem in label_key(key):
        yield Fault.invalid(path.child("key"), key, problem)
    for index, value in enumerate(values):
        for problem in label_value(value):
            yield Fault.invalid(path.child("values").index(index), value, problem)


def _validate_values(requirement: Object, path: Path) -> Iterator[Fault]:
    """Values where the operator takes some; an operator of some later version is let through."""
    operator, values = requirement.get("operator", ""), _values(requirement)
    if operator in ("In", "NotIn") and not values:
        yield Fault.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'")
    if operator in ("Exists", "DoesNotExist") and values:
        detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
        yield Fault.forbidden(path.child("values"), detail)


def _values(requirement: Object) -> Sequence[str]:
    return requirement.get("values") or ()
