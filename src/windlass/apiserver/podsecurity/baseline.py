"""The baseline standard: nothing that is known to lead out of a container."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.podsecurity.subject import Violation, context_of, quoted, several, told
from windlass.schema import quoted as go_quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.podsecurity.subject import Subject

Fields = dict[str, Any]

_APPARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_SECCOMP: Final = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_OF: Final = "container.seccomp.security.alpha.kubernetes.io/"
_PROFILES: Final = ("RuntimeDefault", "Localhost")
_CAPABILITIES: Final = frozenset(
    {
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"),
        *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
    }
)
_SELINUX_TYPES: Final = ("", "container_t", "container_init_t", "container_kvm_t")
_SYSCTLS: Final = {
    "kernel.shm_rmid_forced": 0,
    "net.ipv4.ip_local_port_range": 0,
    "net.ipv4.tcp_syncookies": 0,
    "net.ipv4.ping_group_range": 0,
    "net.ipv4.ip_unprivileged_port_start": 0,
    "net.ipv4.ip_local_reserved_ports": 27,
    "net.ipv4.tcp_keepalive_time": 29,
    "net.ipv4.tcp_fin_timeout": 29,
    "net.ipv4.tcp_keepalive_intvl": 29,
    "net.ipv4.tcp_keepalive_probes": 29,
    "net.ipv4.tcp_rmem": 32,
    "net.ipv4.tcp_wmem": 32,
}
"""The harmless ones, each with the version from which on it counts as such."""
_SELINUX_ENGINE: Final = 31
_SECCOMP_FIELDS: Final = 19
_OWN_USERS: Final = 35


def app_armor(pod: Subject) -> Violation | None:
    """The profile of AppArmor is the runtime's, or one of the node's."""
    values: set[str] = set()

    def is_bad(context: Fields) -> bool:
        return _collects(values, (context.get("appArmorProfile") or {}).get("type"), _PROFILES)

    setters = pod.setters(is_bad)
    annotations = sorted(
        f"{key}={go_quoted(value)}"
        for key, value in pod.annotations.items()
        if key.startswith(_APPARMOR)
        and value not in ("", "runtime/default")
        and not value.startswith("localhost/")
    )
    if not setters and not annotations:
        return None
    told_annotations = [several(annotations, "annotation")] if annotations else []
    setters = " and ".join([*([setters] if setters else []), *told_annotations])
    wrong = [*sorted(values), *annotations]
    reason = several(wrong, "forbidden AppArmor profile")
    return Violation(reason, f"{setters} must not set AppArmor profile type to {quoted(wrong)}")


def capabilities(pod: Subject) -> Violation | None:
    """Containers have no more capabilities than they have by default."""
    added: set[str] = set()

    def is_bad(container: Fields) -> bool:
        given = (context_of(container).get("capabilities") or {}).get("add") or ()
        more = set(given) - _CAPABILITIES
        added.update(more)
        return bool(more)

    names = pod.contained(is_bad)
    if not names:
        return None
    listed = quoted(sorted(added))
    detail = f"{told(names)} must not include {listed} in securityContext.capabilities.add"
    return Violation("non-default capabilities", detail)


def host_namespaces(pod: Subject) -> Violation | None:
    """A pod has namespaces of its own."""
    shared = [f"{name}=true" for name in ("hostNetwork", "hostPID", "hostIPC") if pod.spec.get(name)]
    return Violation("host namespaces", ", ".join(shared)) if shared else None


def host_paths(pod: Subject) -> Violation | None:
    """No folder of the node is mounted."""
    names = [volume["name"] for volume in pod.spec.get("volumes") or () if "hostPath" in volume]
    return Violation("hostPath volumes", told(names, "volume")) if names else None


def host_ports(pod: Subject) -> Violation | None:
    """No port of the node is taken."""
    ports: set[str] = set()

    def is_bad(container: Fields) -> bool:
        taken = {str(port["hostPort"]) for port in container.get("ports") or () if port.get("hostPort")}
        ports.update(taken)
        return bool(taken)

    names = pod.contained(is_bad)
    if not names:
        return None
    listed = sorted(ports)
    use = f"{several(names, 'uses', 'use')} {several(listed, 'hostPort')}"
    return Violation("hostPort", f"{told(names)} {use} {', '.join(listed)}")


def host_probes(pod: Subject) -> Violation | None:
    """Probes and hooks ask nobody but the pod."""
    asked: set[str] = set()

    def is_bad(container: Fields) -> bool:
        hosts = set(_hosts(container))
        asked.update(hosts)
        return bool(hosts)

    names = sorted(set(pod.contained(is_bad)))
    if not names:
        return None
    listed = sorted(asked)
    use = f"{several(names, 'uses', 'use')} {several(listed, 'probe or lifecycle host')}"
    return Violation("probe or lifecycle host", f"{told(names)} {use} {quoted(listed)}")


def privileged(pod: Subject) -> Violation | None:
    """No container is privileged."""
    names = pod.contained(lambda container: bool(context_of(container).get("privileged")))
    if not names:
        return None
    return Violation("privileged", f"{told(names)} must not set securityContext.privileged=true")


def proc_mount(pod: Subject) -> Violation | None:
    """What `/proc` hides is hidden, unless the users of the pod are its own."""
    return None if pod.minor >= _OWN_USERS and pod.has_own_users else any_proc_mount(pod)


def any_proc_mount(pod: Subject) -> Violation | None:
    """What `/proc` hides is hidden."""
    values: set[str] = set()
    names = pod.contained(
        lambda container: _collects(values, context_of(container).get("procMount"), ("Default",))
    )
    if not names:
        return None
    detail = f"{told(names)} must not set securityContext.procMount to {quoted(sorted(values))}"
    return Violation("procMount", detail)


def selinux(pod: Subject) -> Violation | None:
    """The SELinux type is one of those for containers, and nothing else is set."""
    types: set[str] = set()
    fields: set[str] = set()
    allowed = (*_SELINUX_TYPES, "container_engine_t") if pod.minor >= _SELINUX_ENGINE else _SELINUX_TYPES

    def is_bad(context: Fields) -> bool:
        options = context.get("seLinuxOptions") or {}
        given = {field for field in ("user", "role") if options.get(field)}
        fields.update(given)
        return _collects(types, options.get("type"), allowed) or bool(given)

    setters = pod.setters(is_bad)
    if not setters:
        return None
    data = [told(sorted(types), "type")] if types else []
    data += [f"{field} may not be set" for field in ("user", "role") if field in fields]
    detail = f"{setters} set forbidden securityContext.seLinuxOptions: {'; '.join(data)}"
    return Violation("seLinuxOptions", detail)


def seccomp(pod: Subject) -> Violation | None:
    """The profile of seccomp, if there is one, is the runtime's, or one of the node's."""
    if pod.minor >= _SECCOMP_FIELDS:
        return seccomp_fields(pod)
    keys = [_SECCOMP, *(_SECCOMP_OF + container["name"] for container in pod.containers())]
    wrong = sorted(
        {
            f"{key}={go_quoted(pod.annotations[key])}"
            for key in keys
            if key in pod.annotations
            and pod.annotations[key] not in ("runtime/default", "docker/default")
            and not pod.annotations[key].startswith("localhost/")
        }
    )
    if not wrong:
        return None
    return Violation("seccompProfile", f"forbidden {several(wrong, 'annotation')} {', '.join(wrong)}")


def seccomp_fields(pod: Subject) -> Violation | None:
    """The same, where it is said in fields."""
    values: set[str] = set()
    setters = pod.setters(lambda context: _collects(values, seccomp_type(context), _PROFILES))
    if not setters:
        return None
    listed = quoted(sorted(values))
    detail = f"{setters} must not set securityContext.seccompProfile.type to {listed}"
    return Violation("seccompProfile", detail)


def seccomp_type(context: Fields) -> str | None:
    """The type of a seccomp profile, `None` where there is none."""
    profile = context.get("seccompProfile")
    return None if profile is None else profile.get("type", "")


def sysctls(pod: Subject) -> Violation | None:
    """Only such settings of the kernel are changed as concern nobody else."""
    named = [each["name"] for each in pod.context.get("sysctls") or ()]
    wrong = [name for name in named if _SYSCTLS.get(name, pod.minor + 1) > pod.minor]
    return Violation("forbidden sysctls", ", ".join(wrong)) if wrong else None


def windows_host_process(pod: Subject) -> Violation | None:
    """No process runs on a Windows node itself."""
    setters = pod.setters(lambda context: bool((context.get("windowsOptions") or {}).get("hostProcess")))
    if not setters:
        return None
    return Violation("hostProcess", f"{setters} must not set securityContext.windowsOptions.hostProcess=true")


def _collects(wrong: set[str], value: str | None, allowed: tuple[str, ...]) -> bool:
    """Whether a value is set and not allowed; it is then added to the wrong ones."""
    if value is None or value in allowed:
        return False
    wrong.add(value)
    return True


def _hosts(container: Fields) -> Iterator[str]:
    lifecycle = container.get("lifecycle") or {}
    handlers = (
        *(container.get(name) for name in ("livenessProbe", "readinessProbe", "startupProbe")),
        *(lifecycle.get(name) for name in ("postStart", "preStop")),
    )
    for handler in handlers:
        for way in ("httpGet", "tcpSocket"):
            host = ((handler or {}).get(way) or {}).get("host")
            if host:
                yield host
