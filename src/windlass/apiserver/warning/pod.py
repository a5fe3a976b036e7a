"""A pod, or the template of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.apparmor import PROFILE, profile_of
from windlass.apiserver.warning.address import odd_address
from windlass.apiserver.warning.node_label import DEPRECATED, in_requirements
from windlass.apiserver.warning.pod_port import port_warnings
from windlass.apiserver.warning.pod_volume import volume_warnings
from windlass.apiserver.warning.storage import fractions
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Object = dict[str, Any]

_ANNOTATIONS: Final = {
    "scheduler.alpha.kubernetes.io/critical-pod": (
        'non-functional in v1.16+; use the "priorityClassName" field instead'
    ),
    "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
    "security.alpha.kubernetes.io/unsafe-sysctls": (
        'non-functional in v1.11+; use the "sysctls" field instead'
    ),
}
_SECCOMP: Final = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_OF: Final = "container.seccomp.security.alpha.kubernetes.io/"
_NO_SECCOMP: Final = 'non-functional in v1.27+; use the "seccompProfile" field instead'
NO_PROFILE: Final = 'deprecated since v1.30; use the "appArmorProfile" field instead'
_NO_POD: Final = "a null labelSelector results in matching no pod"
_BYTES: Final = ("memory", "ephemeral-storage")
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def pod_warnings(pod: Object, path: str) -> Iterator[str]:
    """Warn of what is doubtful in a pod, or in a template that stands at a path."""
    spec = pod.get("spec") or {}
    annotations = (pod.get("metadata") or {}).get("annotations") or {}
    prefix = f"{path}." if path else ""
    where = f"{prefix}spec"
    yield from _placement(spec, where)
    for key, why in _ANNOTATIONS.items() if annotations else ():
        if key in annotations:
            yield f"{prefix}metadata.annotations[{key}]: {why}"
    if spec.get("volumes"):
        yield from volume_warnings(spec["volumes"], where)
    yield from _repeated(spec.get("hostAliases") or (), "ip", f"{where}.hostAliases")
    yield from _pull_secrets(spec.get("imagePullSecrets") or (), f"{where}.imagePullSecrets")
    yield from fractions(spec.get("overhead") or {}, _BYTES, f"{where}.overhead")
    if annotations:
        yield from _profiles(pod, prefix, template=bool(path))
    containers = list(located_containers(spec, where))
    for container, at in containers:
        yield from _container(container, at)
    yield from port_warnings(containers)
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        why = "must be >= 0; negative values are invalid and will be treated as 1"
        yield f"{where}.terminationGracePeriodSeconds: {why}"
    yield from _affinity(spec.get("affinity") or {}, f"{where}.affinity")
    for index, address in enumerate((spec.get("dnsConfig") or {}).get("nameservers") or ()):
        yield from odd_address(address, f"{where}.dnsConfig.nameservers[{index}]")
    for index, alias in enumerate(spec.get("hostAliases") or ()):
        yield from odd_address(alias.get("ip", ""), f"{where}.hostAliases[{index}].ip")


def located_containers(spec: Mapping[str, Any], path: str) -> Iterator[tuple[Object, str]]:
    """All containers of a pod, each with where it stands."""
    for field in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(field) or ()):
            yield container, f"{path}.{field}[{index}]"


def _placement(spec: Mapping[str, Any], path: str) -> Iterator[str]:
    for key in spec.get("nodeSelector") or ():
        if key in DEPRECATED:
            yield f"{path}.nodeSelector[{key}]: {DEPRECATED[key]}"
    nodes = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    where = f"{path}.affinity.nodeAffinity"
    for index, term in enumerate((nodes.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()):
        yield from in_requirements(term, f"{where}.{_REQUIRED}.nodeSelectorTerms[{index}]")
    for index, weighted in enumerate(nodes.get(_PREFERRED) or ()):
        preference = weighted.get("preference") or {}
        yield from in_requirements(preference, f"{where}.{_PREFERRED}[{index}].preference", values=True)
    for index, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        key, at = constraint.get("topologyKey", ""), f"{path}.topologySpreadConstraints[{index}]"
        if key in DEPRECATED:
            yield f"{at}.topologyKey: {key} is {DEPRECATED[key]}"
        if constraint.get("labelSelector") is None:
            yield f"{at}.labelSelector: {_NO_POD}"


def _repeated(items: Any, name: str, path: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, item in enumerate(items):
        value = item.get(name, "")
        if value in seen:
            yield f"{path}[{index}].{name}: duplicate {name} {quoted(value)}"
        seen.add(value)


def _pull_secrets(items: Any, path: str) -> Iterator[str]:
    yield from _repeated(items, "name", path)
    for index, item in enumerate(items):
        if not item.get("name"):
            yield f'{path}[{index}].name: invalid empty name ""'


def _profiles(pod: Object, prefix: str, *, template: bool) -> Iterator[str]:
    """Annotations in the place of fields. What is said of AppArmor depends on whether it is a template."""
    spec, annotations = pod["spec"], pod["metadata"]["annotations"]
    whole = spec.get("securityContext") or {}
    where = f"{prefix}metadata.annotations"
    if _SECCOMP in annotations and whole.get("seccompProfile") is None:
        yield f"{where}[{_SECCOMP}]: {_NO_SECCOMP}"
    for container, _ in located_containers(spec, ""):
        context, name = container.get("securityContext") or {}, container.get("name", "")
        key = _SECCOMP_OF + name
        if key in annotations and context.get("seccompProfile") is None:
            yield f"{where}[{key}]: {_NO_SECCOMP}"
        key = PROFILE + name
        if not template or key not in annotations or context.get("appArmorProfile") is not None:
            continue
        profile = whole.get("appArmorProfile")
        if profile is None or profile != profile_of(annotations[key]):
            yield f"{where}[{key}]: {NO_PROFILE}"


def _container(container: Object, path: str) -> Iterator[str]:
    resources = container.get("resources") or {}
    for name in _BYTES if resources else ():
        for field in ("limits", "requests"):
            yield from fractions(resources.get(field) or {}, (name,), f"{path}.resources.{field}")
    variables = container.get("env") or ()
    if len(variables) < 2:  # noqa: PLR2004 - one hides no other
        return
    seen: set[str] = set()
    for index, variable in enumerate(variables):
        name, value = variable.get("name", ""), variable.get("value", "")
        reference = f"$({name})"
        if name in seen and (variable.get("valueFrom") or value == reference or reference not in value):
            yield (
                f"{path}.env[{index}]: hides previous definition of {quoted(name)}, "
                "which may be dropped when using apply"
            )
        seen.add(name)


def _affinity(affinity: Mapping[str, Any], path: str) -> Iterator[str]:
    for name in ("podAffinity", "podAntiAffinity"):
        part = affinity.get(name) or {}
        for index, term in enumerate(part.get(_REQUIRED) or ()):
            if term.get("labelSelector") is None:
                yield f"{path}.{name}.{_REQUIRED}[{index}].labelSelector: {_NO_POD}"
        for index, weighted in enumerate(part.get(_PREFERRED) or ()):
            if (weighted.get("podAffinityTerm") or {}).get("labelSelector") is None:
                yield f"{path}.{name}.{_PREFERRED}[{index}].podAffinityTerm.labelSelector: {_NO_POD}"
