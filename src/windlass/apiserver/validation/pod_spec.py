"""The spec of a pod, whether it stands in a pod or in a template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.affinity import validate_affinity
from windlass.apiserver.validation.affinity_spread import validate_spread
from windlass.apiserver.validation.container import (
    Surroundings,
    validate_containers,
    validate_ephemeral_containers,
    validate_init_containers,
)
from windlass.apiserver.validation.container_port import validate_same_ports
from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.names import label_key
from windlass.apiserver.validation.pod_host import validate_dns, validate_host_users, validate_identity
from windlass.apiserver.validation.pod_options import CONTAINER_LISTS
from windlass.apiserver.validation.pod_system import validate_claims, validate_file_keys, validate_system
from windlass.apiserver.validation.resource_pod import validate_pod_resources
from windlass.apiserver.validation.security import validate_pod_context
from windlass.apiserver.validation.security_windows import validate_host_processes
from windlass.apiserver.validation.volume import check_volumes
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.validation.pod_options import PodOptions

    Fields = Mapping[str, Any]

RESTART_POLICIES: Final = ("Always", "OnFailure", "Never")
DNS_POLICIES: Final = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")


def validate_pod_spec(
    spec: Fields, path: Path, options: PodOptions, meta: Fields | None = None
) -> Iterator[Fault]:
    """Everything that a spec says; `meta` is that of the pod, None in a template."""
    if "terminationGracePeriodSeconds" not in spec:
        yield Fault.required(path.child("terminationGracePeriodSeconds"))
    name = meta.get("name", "") if meta else ""
    volumes, faults = check_volumes(spec.get("volumes", ()), path.child("volumes"), name)
    yield from faults
    if "resourceClaims" in spec:
        yield from validate_claims(spec["resourceClaims"], path.child("resourceClaims"), meta)
    yield from _validate_containers(spec, path, options, volumes)
    if spec.get("hostNetwork"):
        yield from validate_same_ports(spec, path, is_pod=options.is_pod)
    yield from _validate_choice(spec, "restartPolicy", RESTART_POLICIES, path)
    yield from _validate_choice(spec, "dnsPolicy", DNS_POLICIES, path)
    yield from _validate_placement(spec, path, options)
    located = located_containers(spec, path)
    yield from validate_host_processes(spec, located, path)
    if spec.get("hostUsers") is False:
        yield from validate_host_users(spec, located, path, options)
    yield from validate_identity(spec, path)
    yield from validate_system(spec, located, path)
    yield from validate_file_keys(spec, located)


def located_containers(spec: Fields, path: Path) -> list[tuple[Fields, Path]]:
    """Every container with its path: init containers, containers, ephemeral containers."""
    return [
        (container, path.child(kind).index(index))
        for kind in CONTAINER_LISTS
        if spec.get(kind)
        for index, container in enumerate(spec[kind])
    ]


def _validate_containers(
    spec: Fields, path: Path, options: PodOptions, volumes: Mapping[str, Fields]
) -> Iterator[Fault]:
    claims = frozenset(claim["name"] for claim in spec.get("resourceClaims", ()) if claim.get("name"))
    pod = Surroundings(
        volumes=volumes,
        claims=claims,
        grace=spec.get("terminationGracePeriodSeconds"),
        restart_policy=spec.get("restartPolicy", ""),
        host_users=spec.get("hostUsers") is not False,
        init_restarts=options.init_restarts,
    )
    containers = spec.get("containers") or ()
    yield from validate_containers(containers, path.child("containers"), pod)
    if "initContainers" in spec:
        names = {container.get("name", "") for container in containers}
        initial = spec["initContainers"]
        yield from validate_init_containers(initial, names, path.child("initContainers"), pod)
    if "ephemeralContainers" in spec:
        names = {each.get("name", "") for each in (*containers, *spec.get("initContainers", ()))}
        where = path.child("ephemeralContainers")
        yield from validate_ephemeral_containers(spec["ephemeralContainers"], names, where, pod)
    if "resources" in spec:
        yield from validate_pod_resources(spec, path.child("resources"), claims)


def _validate_choice(spec: Fields, name: str, choices: tuple[str, ...], path: Path) -> Iterator[Fault]:
    value = spec.get(name, "")
    if not value:
        yield Fault.required(path.child(name))
    elif value not in choices:
        yield Fault.not_supported(path.child(name), value, choices)


def _validate_placement(spec: Fields, path: Path, options: PodOptions) -> Iterator[Fault]:
    if "nodeSelector" in spec:
        yield from validate_labels(spec["nodeSelector"], path.child("nodeSelector"))
    yield from validate_pod_context(spec, path.child("securityContext"), options)
    if "affinity" in spec:
        yield from validate_affinity(spec["affinity"], path.child("affinity"), options)
    yield from validate_dns(spec, path.child("dnsConfig"))
    for index, gate in enumerate(spec.get("readinessGates", ())):
        condition = gate.get("conditionType", "")
        for problem in label_key(condition):
            yield Fault.invalid(
                path.child("readinessGates").index(index).child("conditionType"), condition, problem
            )
    if "schedulingGates" in spec:
        yield from _validate_gates(spec["schedulingGates"], path.child("schedulingGates"))
    if "topologySpreadConstraints" in spec:
        where = path.child("topologySpreadConstraints")
        yield from validate_spread(spec["topologySpreadConstraints"], where, options)


def _validate_gates(gates: list[Fields], path: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, gate in enumerate(gates):
        name = gate.get("name", "")
        for problem in label_key(name):
            yield Fault.invalid(path.index(index), name, problem)
        if name in seen:
            yield Fault.duplicate(path.index(index), name)
        seen.add(name)
