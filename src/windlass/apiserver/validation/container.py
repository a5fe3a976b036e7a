"""The containers of a pod, of all three kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.container_env import validate_imports, validate_variables
from windlass.apiserver.validation.container_port import validate_host_ports, validate_ports
from windlass.apiserver.validation.container_restart import (
    validate_init_restart,
    validate_resize_policy,
    validate_restart,
)
from windlass.apiserver.validation.names import dns_label
from windlass.apiserver.validation.probe import PROBES, validate_lifecycle, validate_probes
from windlass.apiserver.validation.resource import validate_requirements
from windlass.apiserver.validation.security import validate_context
from windlass.apiserver.validation.volume_file import validate_pull_policy
from windlass.apiserver.validation.volume_mount import validate_devices, validate_mounts
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_MESSAGE_POLICIES: Final = ("File", "FallbackToLogsOnError")
_NOT_EPHEMERAL: Final = "cannot be set for an Ephemeral Container"
_NOT_IN_EPHEMERAL: Final = (
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    *PROBES,
    "lifecycle",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the rules of containers ask about their pod.

    `volumes`: those that can be mounted, by name.
    `claims`: the names of its resource claims.
    `grace`: its termination grace period; None where that is at fault itself.
    `restart_policy`: that of the pod.
    `host_users`: whether its users are the host's.
    `init_restarts`: whether a resize may restart a plain init container.
    """

    volumes: Mapping[str, Fields]
    claims: Collection[str]
    grace: int | None
    restart_policy: str
    host_users: bool
    init_restarts: bool


def validate_containers(containers: Sequence[Fields], path: Path, pod: Surroundings) -> Iterator[Fault]:
    """The containers that do the work: at least one."""
    if not containers:
        yield Fault.required(path)
        return
    names: set[str] = set()
    for index, container in enumerate(containers):
        where = path.index(index)
        yield from _validate_common(container, where, pod)
        name = container.get("name", "")
        if name in names:
            yield Fault.duplicate(where.child("name"), name)
        names.add(name)
        if "lifecycle" in container:
            yield from validate_lifecycle(container["lifecycle"], where.child("lifecycle"), pod.grace)
        yield from validate_probes(container, where, pod.grace)
        yield from validate_restart(container, where)
    yield from validate_host_ports(containers, path)


def validate_init_containers(
    containers: Sequence[Fields], names: Collection[str], path: Path, pod: Surroundings
) -> Iterator[Fault]:
    """The containers that come first; `names` are taken by the others."""
    taken = set(names)
    for index, container in enumerate(containers):
        where = path.index(index)
        yield from _validate_common(container, where, pod)
        yield from validate_init_restart(container, where)
        name = container.get("name", "")
        if name in taken:
            yield Fault.duplicate(where.child("name"), name)
        elif name:
            taken.add(name)
        yield from validate_host_ports((container,), path)
        stays = container.get("restartPolicy") == "Always"
        yield from _validate_hooks(container, where, pod.grace, stays=stays)
        if not stays and not pod.init_restarts:
            yield from _validate_plain_resize(container, where)


def validate_ephemeral_containers(
    containers: Sequence[Fields], names: Collection[str], path: Path, pod: Surroundings
) -> Iterator[Fault]:
    """The containers that come to look; `names` are those of the others."""
    taken = set(names)
    for index, container in enumerate(containers):
        where = path.index(index)
        yield from _validate_common(container, where, pod)
        yield from validate_image_space(container, where)
        name, target = container.get("name", ""), container.get("targetContainerName", "")
        if name in taken:
            yield Fault.duplicate(where.child("name"), name)
        taken.add(name)
        if target and target not in names:
            yield Fault.not_found(where.child("targetContainerName"), target)
        for field in _NOT_IN_EPHEMERAL:
            given = container.get(field)
            if given or (given is not None and field != "resources"):  # which every container has
                yield Fault.forbidden(where.child(field), _NOT_EPHEMERAL)
        for position, mount in enumerate(container.get("volumeMounts", ())):
            for field in ("subPath", "subPathExpr"):
                if mount.get(field):
                    below = where.child("volumeMounts").index(position).child(field)
                    yield Fault.forbidden(below, _NOT_EPHEMERAL)


def validate_image_space(container: Fields, path: Path) -> Iterator[Fault]:
    """An image without blanks around it; a template may have them, a pod may not."""
    image = container.get("image", "")
    if image != image.strip():
        yield Fault.invalid(path.child("image"), image, "must not have leading or trailing whitespace")


def _validate_common(container: Fields, path: Path, pod: Surroundings) -> Iterator[Fault]:
    name = container.get("name", "")
    if not name:
        yield Fault.required(path.child("name"))
    for problem in dns_label(name) if name else ():
        yield Fault.invalid(path.child("name"), name, problem)
    if not container.get("image"):
        yield Fault.required(path.child("image"))
    policy = container.get("terminationMessagePolicy", "")
    if policy not in _MESSAGE_POLICIES:
        yield _unknown_message_policy(policy, path.child("terminationMessagePolicy"))
    if "ports" in container:
        yield from validate_ports(container["ports"], path.child("ports"))
    if "env" in container:
        yield from validate_variables(container["env"], path.child("env"))
    if "envFrom" in container:
        yield from validate_imports(container["envFrom"], path.child("envFrom"))
    yield from _validate_needs(container, path, pod)


def _validate_needs(container: Fields, path: Path, pod: Surroundings) -> Iterator[Fault]:
    if "volumeMounts" in container:
        yield from validate_mounts(container, pod.volumes, path.child("volumeMounts"))
    if "volumeDevices" in container:
        yield from validate_devices(container, pod.volumes, path.child("volumeDevices"))
    yield from validate_pull_policy(container.get("imagePullPolicy", ""), path.child("imagePullPolicy"))
    if container.get("resources"):
        yield from validate_requirements(container["resources"], path.child("resources"), pod.claims)
    if "resizePolicy" in container:
        where = path.child("resizePolicy")
        yield from validate_resize_policy(container["resizePolicy"], where, pod.restart_policy)
    if "securityContext" in container:
        where = path.child("securityContext")
        yield from validate_context(container["securityContext"], where, host_users=pod.host_users)


def _unknown_message_policy(policy: str, path: Path) -> Fault:
    return Fault.not_supported(path, policy, _MESSAGE_POLICIES) if policy else Fault.required(path)


def _validate_hooks(container: Fields, path: Path, grace: int | None, *, stays: bool) -> Iterator[Fault]:
    if stays:
        if "lifecycle" in container:
            yield from validate_lifecycle(container["lifecycle"], path.child("lifecycle"), grace)
        yield from validate_probes(container, path, grace)
        return
    for field in ("lifecycle", *PROBES):
        if field in container:
            detail = "may not be set for init containers without restartPolicy=Always"
            yield Fault.forbidden(path.child(field), detail)


def _validate_plain_resize(container: Fields, path: Path) -> Iterator[Fault]:
    for index, policy in enumerate(container.get("resizePolicy", ())):
        if policy.get("restartPolicy") == "RestartContainer":
            where = path.child("resizePolicy").index(index).child("restartPolicy")
            detail = "must not be set to 'RestartContainer' for non-sidecar initContainers"
            yield Fault.invalid(where, "RestartContainer", detail)
