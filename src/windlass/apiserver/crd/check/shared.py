"""What all versions of a definition have in common is judged once, as if it stood beside them.

So it did in an older version of the API, and the paths of faults still say so: `spec.validation`,
`spec.subresources`, `spec.additionalPrinterColumns`, `spec.selectableFields`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Path

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

SPEC: Final = Path("spec")
_PLACES: Final = {
    "schema": "validation",
    "subresources": "subresources",
    "additionalPrinterColumns": "additionalPrinterColumns",
    "selectableFields": "selectableFields",
}


def with_shared(spec: Object) -> Object:
    """A specification in which what all versions have in common stands beside them, and not in them."""
    versions: list[Object] = spec.get("versions") or []
    if not versions:
        return spec
    first = versions[0]
    common = [
        name for name in _PLACES if all(_given(each, name) == _given(first, name) for each in versions[1:])
    ]
    own = [{name: value for name, value in each.items() if name not in common} for each in versions]
    shared = {_PLACES[name]: _given(first, name) for name in common if _given(first, name) is not None}
    return {**spec, "versions": own, **shared}


def schemas_of(spec: Object) -> Iterator[tuple[Object, Path, bool]]:
    """Every schema of such a specification with its path, and whether there is a status beside it."""
    for index, each in enumerate(spec.get("versions") or ()):
        schema = schema_in(each.get("schema"))
        if schema is not None:
            path = SPEC.child("versions").index(index).child("schema", "openAPIV3Schema")
            yield schema, path, has_status(subresources_of(each, spec))
    schema = schema_in(spec.get("validation"))
    if schema is not None:
        beside = [spec, *(spec.get("versions") or ())]
        status = any(has_status(each.get("subresources")) for each in beside)
        yield schema, SPEC.child("validation", "openAPIV3Schema"), status


def schema_in(validation: Object | None) -> Object | None:
    """The schema in what stands around it, if there is one."""
    return None if validation is None else validation.get("openAPIV3Schema")


def subresources_of(version: Object, spec: Object) -> Object | None:
    """The subresources of a version, its own or those of all."""
    found: Object | None = version.get("subresources", spec.get("subresources"))
    return found


def has_status(subresources: Object | None) -> bool:
    """Whether the status is a subresource."""
    return (subresources or {}).get("status") is not None


def _given(version: Object, name: str) -> Any:
    """A field of a version; an empty list is none, but an empty object is one."""
    value = version.get(name)
    return None if value == [] else value
