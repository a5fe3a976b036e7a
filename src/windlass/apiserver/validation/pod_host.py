"""What a pod is called, how it looks up others, and what it shares with its host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import validate_address
from windlass.apiserver.validation.names import dns_label, dns_subdomain, dns_subdomain_underscored
from windlass.apiserver.validation.number import LARGEST_INT32, between
from windlass.apiserver.validation.pod_toleration import validate_tolerations
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.validation.pod_options import PodOptions

    Fields = Mapping[str, Any]

_MOST_NAMESERVERS: Final = 3
_MOST_SEARCHES: Final = 32
_SEARCHES_LENGTH: Final = 2048
_HOST_NAME_LENGTH: Final = 64
_OWN_USERS: Final = "when `hostUsers` is false"
_NAMES: Final = (
    ("serviceAccountName", dns_subdomain),
    ("nodeName", dns_subdomain),
    ("activeDeadlineSeconds", None),
    ("hostname", dns_label),
    ("subdomain", dns_label),
)


def validate_identity(spec: Fields, path: Path) -> Iterator[Fault]:
    """The names that a pod goes by, its deadline, its tolerations and the hosts that it knows."""
    if "hostnameOverride" in spec:
        yield from _validate_host_name(spec, path.child("hostnameOverride"))
    for name, rule in _NAMES:
        value = spec.get(name)
        if rule is None and value is not None:
            problems = between(value, 1, LARGEST_INT32)
        else:
            problems = rule(value) if rule and value else ()
        for problem in problems:
            yield Fault.invalid(path.child(name), value, problem)
    if "tolerations" in spec:
        yield from validate_tolerations(spec["tolerations"], path.child("tolerations"))
    for index, alias in enumerate(spec.get("hostAliases", ())):
        where = path.child("hostAliases").index(index)
        yield from validate_address(alias.get("ip", ""), where.child("ip"))
        for position, host in enumerate(alias.get("hostnames", ())):
            for problem in dns_subdomain(host):
                yield Fault.invalid(where.child("hostnames").index(position), host, problem)


def validate_host_users(
    spec: Fields, containers: Sequence[tuple[Fields, Path]], path: Path, options: PodOptions
) -> Iterator[Fault]:
    """A pod with users of its own shares little else with its host."""
    if spec.get("hostNetwork") and not options.host_network_users:
        yield Fault.forbidden(path.child("hostNetwork"), _OWN_USERS)
    for field, called in (("hostPID", "HostPID"), ("hostIPC", "HostIPC")):
        if spec.get(field):
            yield Fault.forbidden(path.child(called), _OWN_USERS)
    for container, where in () if options.device_users else containers:
        if container.get("volumeDevices"):
            yield Fault.forbidden(where.child("volumeDevices"), _OWN_USERS)


def validate_dns(spec: Fields, path: Path) -> Iterator[Fault]:
    """The name servers of a pod and where they look."""
    config = spec.get("dnsConfig")
    if spec.get("dnsPolicy") == "None":
        if config is None:
            yield Fault.required(path, "must provide `dnsConfig` when `dnsPolicy` is None")
            return
        if not config.get("nameservers"):
            detail = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield Fault.required(path.child("nameservers"), detail)
            return
    if config is not None:
        yield from _validate_servers(config.get("nameservers", ()), path.child("nameservers"))
        yield from _validate_searches(config.get("searches", ()), path.child("searches"))
        for index, option in enumerate(config.get("options", ())):
            if not option.get("name"):
                yield Fault.required(path.child("options").index(index), "must not be empty")


def _validate_servers(servers: Sequence[str], path: Path) -> Iterator[Fault]:
    if len(servers) > _MOST_NAMESERVERS:
        yield Fault.invalid(path, servers, f"must not have more than {_MOST_NAMESERVERS} nameservers")
    for index, server in enumerate(servers):
        yield from validate_address(server, path.index(index))


def _validate_searches(searches: Sequence[str], path: Path) -> Iterator[Fault]:
    if len(searches) > _MOST_SEARCHES:
        yield Fault.invalid(path, searches, f"must not have more than {_MOST_SEARCHES} search paths")
    if len(" ".join(searches).encode()) > _SEARCHES_LENGTH:
        detail = (
            f"must not have more than {_SEARCHES_LENGTH} characters (including spaces) in the search list"
        )
        yield Fault.invalid(path, searches, detail)
    for index, search in enumerate(searches):
        if search == ".":
            continue
        domain = search.removesuffix(".")
        for problem in dns_subdomain_underscored(domain):
            yield Fault.invalid(path.index(index), domain, problem)


def _validate_host_name(spec: Fields, path: Path) -> Iterator[Fault]:
    name = spec["hostnameOverride"]
    for field, called in (("setHostnameAsFQDN", "setHostnameAsFQDN"), ("hostNetwork", "hostNetwork")):
        if spec.get(field):
            yield Fault.forbidden(path, f"may not be specified when {called} is true")
    if len(name.encode()) > _HOST_NAME_LENGTH:
        yield Fault.too_long(path, _HOST_NAME_LENGTH)
    for problem in dns_subdomain(name):
        yield Fault.invalid(path, name, problem)
