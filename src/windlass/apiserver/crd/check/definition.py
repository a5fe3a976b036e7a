from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.crd.approval import approval_faults
from windlass.apiserver.crd.check.name import names_faults
from windlass.apiserver.crd.check.past import NOTHING_BEFORE, Past
from windlass.apiserver.crd.check.shared import with_shared
from windlass.apiserver.crd.check.spec import spec_faults
from windlass.apiserver.validation.meta import (
    IMMUTABLE,
    METADATA,
    validate_meta,
    validate_meta_update,
)
from windlass.apiserver.validation.names import dns_subdomain, path_segment
from windlass.schema import Fault, Path, quoted
from windlass.schema.custom import unknown_formats

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Object = dict[str, Any]


def definition_faults(crd: Object, old: Object | None) -> Iterator[Fault]:
    """What is wrong with a new definition, or with a change, in the order of the server."""
    spec, status = crd.get("spec", {}), crd.get("status", {})
    if old is None:
        yield from _new_meta_faults(crd)
        yield from spec_faults(with_shared(spec), NOTHING_BEFORE)
    else:
        past = Past.of(old)
        yield from _meta_update_faults(crd, old)
        yield from spec_faults(with_shared(spec), past)
        yield from _change_faults(spec, old["spec"], fixed=past.established)
    yield from _status_faults(status)
    yield from _stored_faults(status.get("storedVersions"), spec.get("versions") or ())
    yield from approval_faults(crd, old)
    if spec.get("preserveUnknownFields"):
        detail = "set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        yield Fault.invalid("spec.preserveUnknownFields", value=True, detail=f"cannot set to true, {detail}")


def status_faults(crd: Object, old: Object) -> Iterator[Fault]:
    """What is wrong with a write to the status of a definition."""
    yield from _meta_update_faults(crd, old)
    yield from _status_faults(crd.get("status", {}))


def warnings(crd: Object, old: Object | None) -> list[str]:
    """Formats that are not enforced, unless they were there before."""
    if old is not None and old["spec"] == crd["spec"]:
        return []
    found = dict.fromkeys(_unknown_formats(crd))
    known = set(_unknown_formats(old)) if found and old is not None else set()
    return [f"unrecognized format {quoted(name)}" for name in found if name not in known]


def _new_meta_faults(crd: Object) -> Iterator[Fault]:
    spec = crd.get("spec", {})
    expected = f"{spec.get('names', {}).get('plural', '')}.{spec.get('group', '')}"

    def rule(name: str) -> Sequence[str]:
        problems = dns_subdomain(name)
        return problems if name == expected else [*problems, 'must be spec.names.plural+"."+spec.group']

    return validate_meta(crd["metadata"], METADATA, namespaced=False, name_rule=rule)


def _meta_update_faults(crd: Object, old: Object) -> Iterator[Fault]:
    yield from validate_meta(crd["metadata"], METADATA, namespaced=False, name_rule=path_segment)
    yield from validate_meta_update(crd["metadata"], old["metadata"], METADATA)


def _change_faults(spec: Object, before: Object, *, fixed: bool) -> Iterator[Fault]:
    """What names the objects of a kind in storage stays as it is; what is `fixed` is served."""
    pairs = [
        ("spec.group", spec.get("group", ""), before["group"]),
        ("spec.names.plural", spec["names"].get("plural", ""), before["names"]["plural"]),
    ]
    if fixed:
        pairs[:0] = [
            ("spec.scope", spec.get("scope", ""), before["scope"]),
            ("spec.names.kind", spec["names"].get("kind", ""), before["names"]["kind"]),
        ]
    for path, new, expected in pairs:
        if new != expected:
            yield Fault.invalid(path, new, IMMUTABLE)


def _status_faults(status: Object) -> Iterator[Fault]:
    return names_faults(status.get("acceptedNames") or {}, Path("status").child("acceptedNames"))


def _stored_faults(stored: list[str] | None, versions: Sequence[Object]) -> Iterator[Fault]:
    path = Path("status").child("storedVersions")
    if not stored:
        yield Fault.invalid(path, stored, "must have at least one stored version")
        return
    missing = set(stored)
    for each in versions:
        if each.get("storage") and each["name"] not in missing:
            yield Fault.invalid(path, stored, f"must have the storage version {each['name']}")
        missing.discard(each["name"])
    for index, name in enumerate(stored):
        if name in missing:
            yield Fault.invalid(
                path.index(index),
                name,
                f"missing from spec.versions; {name} was previously a storage version, and must remain in "
                f"spec.versions until a storage migration ensures no data remains persisted in {name} and "
                f"removes {name} from status.storedVersions",
            )


def _unknown_formats(crd: Object) -> Iterator[str]:
    for each in crd["spec"].get("versions") or ():
        schema = (each.get("schema") or {}).get("openAPIV3Schema")
        if schema is not None:
            yield from unknown_formats(schema)
