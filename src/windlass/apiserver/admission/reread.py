"""What others have made of an object, read as one of its kind again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.review import unsuitable
from windlass.apiserver.crd import enforce
from windlass.apiserver.crd.form import CustomForm
from windlass.apiserver.decode import DecodeError, builtin_types, check_claim
from windlass.apiserver.go_json import unstructured
from windlass.apiserver.patch import Patched, Unusable
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.resource import Resource

Object = dict[str, Any]

_ANOTHER_KIND: Final = "converting ("


def reread(seen: Review, found: Object, validation: str) -> Object:
    """What was made of the object of a review, with the defaults of its kind; it takes it over.

    What `validation` says of unknown fields is a refusal, or nothing.

    Raises:
        Refusal: 500, it is no object of the kind.
    """
    if seen.action == "CONNECT":  # nobody reads it again, as there is nobody to connect to
        return found
    resource, outcome = seen.resource, Patched(found)
    try:
        if _is_loose(resource):
            return _loose(outcome)
        if resource.custom:
            _check_version(found, resource)
            outcome.check_kind()
        else:  # which is known to be what it does not say
            found["kind"] = found.get("kind") or resource.kind.name
            found["apiVersion"] = found.get("apiVersion") or resource.kind.api_version
        new = _taken(resource, outcome, seen, validation)
    except Unusable as error:
        if error.why.startswith(_ANOTHER_KIND):
            raise Refusal(500, error.why, "") from error
        raise Refusal.internal(error.why) from error
    new.setdefault("metadata", {})
    return new


def _taken(resource: Resource, outcome: Patched, seen: Review, validation: str) -> Object:
    """What was made of an object, with its defaults; what is unknown in a custom resource stays for now."""
    if not isinstance(resource.traits, CustomForm) or validation != "Ignore":
        return resource.traits.patched(resource, outcome, seen.operation.call, validation)
    try:
        return enforce.changed(resource.traits.schema, outcome.document)
    except DecodeError as error:
        raise outcome.refusal(str(error)) from error


def _is_loose(resource: Resource) -> bool:
    """Whether objects have a type that is not known where others change them: Scales of custom resources."""
    return resource.custom and not isinstance(resource.traits, CustomForm)


def _loose(outcome: Patched) -> Object:
    """What was made of the Scale of a custom resource: anything that says its kind, until it is settled."""
    outcome.check_named()
    found: Object = unstructured(outcome.document)
    try:
        enforce.check_form(found.get("apiVersion") or "")
    except DecodeError as error:
        raise outcome.refusal(str(error)) from error
    return found


def say_kind(review: Review) -> None:
    """Have the Scale of a custom resource say its kind, in place, as whoever sees it first is told."""
    kind, resource = review.kind, review.resource
    if review.obj is not None and _is_loose(resource):
        review.obj.update(kind=kind.name, apiVersion=kind.api_version)


def settle(review: Review) -> None:
    """Make a Scale again, in place, of what a party has made of that of a custom resource.

    Raises:
        Refusal: 500, it is none any more.
    """
    resource, obj = review.resource, review.obj
    if obj is None or not _is_loose(resource):
        return
    try:
        check_claim(obj, resource.kind, builtin_types())
        new = resource.traits.applied(resource, obj)
    except DecodeError as error:
        raise Refusal(500, str(error), "") from error
    obj.clear()
    obj.update(new)


def drop_unknown(review: Review) -> None:
    """Take out of a custom resource, in place, what others have put into it and its schema does not know."""
    traits = review.resource.traits
    if isinstance(traits, CustomForm) and review.obj is not None:
        traits.schema.drop_unknown(review.obj)


def keep(review: Review, seen: Review) -> None:
    """Make of the object of a review, in place, what became of it as it was seen, in some version.

    Raises:
        Refusal: 500, it cannot be converted.
    """
    if seen.obj is review.obj:
        return
    assert review.obj is not None  # noqa: S101 - there is nothing to change in what is deleted
    assert seen.obj is not None  # noqa: S101 - nor did anybody see such a thing
    new = seen.obj
    if seen.version != review.version:
        back = replace(seen, old=None).seen_in(review.version).obj
        assert back is not None  # noqa: S101 - for the type checker
        traits = review.resource.traits
        if isinstance(traits, CustomForm):
            traits.schema.fill(back)
        new = back if review.resource.custom else traits.finished(review.resource, back)
    review.obj.clear()
    review.obj.update(new)


def _check_version(new: Object, resource: Resource) -> None:
    """Refuse a custom resource that does not say its version any more, or says one that there is not.

    Raises:
        Refusal: 500.
    """
    said, kind = new.get("apiVersion") or "", new.get("kind")
    if not kind or not isinstance(said, str) or said.count("/") > 1:
        return  # it is no object at all, which others say
    group, _, version = said.rpartition("/")
    if group != resource.kind.group:
        raise Refusal(500, unsuitable(f"{group}/{version}", kind, resource.kind), "")
    if version not in (resource.kind.version, ""):
        raise Refusal(500, f"request to convert CR from an invalid group/version: {said}", "")
