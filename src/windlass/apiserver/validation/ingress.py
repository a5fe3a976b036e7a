"""Ingress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.balancer import validate_ingress_status
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import (
    dns_label,
    dns_subdomain,
    dns_wildcard,
    path_segment,
    port_name,
)
from windlass.apiserver.validation.network import read_address
from windlass.apiserver.validation.number import port_number
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_CLASS: Final = "kubernetes.io/ingress.class"
_PATH_TYPES: Final = ("Exact", "ImplementationSpecific", "Prefix")
_BAD_SEQUENCES: Final = ("//", "/./", "/../", "%2f", "%2F")
_BAD_ENDS: Final = ("/..", "/.")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An Ingress; an update may keep odd secrets and odd rules of wildcards."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), (old or {}).get("spec", {})
    default = spec.get("defaultBackend")
    if not spec.get("rules") and default is None:
        detail = "either `defaultBackend` or `rules` must be specified"
        yield Fault.invalid(_SPEC, spec.get("rules"), detail)
    if default is not None:
        yield from _validate_backend(default, _SPEC.child("defaultBackend"))
    any_wildcard = any(
        "*" in rule.get("host", "") and any(_validate_paths(rule, _SPEC))
        for rule in before.get("rules") or ()
    )
    for index, rule in enumerate(spec.get("rules") or ()):
        path = _SPEC.child("rules").index(index)
        yield from _validate_host(rule.get("host", ""), path.child("host"))
        if not any_wildcard or "*" not in rule.get("host", ""):
            yield from _validate_paths(rule, path)
    yield from _validate_encryption(spec.get("tls") or (), before.get("tls") or ())
    name = spec.get("ingressClassName")
    for problem in dns_subdomain(name) if name is not None else ():
        yield Fault.invalid(_SPEC.child("ingressClassName"), name, problem)
    noted = (obj["metadata"].get("annotations") or {}).get(_CLASS)
    if old is None and None not in (noted, name) and noted != name:
        detail = "must match `ingressClassName` when both are specified"
        yield Fault.invalid(Path("annotations").child(_CLASS), noted, detail)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """Where an Ingress is reached."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from validate_ingress_status(obj, old)


def _validate_host(host: str, path: Path) -> Iterator[Fault]:
    if not host:
        return
    if read_address(host) is not None:
        yield Fault.invalid(path, host, "must be a DNS name, not an IP address")
    for problem in (dns_wildcard if "*" in host else dns_subdomain)(host):
        yield Fault.invalid(path, host, problem)


def _validate_paths(rule: Object, path: Path) -> Iterator[Fault]:
    served = rule.get("http")
    if served is None:
        return
    if not served.get("paths"):
        yield Fault.required(path.child("http", "paths"))
    for index, each in enumerate(served.get("paths") or ()):
        yield from _validate_path(each, path.child("http", "paths").index(index))


def _validate_path(served: Object, path: Path) -> Iterator[Fault]:
    kind, text = served.get("pathType"), served.get("path", "")
    where = path.child("path")
    if kind is None:
        yield Fault.required(path.child("pathType"), "pathType must be specified")
        return
    if kind not in _PATH_TYPES:
        yield Fault.not_supported(path.child("pathType"), kind, _PATH_TYPES)
    elif not text.startswith("/") and (text or kind != "ImplementationSpecific"):
        yield Fault.invalid(where, text, "must be an absolute path")
    if kind in ("Exact", "Prefix"):
        for sequence in _BAD_SEQUENCES:
            if sequence in text:
                yield Fault.invalid(where, text, f"must not contain '{sequence}'")
        for end in _BAD_ENDS:
            if text.endswith(end):
                yield Fault.invalid(where, text, f"cannot end with '{end}'")
    yield from _validate_backend(served.get("backend", {}), path.child("backend"))


def _validate_backend(backend: Object, path: Path) -> Iterator[Fault]:
    resource, service = backend.get("resource"), backend.get("service")
    if resource is not None and service is not None:
        yield Fault.invalid(path, "", "cannot set both resource and service backends")
    elif resource is not None:
        yield from validate_reference(resource, path.child("resource"))
    elif service is not None:
        yield from _validate_service(service, path)
    else:
        yield Fault.invalid(path, "", "resource or service backend is required")


def validate_reference(reference: Object, path: Path) -> Iterator[Fault]:
    """A reference to an object by group, kind and name."""
    group = reference.get("apiGroup")
    for problem in dns_subdomain(group) if group is not None else ():
        yield Fault.invalid(path.child("apiGroup"), group, problem)
    for name in ("kind", "name"):
        value = reference.get(name, "")
        if not value:
            yield Fault.required(path.child(name))
        for problem in path_segment(value):
            yield Fault.invalid(path.child(name), value, problem)


def _validate_service(service: Object, path: Path) -> Iterator[Fault]:
    name, port = service.get("name", ""), service.get("port", {})
    where = path.child("service")
    if not name:
        yield Fault.required(where.child("name"))
    for problem in dns_label(name) if name else ():
        yield Fault.invalid(where.child("name"), name, problem)
    by_name, by_number = port.get("name", ""), port.get("number", 0)
    if by_name and by_number:
        yield Fault.invalid(path, "", "cannot set both port name & port number")
    elif by_name:
        for problem in port_name(by_name):
            yield Fault.invalid(where.child("port", "name"), by_name, problem)
    elif by_number:
        for problem in port_number(by_number):
            yield Fault.invalid(where.child("port", "number"), by_number, problem)
    else:
        yield Fault.required(path, "port name or number is required")


def _validate_encryption(entries: Sequence[Object], old: Sequence[Object]) -> Iterator[Fault]:
    any_secret = any(dns_subdomain(entry["secretName"]) for entry in old if entry.get("secretName"))
    for index, entry in enumerate(entries):
        path = _SPEC.child("tls").index(index)
        for position, host in enumerate(entry.get("hosts") or ()):
            for problem in (dns_wildcard if "*" in host else dns_subdomain)(host):
                yield Fault.invalid(path.child("hosts").index(position), host, problem)
        secret = entry.get("secretName", "")
        for problem in dns_subdomain(secret) if secret and not any_secret else ():
            yield Fault.invalid(path.child("secretName"), secret, problem)
