"""What a Ptemplate is told to be: what was seen in, status out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from windlass.api import Condition, Resource
from windlass.operators.ptemplate.types import ModuleNumbers, PtemplateStatus
from windlass.reconcile import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.kinds.apps.v1 import DaemonSet
    from windlass.operators.ptemplate.kmm import Module, NodeCounts

R = TypeVar("R", bound=Resource)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What there is of a Ptemplate. `module_served` tells whether KMM's kind is there at all."""

    module_served: bool
    module: Module | None
    daemon_set: DaemonSet | None
    pods: tuple[str, ...] = ()
    secret: str = ""
    secret_found: bool = True
    follows_ready_label: bool = True

    def taken(self, uid: str) -> Resource | None:
        """What bears one of our names, and is not ours: its controller is another, or nobody."""
        return next((each for each in (self.module, self.daemon_set) if each and _owner(each) != uid), None)


def conflict(taken: Resource, seen: Seen) -> Result[PtemplateStatus]:
    """Somebody else has an object that ours would have to be."""
    owners = [each for each in taken.metadata.owner_references if each.controller]
    whose = (
        f"belongs to the {owners[0].kind} {owners[0].name} of {owners[0].api_version}"
        if owners
        else "was made by another hand"
    )
    message = f"{taken} {whose}: it is left alone, and this one waits until it is gone"
    return Result.waiting("Conflict", message, PtemplateStatus(consumers=[], conditions=[_served(seen)]))


def concluded(seen: Seen) -> Result[PtemplateStatus]:
    """What is there, and the first thing that it lacks."""
    conditions = list(_conditions(seen))
    module, daemon_set = _present(seen.module), _present(seen.daemon_set)
    loader = module.status.module_loader if module else None
    status = PtemplateStatus(
        consumers=sorted(seen.pods),
        desired_consumers=daemon_set.status.desired_number_scheduled if daemon_set else 0,
        ready_consumers=daemon_set.status.number_ready if daemon_set else 0,
        conditions=conditions,
    )
    if loader:
        status.module = ModuleNumbers(
            nodes_matching_selector=loader.nodes_matching_selector_number,
            desired=loader.desired_number,
            available=loader.available_number,
        )
    lacking = next((each for each in conditions if each.status != "True"), None)
    if lacking:
        return Result.waiting(lacking.reason, lacking.message, status)
    return Result.ready(status, message=conditions[-1].message)


def _conditions(seen: Seen) -> Iterator[Condition]:
    """Each aspect, in the order in which they come about."""
    yield _served(seen)
    if seen.secret:
        yield _secret(seen)
    module = _present(seen.module)
    yield _on_nodes("ModuleReady", "the module", module.status.module_loader if module else None)
    plugin = module.status.device_plugin if module else None
    yield _on_nodes("DevicePluginReady", "the device plugin", plugin)
    yield _consumers(seen)


def _served(seen: Seen) -> Condition:
    if seen.module_served:
        return Condition(type="KMMAvailable", status="True", reason="Served", message="KMM is installed")
    return Condition(
        type="KMMAvailable",
        status="False",
        reason="KMMMissing",
        message="Modules (kmm.sigs.x-k8s.io/v1beta1) are not served: "
        "install the Kernel Module Management operator",
    )


def _secret(seen: Seen) -> Condition:
    if seen.secret_found:
        message = f"images are pulled by the Secret {seen.secret}"
        return Condition(type="SecretFound", status="True", reason="Found", message=message)
    message = (
        f"there is no Secret {seen.secret}: images could not be pulled, so nothing is changed until it comes"
    )
    return Condition(type="SecretFound", status="False", reason="SecretMissing", message=message)


def _on_nodes(type_: str, what: str, counts: NodeCounts | None) -> Condition:
    """Whether something of the Module is on every node that it is to be on."""
    if counts is None:
        return Condition(
            type=type_, status="False", reason="NotReported", message=f"KMM has not told of {what} yet"
        )
    if counts.nodes_matching_selector_number == 0:
        message = f"no node has the labels of the selector, so {what} is nowhere"
        return Condition(type=type_, status="False", reason="NoNodes", message=message)
    desired = (
        counts.desired_number or counts.nodes_matching_selector_number
    )  # none is desired before the first
    message = f"{what} is on {counts.available_number} of {desired} nodes"
    if counts.available_number < desired:
        return Condition(type=type_, status="False", reason="Progressing", message=message)
    return Condition(type=type_, status="True", reason="Available", message=message)


def _consumers(seen: Seen) -> Condition:
    """Whether a consumer of the present kind is ready on each node that has the module."""
    type_, found, module = "ConsumersReady", _present(seen.daemon_set), _present(seen.module)
    if found is None:
        message = "there is no DaemonSet yet, which is made after the Module"
        return Condition(type=type_, status="False", reason="NotCreated", message=message)
    status = found.status
    loader = module.status.module_loader if module else None
    nodes = loader.available_number if loader and seen.follows_ready_label else 0
    desired = max(status.desired_number_scheduled, nodes)
    ready = min(status.number_ready, status.updated_number_scheduled or 0)
    message = f"{ready} of {desired} consumers are ready"
    fresh = (status.observed_generation or 0) >= (found.metadata.generation or 0)
    if not fresh or ready < desired:
        return Condition(type=type_, status="False", reason="RollingOut", message=message)
    if desired == 0:
        message = "no node has the labels that consumers need, so there are none"
        return Condition(type=type_, status="False", reason="NoNodes", message=message)
    return Condition(type=type_, status="True", reason="Ready", message=message)


def _present(resource: R | None) -> R | None:
    """An object, unless it is being deleted: what it says of itself then tells nothing of its successor."""
    return resource if resource and resource.metadata.deletion_timestamp is None else None


def _owner(resource: Resource) -> str:
    """The uid of an object's controller; empty where it has none."""
    return next((each.uid for each in resource.metadata.owner_references if each.controller), "")
