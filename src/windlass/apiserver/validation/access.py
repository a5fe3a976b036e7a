"""What roles and bindings share: rules, references to roles, and subjects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.meta import METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, path_segment
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

GROUP: Final = "rbac.authorization.k8s.io"

_ROLE: Final = Path("roleRef")
_ROLE_REFERENCE: Final = {"apiGroup": "", "kind": "", "name": ""}


def validate_access_meta(obj: Fields, old: Fields | None, *, namespaced: bool = True) -> Iterator[Fault]:
    """The metadata of a role or binding, where what begins a name must be a part of a path by itself."""
    yield from validate_object_meta(obj, old, path_segment, namespaced=namespaced)
    prefix = obj.get("metadata", {}).get("generateName", "")
    if prefix in (".", ".."):
        yield Fault.invalid(METADATA.child("generateName"), prefix, f"may not be '{prefix}'")


def validate_rules(rules: Sequence[Fields] | None, *, namespaced: bool) -> Iterator[Fault]:
    """The rules of a role: each for resources, or, in a cluster's role, for paths."""
    for index, rule in enumerate(rules or ()):
        yield from _validate_rule(rule, Path("rules").index(index), namespaced=namespaced)


def _validate_rule(rule: Fields, path: Path, *, namespaced: bool) -> Iterator[Fault]:
    if not rule.get("verbs"):
        yield Fault.required(path.child("verbs"), "verbs must contain at least one value")
    urls = rule.get("nonResourceURLs")
    if urls:
        where = path.child("nonResourceURLs")
        if namespaced:
            yield Fault.invalid(where, urls, "namespaced rules cannot apply to non-resource URLs")
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            detail = "rules cannot apply to both regular resources and non-resource URLs"
            yield Fault.invalid(where, urls, detail)
        return
    if not rule.get("apiGroups"):
        detail = "resource rules must supply at least one api group"
        yield Fault.required(path.child("apiGroups"), detail)
    if not rule.get("resources"):
        detail = "resource rules must supply at least one resource"
        yield Fault.required(path.child("resources"), detail)


def validate_role_reference(role: Fields, kinds: Sequence[str]) -> Iterator[Fault]:
    """The role that a binding gives; `kinds` are those that it may be of."""
    group, kind, name = role.get("apiGroup", ""), role.get("kind", ""), role.get("name", "")
    if group != GROUP:
        yield Fault.not_supported(_ROLE.child("apiGroup"), group, [GROUP])
    if kind not in kinds:
        yield Fault.not_supported(_ROLE.child("kind"), kind, kinds)
    if not name:
        yield Fault.required(_ROLE.child("name"))
    for problem in path_segment(name):
        yield Fault.invalid(_ROLE.child("name"), name, problem)


def validate_same_role(new: Fields, old: Fields) -> Iterator[Fault]:
    """A binding is to one role for ever."""
    if new != old:
        yield Fault.invalid(_ROLE, as_declared(new, _ROLE_REFERENCE), "cannot change roleRef")


def validate_subjects(subjects: Sequence[Fields] | None, *, namespaced: bool) -> Iterator[Fault]:
    """Whom a binding gives the role to."""
    for index, subject in enumerate(subjects or ()):
        path = Path("subjects").index(index)
        if not subject.get("name"):
            yield Fault.required(path.child("name"))
        kind, group = subject.get("kind", ""), subject.get("apiGroup", "")
        if kind == "ServiceAccount":
            yield from _validate_account(subject, path, namespaced=namespaced)
        elif kind not in ("User", "Group"):
            yield Fault.not_supported(path.child("kind"), kind, ("ServiceAccount", "User", "Group"))
        elif group != GROUP:
            yield Fault.not_supported(path.child("apiGroup"), group, [GROUP])


def _validate_account(subject: Fields, path: Path, *, namespaced: bool) -> Iterator[Fault]:
    name, group = subject.get("name", ""), subject.get("apiGroup", "")
    for problem in dns_subdomain(name) if name else ():
        yield Fault.invalid(path.child("name"), name, problem)
    if group:
        yield Fault.not_supported(path.child("apiGroup"), group, [""])
    if not namespaced and not subject.get("namespace"):
        yield Fault.required(path.child("namespace"))
