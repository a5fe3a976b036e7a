"""Pods that break the pod security standards, each in one way or more."""

from __future__ import annotations

from typing import Any, Final

Object = dict[str, Any]

_SECURE: Final[Object] = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "seccompProfile": {"type": "RuntimeDefault"},
}


def container(name: str = "main", **context: Any) -> Object:
    """A container with nothing in its security context but this."""
    return {"name": name, "image": "example.com/app:1", **({"securityContext": context} if context else {})}


def hardened(name: str = "main", **context: Any) -> Object:
    """A container that keeps to every standard, but for this."""
    return container(name, **{**_SECURE, **context})


def spec(*containers: Object, **more: Any) -> Object:
    """The spec of a pod."""
    return {"containers": list(containers) or [hardened()], **more}


def volume(name: str, kind: str, **source: Any) -> Object:
    return {"name": name, kind: source}


def probed(**handler: Any) -> Object:
    """A container that is probed in some way, and twice told when it starts."""
    told = {"postStart": {"httpGet": {"path": "/", "port": 80, "host": "a.example.com"}}}
    return hardened() | {"livenessProbe": handler, "lifecycle": told}


_WINDOWS: Final = {"os": {"name": "windows"}}
_HOST_PROCESS: Final = {"hostProcess": True}

INSECURE: Final[dict[str, tuple[Object, Object]]] = {
    title: (annotations, body)
    for title, annotations, body in (
        ("hardened", {}, spec()),
        ("hardened as a whole", {}, spec(container(), securityContext={"runAsNonRoot": True})),
        ("plain", {}, spec(container())),
        ("several plain", {}, spec(container("a"), container("b"), initContainers=[container("c")])),
        ("privileged", {}, spec(hardened(allowPrivilegeEscalation=None, privileged=True))),
        ("capabilities", {}, spec(hardened(capabilities={"add": ["NET_RAW", "CHOWN", "BPF"]}))),
        ("one capability", {}, spec(hardened(capabilities={"add": ["NET_BIND_SERVICE"], "drop": ["ALL"]}))),
        ("all capabilities", {}, spec(hardened(capabilities={"add": ["ALL"]}), hardened("b"))),
        ("host namespaces", {}, spec(hostNetwork=True, hostPID=True, hostIPC=True)),
        ("a host namespace", {}, spec(hostPID=True)),
        (
            "host path",
            {},
            spec(volumes=[volume("a", "hostPath", path="/"), volume("b", "hostPath", path="/")]),
        ),
        (
            "volumes",
            {},
            spec(
                volumes=[
                    volume("a", "nfs", server="x", path="/"),
                    volume("b", "emptyDir"),
                    volume("c", "hostPath", path="/a"),
                ]
            ),
        ),
        (
            "a volume",
            {},
            spec(volumes=[volume("a", "iscsi", targetPortal="1.2.3.4", iqn="iqn.2001-04.com.x:y", lun=0)]),
        ),
        (
            "host ports",
            {},
            spec(
                hardened("a") | {"ports": [{"containerPort": 80, "hostPort": 8080}]},
                hardened("b") | {"ports": [{"containerPort": 81, "hostPort": 900}, {"containerPort": 1}]},
            ),
        ),
        ("a host port", {}, spec(hardened() | {"ports": [{"containerPort": 80, "hostPort": 80}]})),
        ("probes", {}, spec(probed(tcpSocket={"port": 80, "host": "b.example.com"}))),
        ("a probe", {}, spec(probed(exec={"command": ["x"]}))),
        ("proc mount", {}, spec(hardened(procMount="Unmasked"), hostUsers=False)),
        ("default proc mount", {}, spec(hardened(procMount="Default"))),
        ("selinux", {}, spec(hardened(seLinuxOptions={"type": "x_t", "user": "u", "role": "r"}))),
        ("selinux engine", {}, spec(hardened(seLinuxOptions={"type": "container_engine_t"}))),
        (
            "selinux types",
            {},
            spec(
                hardened(seLinuxOptions={"type": "y_t"}), securityContext={"seLinuxOptions": {"type": "x_t"}}
            ),
        ),
        ("selinux level", {}, spec(hardened(seLinuxOptions={"level": "s0"}))),
        ("unconfined", {}, spec(hardened(seccompProfile={"type": "Unconfined"}))),
        (
            "unconfined as a whole",
            {},
            spec(hardened(), container("b"), securityContext={"seccompProfile": {"type": "Unconfined"}}),
        ),
        (
            "confined as a whole",
            {},
            spec(container(), securityContext={"seccompProfile": {"type": "RuntimeDefault"}}),
        ),
        (
            "sysctls",
            {},
            spec(
                securityContext={
                    "sysctls": [
                        {"name": "kernel.msgmax", "value": "1"},
                        {"name": "net.core.somaxconn", "value": "1"},
                    ]
                }
            ),
        ),
        (
            "harmless sysctls",
            {},
            spec(
                securityContext={
                    "sysctls": [
                        {"name": name, "value": "1"}
                        for name in (
                            "kernel.shm_rmid_forced",
                            "net.ipv4.ip_local_reserved_ports",
                            "net.ipv4.tcp_keepalive_time",
                            "net.ipv4.tcp_rmem",
                        )
                    ]
                }
            ),
        ),
        ("root", {}, spec(hardened(runAsUser=0, runAsNonRoot=None), securityContext={"runAsUser": 0})),
        ("root of its own", {}, spec(hardened(runAsUser=0, runAsNonRoot=False), hostUsers=False)),
        ("explicitly root", {}, spec(hardened(runAsNonRoot=False), securityContext={"runAsNonRoot": False})),
        ("nobody says", {}, spec(hardened("a"), hardened("b", runAsNonRoot=None))),
        (
            "app armor",
            {},
            spec(
                hardened(appArmorProfile={"type": "Unconfined"}),
                securityContext={"appArmorProfile": {"type": "Unconfined"}},
            ),
        ),
        (
            "app armor of the node",
            {},
            spec(hardened(appArmorProfile={"type": "Localhost", "localhostProfile": "x"})),
        ),
        (
            "app armor annotation",
            {"container.apparmor.security.beta.kubernetes.io/main": "unconfined"},
            spec(),
        ),
        ("seccomp annotation", {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}, spec()),
        (
            "seccomp annotations",
            {
                "seccomp.security.alpha.kubernetes.io/pod": "localhost/x",
                "container.seccomp.security.alpha.kubernetes.io/main": "unconfined",
                "container.seccomp.security.alpha.kubernetes.io/other": "unconfined",
            },
            spec(hardened(seccompProfile=None)),
        ),
        ("windows", {}, spec({"name": "main", "image": "x"}, **_WINDOWS)),
        (
            "windows host process",
            {},
            spec(
                {"name": "main", "image": "x", "securityContext": {"windowsOptions": _HOST_PROCESS}},
                hostNetwork=True,
                securityContext={"windowsOptions": _HOST_PROCESS},
                **_WINDOWS,
            ),
        ),
        (
            "everything",
            {},
            spec(
                container("a", privileged=True, runAsUser=0),
                container("b", procMount="Unmasked"),
                hostNetwork=True,
                hostUsers=True,
            ),
        ),
    )
}
"""The annotations and the spec of each, by what it is."""
