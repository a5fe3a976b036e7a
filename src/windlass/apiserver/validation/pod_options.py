"""What the rules of pods let pass: everything that an object already had when the rule came."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.affinity import PREFERRED, REQUIRED
from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.schema import Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

CONTAINER_LISTS: Final = ("initContainers", "containers", "ephemeralContainers")


@dataclass(frozen=True, slots=True, kw_only=True)
class PodOptions:
    """Which rules are relaxed.

    `is_pod`: the spec is a pod's own, not a template's.
    `any_deletion_cost`: the annotation need not be a number.
    `any_selector_values`, `any_node_values`, `any_spread_selector`: selectors may ask for what cannot be.
    `any_selinux_policy`: also the policy whose feature is off.
    `host_sysctls`: sysctls that the pod shares with the host.
    `host_network_users`, `device_users`: users of its own in a pod of the host's network or with devices.
    `init_restarts`: a resize may restart a plain init container.
    """

    is_pod: bool = False
    any_deletion_cost: bool = False
    any_selector_values: bool = False
    any_node_values: bool = False
    any_spread_selector: bool = False
    any_selinux_policy: bool = False
    host_sysctls: bool = False
    host_network_users: bool = False
    device_users: bool = False
    init_restarts: bool = False


STRICT: Final = PodOptions()
STRICT_POD: Final = PodOptions(is_pod=True)


def relaxed(options: PodOptions, spec: Fields, annotations: Mapping[str, str]) -> PodOptions:
    """Options that let an object keep what it has in this spec and these annotations."""
    from windlass.apiserver.validation.pod_annotation import is_deletion_cost
    from windlass.apiserver.validation.security import shared_sysctl

    context = spec.get("securityContext", {})
    own_users = spec.get("hostUsers") is False
    return replace(
        options,
        any_deletion_cost=not is_deletion_cost(annotations),
        any_selector_values=any(has_odd_value(selector) for selector in _selectors(spec)),
        any_node_values=any(has_odd_value(term) for term in _node_terms(spec)),
        any_spread_selector=_has_odd_spread(spec),
        any_selinux_policy="seLinuxChangePolicy" in context,
        host_sysctls=any(shared_sysctl(each.get("name", ""), spec) for each in context.get("sysctls", ())),
        host_network_users=own_users and bool(spec.get("hostNetwork")),
        device_users=own_users and any("volumeDevices" in each for each in _containers(spec)),
        init_restarts=any(_restarts_on_resize(each) for each in spec.get("initContainers", ())),
    )


def _containers(spec: Fields) -> Iterator[Fields]:
    for name in CONTAINER_LISTS:
        yield from spec.get(name) or ()


def _selectors(spec: Fields) -> Iterator[Fields | None]:
    for name in ("podAffinity", "podAntiAffinity"):
        affinity = spec.get("affinity", {}).get(name, {})
        weighted = [each.get("podAffinityTerm", {}) for each in affinity.get(PREFERRED, ())]
        for term in [*affinity.get(REQUIRED, ()), *weighted]:
            yield term.get("labelSelector")


def _node_terms(spec: Fields) -> Iterator[Fields]:
    required = spec.get("affinity", {}).get("nodeAffinity", {}).get(REQUIRED, {})
    yield from required.get("nodeSelectorTerms") or ()


def _has_odd_spread(spec: Fields) -> bool:
    constraints = spec.get("topologySpreadConstraints", ())
    return any(any(validate_selector(each.get("labelSelector"), Path())) for each in constraints)


def _restarts_on_resize(container: Fields) -> bool:
    if container.get("restartPolicy") == "Always":
        return False
    return any(each.get("restartPolicy") == "RestartContainer" for each in container.get("resizePolicy", ()))
