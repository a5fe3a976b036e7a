"""The system that a pod runs on, the classes and claims that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.apiserver.validation.pod_annotation import MIRROR
from windlass.apiserver.validation.resource import validate_requirements
from windlass.apiserver.validation.security_windows import validate_linux_pod, validate_windows_pod
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]
    Located = Sequence[tuple[Fields, Path]]

_SYSTEMS: Final = ("linux", "windows")
_PREEMPTIONS: Final = ("PreemptLowerPriority", "Never")
_CLAIM: Final = {
    "name": "Name",
    "resourceClaimName": "ResourceClaimName",
    "resourceClaimTemplateName": "ResourceClaimTemplateName",
}


def validate_system(spec: Fields, containers: Located, path: Path) -> Iterator[Fault]:
    """The pod's classes, its overhead and its operating system."""
    for name in ("priorityClassName", "runtimeClassName"):
        value = spec.get(name)
        if value is None or (not value and name == "priorityClassName"):
            continue
        for problem in dns_subdomain(value):
            yield Fault.invalid(path.child(name), value, problem)
    preemption = spec.get("preemptionPolicy")
    if preemption == "":
        yield Fault.required(path.child("preemptionPolicy"))
    elif preemption is not None and preemption not in _PREEMPTIONS:
        yield Fault.not_supported(path.child("preemptionPolicy"), preemption, _PREEMPTIONS)
    if "overhead" in spec:
        yield from validate_requirements({"limits": spec["overhead"]}, path.child("overhead"), ())
    if "os" in spec:
        yield from _validate_os(spec, containers, path)


def validate_claims(claims: Sequence[Fields], path: Path, meta: Fields | None) -> Iterator[Fault]:
    """The resource claims that a pod brings or has made."""
    if meta is not None and MIRROR in meta.get("annotations", {}):
        yield Fault.forbidden("[]", "static pods do not support resource claims")
        return
    seen: set[str] = set()
    for index, claim in enumerate(claims):
        yield from _validate_claim(claim, seen, path.index(index))


def validate_file_keys(spec: Fields, containers: Located) -> Iterator[Fault]:
    """Variables from files: their volumes live and die with the pod."""
    volumes = {volume.get("name", ""): volume for volume in spec.get("volumes", ())}
    for container, path in containers:
        for index, variable in enumerate(container.get("env", ())):
            reference = variable.get("valueFrom", {}).get("fileKeyRef")
            if reference is None:
                continue
            name = reference.get("volumeName", "")
            where = path.child("env").index(index).child("valueFrom", "fileKeyRef", "volumeName")
            if name not in volumes:
                yield Fault.not_found(where, name)
            elif "emptyDir" not in volumes[name]:
                yield Fault.invalid(where, name, "referenced volume must be of type emptyDir")


def _validate_claim(claim: Fields, seen: set[str], path: Path) -> Iterator[Fault]:
    name = claim.get("name", "")
    if not name:
        yield Fault.required(path.child("name"))
    elif name in seen:
        yield Fault.duplicate(path.child("name"), name)
    else:
        for problem in dns_label(name):
            yield Fault.invalid(path.child("name"), name, problem)
        seen.add(name)
    sources = [field for field in ("resourceClaimName", "resourceClaimTemplateName") if field in claim]
    shown = {go: claim.get(field, "" if field == "name" else None) for field, go in _CLAIM.items()}
    if len(sources) > 1:
        detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
        yield Fault.invalid(path, shown, detail)
    if not sources:
        detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
        yield Fault.invalid(path, shown, detail)
    for field in sources:
        for problem in dns_subdomain(claim[field]):
            yield Fault.invalid(path.child(field), claim[field], problem)


def _validate_os(spec: Fields, containers: Located, path: Path) -> Iterator[Fault]:
    name = spec["os"].get("name", "")
    if not name:
        yield Fault.required(path.child("os", "name"))
    elif name not in _SYSTEMS:
        yield Fault.not_supported(path.child("os"), name, _SYSTEMS)
    elif name == "linux":
        yield from validate_linux_pod(spec, containers, path)
    else:
        yield from validate_windows_pod(spec, containers, path)
