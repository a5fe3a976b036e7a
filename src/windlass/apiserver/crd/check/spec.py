"""The specification of a definition: its group, names, versions, and what these have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.crd.check.column import column_faults
from windlass.apiserver.crd.check.conversion import conversion_faults
from windlass.apiserver.crd.check.name import label_problem, name_faults, names_faults
from windlass.apiserver.crd.check.selectable import selectable_faults
from windlass.apiserver.crd.check.shared import SPEC, schema_in, schemas_of
from windlass.apiserver.crd.check.shown import versions_text
from windlass.apiserver.crd.check.subresource import subresource_faults
from windlass.apiserver.crd.check.version import deprecation_problems
from windlass.apiserver.crd.enforce import EmbeddedMetadata
from windlass.apiserver.crd.rules import LazyRules
from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault, Path
from windlass.schema.custom import check_schema, has_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.crd.check.past import Past

Object = dict[str, Any]

_SCOPES: Final = ("Cluster", "Namespaced")
_VERSIONS: Final = SPEC.child("versions")


def spec_faults(spec: Object, past: Past) -> Iterator[Fault]:
    """What is wrong with a specification, whose versions' common parts stand beside them."""
    yield from _group_faults(spec.get("group", ""))
    yield from _scope_faults(spec.get("scope", ""))
    versions = spec.get("versions") or []
    if schema_in(spec.get("validation")) is None:
        for index, each in enumerate(versions):
            if schema_in(each.get("schema")) is None:
                yield Fault.required(_VERSIONS.index(index).child("schema", "openAPIV3Schema"))
    schemas = list(schemas_of(spec))
    if spec.get("preserveUnknownFields") and any(has_defaults(schema) for schema, _, _ in schemas):
        detail = "must be false in order to use defaults in the schema"
        yield Fault.invalid("spec.preserveUnknownFields", value=True, detail=detail)
    judged = {
        str(path): check_schema(schema, str(path), EmbeddedMetadata(), LazyRules(), status=status)
        for schema, path, status in schemas
        if not past.knows(schema, status=status)
    }
    for index, each in enumerate(versions):
        yield from _version_faults(each, _VERSIONS.index(index), judged)
    yield from _versions_faults(spec)
    yield from name_faults(spec.get("names", {}), SPEC.child("names"))
    yield from names_faults(spec.get("names", {}), SPEC.child("names"))
    yield from judged.get("spec.validation.openAPIV3Schema", ())
    yield from _parts_faults(spec, SPEC)
    yield from _shared_selectable_faults(spec)
    yield from conversion_faults(spec, past)


def _group_faults(group: str) -> Iterator[Fault]:
    path = SPEC.child("group")
    if not group:
        yield Fault.required(path)
    elif problems := dns_subdomain(group):
        yield Fault.invalid(path, group, ",".join(problems))
    elif "." not in group:
        yield Fault.invalid(path, group, "should be a domain with at least one dot")


def _scope_faults(scope: str) -> Iterator[Fault]:
    if not scope:
        yield Fault.required(SPEC.child("scope"))
    elif scope not in _SCOPES:
        yield Fault.not_supported(SPEC.child("scope"), scope, _SCOPES)


def _version_faults(version: Object, path: Path, judged: dict[str, list[Fault]]) -> Iterator[Fault]:
    name = version.get("name", "")
    if problem := label_problem(name):
        yield Fault.invalid(path.child("name"), name, problem)
    for problem in deprecation_problems(version):
        yield Fault.invalid(path.child("deprecationWarning"), version["deprecationWarning"], problem)
    yield from judged.get(f"{path}.schema.openAPIV3Schema", ())
    yield from _parts_faults(version, path)
    if version.get("selectableFields"):
        schema = schema_in(version.get("schema"))
        if schema is None:
            detail = "may only be set when `version.schema.openAPIV3Schema` is not included"
            yield Fault.invalid(path.child("selectableFields"), "", detail)
        else:
            yield from selectable_faults(version["selectableFields"], schema, path.child("selectableFields"))


def _parts_faults(part: Object, path: Path) -> Iterator[Fault]:
    """Subresources and columns, of a version or of all."""
    yield from subresource_faults(part.get("subresources"), path.child("subresources"))
    for index, column in enumerate(part.get("additionalPrinterColumns") or ()):
        yield from column_faults(column, path.child("additionalPrinterColumns").index(index))


def _versions_faults(spec: Object) -> Iterator[Fault]:
    """What the versions must be among each other; the first one has a second name."""
    versions = spec.get("versions") or []
    names = [each.get("name", "") for each in versions]
    if len(set(names)) < len(names):
        yield _versions_fault(spec, "must contain unique version names")
    if sum(bool(each.get("storage")) for each in versions) != 1:
        yield _versions_fault(spec, "must have exactly one version marked as storage version")
    if names and names[0] and (problem := label_problem(names[0])):
        yield Fault.invalid(SPEC.child("version"), names[0], problem)


def _versions_fault(spec: Object, detail: str) -> Fault:
    text = versions_text(spec.get("versions"))
    return Fault("FieldValueInvalid", str(_VERSIONS), f"Invalid value: {text}: {detail}")


def _shared_selectable_faults(spec: Object) -> Iterator[Fault]:
    path = SPEC.child("selectableFields")
    if not spec.get("selectableFields"):
        return
    if spec.get("validation") is None:
        yield Fault.invalid(path, "", "may only be set when validations.schema is included")
    else:
        yield from selectable_faults(spec["selectableFields"], schema_in(spec["validation"]) or {}, path)
