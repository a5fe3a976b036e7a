"""Pods, and what pods and templates of pods have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.defaulting.rules.pod_level import pod_resources

if TYPE_CHECKING:
    from collections.abc import Iterator

_CORE: Final = "io.k8s.api.core.v1"
_FORGOTTEN_ANNOTATIONS: Final = (
    "pod.alpha.kubernetes.io/init-container-statuses",
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses",
    "pod.beta.kubernetes.io/init-containers",
)


def requests_of_limits(pod: dict[str, Any]) -> None:
    """A container that has a limit but no request has a request of that size. Not so in a template."""
    for container in _containers(pod):
        limits = container.get("resources", {}).get("limits")
        if limits:
            container["resources"]["requests"] = {**limits, **container["resources"].get("requests", {})}


def host_ports(pod: dict[str, Any]) -> None:
    """On the network of the host, the port of a container is a port of the host."""
    if pod.get("spec", {}).get("hostNetwork"):
        for container in _containers(pod):
            for port in container.get("ports") or ():
                if not port.get("hostPort"):
                    port["hostPort"] = port.get("containerPort", 0)


def grace(pod: dict[str, Any]) -> None:
    """A grace period below zero is one of a second. Not so in a template."""
    spec = pod.get("spec", {})
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        spec["terminationGracePeriodSeconds"] = 1


def without_old_annotations(pod: dict[str, Any]) -> None:
    """Annotations that once were init containers are dropped."""
    meta = pod.get("metadata")
    annotations = meta.get("annotations") if meta else None
    if annotations:
        for name in _FORGOTTEN_ANNOTATIONS:
            annotations.pop(name, None)
        if not annotations:
            del pod["metadata"]["annotations"]


def service_account(spec: dict[str, Any]) -> None:
    """The field's old name says the same as the new one, which is right where they differ."""
    name = spec.get("serviceAccountName") or spec.get("serviceAccount")
    if name:
        spec["serviceAccountName"] = spec["serviceAccount"] = name


def addresses(status: dict[str, Any]) -> None:
    """The old field has the first of the addresses; where they differ, the old one is right."""
    one, many = status.get("podIP"), status.get("podIPs")
    if one and (not many or many[0].get("ip") != one):
        status["podIPs"] = [{"ip": one}]
    elif many and many[0].get("ip"):
        status["podIP"] = many[0]["ip"]


def _containers(pod: dict[str, Any]) -> Iterator[dict[str, Any]]:
    spec = pod.get("spec", {})
    yield from spec.get("containers") or ()
    yield from spec.get("initContainers") or ()


RULES: Final = {
    f"{_CORE}.Pod": (requests_of_limits, pod_resources, host_ports, grace, without_old_annotations),
    f"{_CORE}.PodSpec": (service_account,),
    f"{_CORE}.PodStatus": (addresses,),
    f"{_CORE}.PodTemplateSpec": (without_old_annotations,),
}
