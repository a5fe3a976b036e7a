"""The security contexts of pods and containers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.number import identity
from windlass.apiserver.validation.security_profile import validate_app_armor, validate_seccomp
from windlass.apiserver.validation.security_windows import validate_windows_options
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.validation.pod_options import PodOptions

    Fields = Mapping[str, Any]

_SYSCTL_SEGMENT: Final = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTL: Final = rf"({_SYSCTL_SEGMENT}[\./])*{_SYSCTL_SEGMENT}"
_SYSCTL_LENGTH: Final = 253
_IPC_SYSCTLS: Final = frozenset(
    f"kernel.{name}"
    for name in (
        "sem",
        "shm",
        "shmall",
        "shmmax",
        "shmmni",
        "shm_rmid_forced",
        "msg",
        "msgmax",
        "msgmnb",
        "msgmni",
    )
)
_PROC_MOUNTS: Final = ("Default", "Unmasked")
_POLICIES: Final = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
}
_CONTEXT_FIELDS: Final = {
    "capabilities": "Capabilities",
    "privileged": "Privileged",
    "seLinuxOptions": "SELinuxOptions",
    "windowsOptions": "WindowsOptions",
    "runAsUser": "RunAsUser",
    "runAsGroup": "RunAsGroup",
    "runAsNonRoot": "RunAsNonRoot",
    "readOnlyRootFilesystem": "ReadOnlyRootFilesystem",
    "allowPrivilegeEscalation": "AllowPrivilegeEscalation",
    "procMount": "ProcMount",
    "seccompProfile": "SeccompProfile",
    "appArmorProfile": "AppArmorProfile",
}


def validate_context(context: Fields, path: Path, *, host_users: bool) -> Iterator[Fault]:
    """The security context of a container; `host_users` is false in a pod with users of its own."""
    yield from _validate_identities(context, ("runAsUser", "runAsGroup"), path)
    mount = context.get("procMount")
    if mount is not None and mount not in _PROC_MOUNTS:
        yield Fault.not_supported(path.child("procMount"), mount, _PROC_MOUNTS)
    if mount == "Unmasked" and host_users:
        yield Fault.invalid(path.child("procMount"), mount, "`hostUsers` must be false to use `Unmasked`")
    if "seccompProfile" in context:
        yield from validate_seccomp(context["seccompProfile"], path.child("seccompProfile"))
    if context.get("allowPrivilegeEscalation") is False:
        yield from _validate_escalation(context, path)
    if "windowsOptions" in context:
        yield from validate_windows_options(context["windowsOptions"], path.child("windowsOptions"))
    if "appArmorProfile" in context:
        yield from validate_app_armor(context["appArmorProfile"], path.child("appArmorProfile"))


def validate_pod_context(spec: Fields, path: Path, options: PodOptions) -> Iterator[Fault]:
    """The security context of a pod, with the host's namespaces that its spec shares."""
    context = spec.get("securityContext", {})
    yield from _validate_identities(context, ("fsGroup", "runAsUser", "runAsGroup"), path)
    for index, group in enumerate(context.get("supplementalGroups", ())):
        for problem in identity(group):
            yield Fault.invalid(path.child("supplementalGroups").index(index), group, problem)
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        detail = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield Fault.invalid(path.child("shareProcessNamespace"), value=True, detail=detail)
    if context:
        yield from _validate_pod_options(context, spec, path, options)


def _validate_pod_options(context: Fields, spec: Fields, path: Path, options: PodOptions) -> Iterator[Fault]:
    if "sysctls" in context:
        shared = {} if options.host_sysctls else spec
        yield from _validate_sysctls(context["sysctls"], shared, path.child("sysctls"))
    yield from _validate_policy(context, "fsGroupChangePolicy", path)
    if "seccompProfile" in context:
        yield from validate_seccomp(context["seccompProfile"], path.child("seccompProfile"))
    if "windowsOptions" in context:
        yield from validate_windows_options(context["windowsOptions"], path.child("windowsOptions"))
    if "appArmorProfile" in context:
        yield from validate_app_armor(context["appArmorProfile"], path.child("appArmorProfile"))
    yield from _validate_policy(context, "supplementalGroupsPolicy", path)
    yield from _validate_selinux_policy(context, path, any_policy=options.any_selinux_policy)


def _validate_identities(context: Fields, names: tuple[str, ...], path: Path) -> Iterator[Fault]:
    for name in names:
        value = context.get(name, 0)
        for problem in identity(value) if value else ():
            yield Fault.invalid(path.child(name), value, problem)


def _validate_escalation(context: Fields, path: Path) -> Iterator[Fault]:
    shown = {go: context.get(name) for name, go in _CONTEXT_FIELDS.items()}
    if context.get("privileged"):
        detail = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
        yield Fault.invalid(path, shown, detail)
    for capability in context.get("capabilities", {}).get("add", ()):
        if capability == "CAP_SYS_ADMIN":
            detail = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"
            shown["Capabilities"] = {
                "Add": context["capabilities"]["add"],
                "Drop": context["capabilities"].get("drop"),
            }
            yield Fault.invalid(path, shown, detail)


def _validate_policy(context: Fields, name: str, path: Path) -> Iterator[Fault]:
    policy = context.get(name)
    if policy is not None and policy not in _POLICIES[name]:
        yield Fault.not_supported(path.child(name), policy, _POLICIES[name])


def _validate_selinux_policy(context: Fields, path: Path, *, any_policy: bool) -> Iterator[Fault]:
    policy = context.get("seLinuxChangePolicy")
    supported = ("MountOption", "Recursive") if any_policy else ("Recursive",)
    if policy is not None and policy not in supported:
        yield Fault.not_supported(path.child("seLinuxChangePolicy"), policy, supported)


def _validate_sysctls(sysctls: list[Fields], spec: Fields, path: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, sysctl in enumerate(sysctls):
        where, name = path.index(index).child("name"), sysctl.get("name", "")
        if not name:
            yield Fault.required(where)
        elif len(name.encode()) > _SYSCTL_LENGTH or not re.fullmatch(_SYSCTL, name):
            detail = f"must have at most {_SYSCTL_LENGTH} characters and match regex ^{_SYSCTL}$"
            yield Fault.invalid(where, name, detail)
        elif name in seen:
            yield Fault.duplicate(where, name)
        seen.add(name)
        shared = shared_sysctl(name, spec)
        if shared:
            yield Fault.invalid(where, name, f"may not be specified when '{shared}' is true")


def shared_sysctl(name: str, spec: Fields) -> str:
    """The field of a pod's spec that makes a sysctl the host's; an update may keep such a sysctl."""
    first = re.search(r"[./]", name)
    plain = name.translate({46: "/", 47: "."}) if first and first[0] == "/" else name
    if spec.get("hostNetwork") and plain.startswith("net."):
        return "hostNetwork"
    if spec.get("hostIPC") and (plain in _IPC_SYSCTLS or plain.startswith("fs.mqueue.")):
        return "hostIPC"
    return ""
