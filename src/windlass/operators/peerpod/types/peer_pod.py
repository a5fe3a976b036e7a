"""The PeerPod: the cloud instance in which one pod runs, as the cloud-api-adaptor records it."""

from typing import Annotated, Literal

from windlass.api import Column, Condition, Definition, Field, ListMap, Resource, Spec, Status, Wire
from windlass.operators.peerpod.types.shared import GROUP, VERSION


class PeerPodSpec(Spec):
    """Which instance it is. The cloud-api-adaptor writes it once, when the instance has been made."""

    cloud_provider: str = Field(default="", description="Where the instance runs.", examples=["aws"])
    instance_id: Annotated[str, Wire("instanceID")] = Field(
        default="", description="The provider's name for the instance.", examples=["i-0123456789abcdef0"]
    )
    deletion_policy: Literal["Delete", "Retain"] = Field(
        default="Delete", description="Whether an instance that nobody has deleted goes with this object."
    )


class PeerPodStatus(Status):
    """What became of the instance."""

    observed_generation: int | None = None
    """The generation of the spec that this status is about."""
    cleand: bool = Field(default=False, description="Whether the instance is gone (spelt as it always was).")
    conditions: Annotated[list[Condition], ListMap("type")] = []
    """How it is, in the conditions that Kubernetes' tools know."""


_READY = '.status.conditions[?(@.type=="Ready")]'


class PeerPod(
    Resource,
    group=GROUP,
    version=VERSION,
    definition=Definition(
        columns=(
            Column("Provider", ".spec.cloudProvider"),
            Column("Instance", ".spec.instanceID"),
            Column("Cleaned", ".status.cleand", type="boolean"),
            Column("Ready", f"{_READY}.status"),
            Column("Reason", f"{_READY}.reason"),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
):
    """The cloud instance in which a pod runs."""

    spec: PeerPodSpec = Field(default_factory=PeerPodSpec)
    status: PeerPodStatus = Field(default_factory=PeerPodStatus)
