"""The PeerPodConfig: how many virtual machines there may be, on which nodes, and what is set up for them."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from windlass.api import (
    Column,
    Condition,
    Definition,
    Field,
    IntOrString,
    LabelSelector,
    LabelSelectorRequirement,
    ListMap,
    Model,
    PreserveUnknown,
    Resource,
    Selector,
    Spec,
    Status,
)
from windlass.operators.peerpod.types.shared import GROUP, VERSION

DEFAULT_SELECTOR: Final[Mapping[str, str]] = {"node.kubernetes.io/worker": ""}
"""The labels of the nodes that are meant where a config selects none."""


class NodeSelector(Model, markers=(PreserveUnknown(),)):
    """Which nodes: labels that they have, or a label selector with `matchLabels` and `matchExpressions`.

    Both forms have been served, so both are taken. The schema names the fields of the second and keeps all
    others, which are the labels of the first.
    """

    match_labels: dict[str, str] = {}
    """Labels that the nodes have."""
    match_expressions: list[LabelSelectorRequirement] = []
    """Terms that their labels fulfil."""

    def selector(self) -> Selector:
        """The selector that this means; without any term, that of `DEFAULT_SELECTOR`.

        Raises:
            ValueError: a label or a term makes no sense; the message says which.
        """
        labels = self.model_extra or {}
        for key, value in labels.items():
            if not isinstance(value, str):
                raise ValueError(f"the label {key} is no text")  # noqa: TRY004 - what was written is at fault
        terms = LabelSelector(match_labels=self.match_labels, match_expressions=self.match_expressions)
        found = (*Selector.of(labels).requirements, *terms.selector().requirements)
        return Selector(found) if found else Selector.of(DEFAULT_SELECTOR)


class Components(Model):
    """What is set up. Whoever has one of these by other means turns it off here."""

    daemon_set: bool = Field(default=True, description="The cloud-api-adaptor on the nodes, with its role.")
    runtime_class: bool = Field(default=True, description="The RuntimeClass that such pods name.")
    webhook: bool = Field(default=True, description="The webhook that makes such pods ask for capacity.")
    extended_resource: bool = Field(default=True, description="The capacity that the nodes advertise.")


class PeerPodConfigSpec(Spec):
    """What is wanted."""

    limit: IntOrString = Field(
        default="1", description="How many virtual machines there may be.", examples=[10]
    )
    limit_mode: Literal["Total", "PerNode"] = Field(
        default="Total", description="Whether the limit is spread over all nodes, or holds for each of them."
    )
    per_node_overrides: dict[str, Annotated[int, Field(ge=0)]] = Field(
        default={}, description="What single nodes are to have instead of their share, by their names."
    )
    instance_type: str = Field(default="", description="The instance type of pods that ask for none.")
    cloud_secret_name: str = Field(default="peer-pods-secret", description="Credentials of the provider.")
    config_map_name: str = Field(default="peer-pods-cm", description="CLOUD_PROVIDER, and what it needs.")
    node_selector: NodeSelector = Field(
        default_factory=NodeSelector, description="On which nodes; workers where nothing is said."
    )
    components: Components = Field(default_factory=Components)


class NodeShare(Model):
    """What one node offers, and what its pods take of it."""

    name: str
    """The name of the node."""
    capacity: int = 0
    """How many virtual machines it offers."""
    used: int = 0
    """How many of them its pods take."""


class PeerPodConfigStatus(Status):
    """What was found and done."""

    observed_generation: int | None = None
    """The generation of the spec that this status is about."""
    setup_completed: bool = Field(default=False, description="Whether everything is there and works.")
    provider: str = Field(default="", description="The cloud provider that the ConfigMap names.")
    node_count: int = Field(default=0, description="How many nodes are selected.")
    total_advertised: int = Field(default=0, description="What these nodes offer together.")
    total_used: int = Field(default=0, description="What pods take of it.")
    nodes: Annotated[list[NodeShare], ListMap("name")] = Field(
        default=[], description="The selected nodes by name, as many as can be shown."
    )
    conditions: Annotated[list[Condition], ListMap("type")] = []
    """How it is, in the conditions that Kubernetes' tools know."""


class PeerPodConfig(
    Resource,
    group=GROUP,
    version=VERSION,
    definition=Definition(
        short_names=("ppc",),
        columns=(
            Column("Limit", ".spec.limit"),
            Column("Nodes", ".status.nodeCount", type="integer"),
            Column("Advertised", ".status.totalAdvertised", type="integer"),
            Column("Used", ".status.totalUsed", type="integer"),
            Column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
            Column("Reason", '.status.conditions[?(@.type=="Ready")].reason'),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
):
    """Peer pods on a set of nodes."""

    spec: PeerPodConfigSpec = Field(default_factory=PeerPodConfigSpec)
    status: PeerPodConfigStatus = Field(default_factory=PeerPodConfigStatus)
