"""What a security context says to Windows, and what it cannot say there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]
    Located = Sequence[tuple[Fields, Path]]

_CREDENTIAL_SIZE: Final = 64 * 1024
_DOMAIN_LENGTH: Final = 256
_USER_LENGTH: Final = 104
_NET_BIOS: Final = r'[^\\/:\*\?"<>|\.][^\\/:\*\?"<>|]{0,14}'
_DNS_LABEL: Final = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_DNS: Final = rf"{_DNS_LABEL}(?:\.{_DNS_LABEL})*"
_ILLEGAL: Final = r'["/\\:;|=,\+\*\?<>@\[\]]'
_NOT_ON_WINDOWS: Final = "cannot be set for a windows pod"
_OF_POD: Final = (
    ("securityContext", "appArmorProfile"),
    ("securityContext", "seLinuxOptions"),
    ("hostUsers",),
    ("hostPID",),
    ("hostIPC",),
    ("securityContext", "seccompProfile"),
    ("securityContext", "fsGroup"),
    ("securityContext", "fsGroupChangePolicy"),
    ("securityContext", "sysctls"),
    ("shareProcessNamespace",),
    ("securityContext", "runAsUser"),
    ("securityContext", "runAsGroup"),
    ("securityContext", "supplementalGroups"),
    ("securityContext", "supplementalGroupsPolicy"),
    ("securityContext", "seLinuxChangePolicy"),
)
_OF_CONTAINER: Final = (
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
)


def validate_windows_options(options: Fields, path: Path) -> Iterator[Fault]:
    """The options for Windows in a security context."""
    name = options.get("gmsaCredentialSpecName")
    for problem in dns_subdomain(name) if name is not None else ():
        yield Fault.invalid(path.child("gmsaCredentialSpecName"), name, problem)
    credential = options.get("gmsaCredentialSpec")
    if credential is not None:
        where = path.child("gmsaCredentialSpec")
        if not credential:
            yield Fault.invalid(where, credential, "gmsaCredentialSpec cannot be an empty string")
        elif len(credential.encode()) > _CREDENTIAL_SIZE:
            yield Fault.invalid(where, credential, "gmsaCredentialSpec size must be under 64 KiB")
    user = options.get("runAsUserName")
    for problem in _user_name(user) if user is not None else ():
        yield Fault.invalid(path.child("runAsUserName"), user, problem)


def validate_linux_pod(spec: Fields, containers: Located, path: Path) -> Iterator[Fault]:
    """A pod for Linux has no options for Windows."""
    detail = "windows options cannot be set for a linux pod"
    holders = [(spec, path), *containers]
    for holder, where in holders:
        if "windowsOptions" in holder.get("securityContext", {}):
            yield Fault.forbidden(where.child("securityContext", "windowsOptions"), detail)


def validate_windows_pod(spec: Fields, containers: Located, path: Path) -> Iterator[Fault]:
    """A pod for Windows has none of the options for Linux."""
    for steps in _OF_POD:
        holder = spec.get(steps[0], {}) if len(steps) > 1 else spec
        value = holder.get(steps[-1])
        if value is not None and (value or steps[-1] not in ("hostPID", "hostIPC", "sysctls")):
            yield Fault.forbidden(path.child(*steps), _NOT_ON_WINDOWS)
    for container, where in containers:
        context = container.get("securityContext", {})
        for name in _OF_CONTAINER:
            if name in context:
                yield Fault.forbidden(where.child("securityContext", name), _NOT_ON_WINDOWS)


def validate_host_processes(spec: Fields, containers: Located, path: Path) -> Iterator[Fault]:
    """Containers that are processes of the host: all of a pod or none, and in the host's network."""
    wanted = _host_process(spec)
    count = 0
    for container, where in containers:
        own = _host_process(container)
        if wanted is not None and own is not None and wanted != own:
            said = "true" if wanted else "false"
            yield Fault.invalid(
                where.child("securityContext", "windowsOptions", "hostProcess"),
                own,
                f"pod hostProcess value must be identical if both are specified, was {said}",
            )
        count += bool(wanted if own is None else own)
    if count and count != len(containers):
        detail = (
            "If pod contains any hostProcess containers then all containers must be HostProcess containers"
        )
        yield Fault.invalid(path, "", detail)
    if count and not spec.get("hostNetwork"):
        detail = "hostNetwork must be true if pod contains any hostProcess containers"
        yield Fault.invalid(path.child("hostNetwork"), value=False, detail=detail)


def _host_process(holder: Fields) -> bool | None:
    found: bool | None = holder.get("securityContext", {}).get("windowsOptions", {}).get("hostProcess")
    return found


def _user_name(name: str) -> Iterator[str]:
    domain, backslash, user = name.rpartition("\\")
    if not name:
        yield "runAsUserName cannot be an empty string"
    elif any(ord(character) < 32 or ord(character) == 127 for character in name):  # noqa: PLR2004 - ASCII
        yield "runAsUserName cannot contain control characters"
    elif "\\" in domain:
        yield "runAsUserName cannot contain more than one backslash"
    else:
        if backslash:
            yield from _domain(domain)
        yield from _user(user)


def _domain(domain: str) -> Iterator[str]:
    if len(domain.encode()) >= _DOMAIN_LENGTH:
        yield f"runAsUserName's Domain length must be under {_DOMAIN_LENGTH} characters"
    if not re.fullmatch(_NET_BIOS, domain) and not re.fullmatch(_DNS, domain):
        yield "runAsUserName's Domain doesn't match the NetBios nor the DNS format"


def _user(user: str) -> Iterator[str]:
    if not user:
        yield "runAsUserName's User cannot be empty"
    elif len(user.encode()) > _USER_LENGTH:
        yield f"runAsUserName's User length must not be longer than {_USER_LENGTH} characters"
    if user and not user.strip(". "):
        yield "runAsUserName's User cannot contain only periods or spaces"
    if re.search(_ILLEGAL, user):
        yield "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"
