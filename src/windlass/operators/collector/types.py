"""The Collector: which collector runs for which tenant, and what became of it."""

from typing import Annotated, Any, Literal

from windlass.api import (
    AtMostOneOf,
    Cel,
    Column,
    Condition,
    Definition,
    Field,
    ListMap,
    Model,
    Resource,
    Spec,
    Status,
    Time,
)

LONGEST_RELEASE = 53  # what Helm takes
LONGEST_NAMESPACE = 63
UPDATES = "example.com/check-for-updates"
"""The annotation that lets a floating version float: how often a newer chart is looked for, such as `6h`."""

_LABEL = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
_ANY_CASE = r"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$"
_OBJECT_NAME = r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$"
_BASE64 = r"^([A-Za-z0-9+/\r\n])*={0,2}[\r\n]*$"
_INSIDE = r"^[A-Za-z0-9_][-A-Za-z0-9_.]*(/[A-Za-z0-9_][-A-Za-z0-9_.]*)*$"
_DIGEST = r"^((sha256:)?[0-9a-f]{64})?$"
_REPOSITORY = r"^(https?|oci|bucket\+https?)://.+$"

Name = Annotated[str, Field(pattern=_LABEL, min_length=1, max_length=LONGEST_RELEASE)]
ObjectName = Annotated[
    str, Field(pattern=_OBJECT_NAME, min_length=1, max_length=253, examples=["collector-values"])
]


class CollectorPart(Model):
    """Which collector runs, and with what configuration."""

    name: Name = Field(
        description="Names the chart, the image and, with the instance, the release.",
        examples=["cisco-amp-collector"],
    )
    version: str = Field(default="", description="A version or a constraint; empty or latest: the highest.")
    configuration: Annotated[str, Field(pattern=_BASE64)] = Field(
        default="", description="Values of the chart: a YAML map in base64."
    )


class Tenant(Model):
    """For whom it runs."""

    id: str = Field(default="", description="The customer's number; a label of the tenant's namespace.")
    reference: Annotated[str, Field(pattern=_ANY_CASE, min_length=1, max_length=LONGEST_NAMESPACE)] = Field(
        description="In lower case, the namespace in which the collector runs.", examples=["ACME"]
    )
    instance: Name = Field(
        description="Tells collectors of one name in one namespace apart.", examples=["main"]
    )


class ValuesReference(Model):
    """Values of the chart that stand in a Secret or a ConfigMap of the Collector's namespace."""

    kind: Literal["Secret", "ConfigMap"]
    """What it is that has the values."""
    name: ObjectName
    """Its name."""
    key: str = Field(default="values.yaml", min_length=1, description="The key whose text is a YAML map.")
    optional: bool = Field(default=False, description="Whether it may be missing.")


class SecretReference(Model):
    """A Secret of the Collector's namespace."""

    name: ObjectName
    """Its name."""


class ChartReference(Model, markers=(AtMostOneOf("repository", "path"),)):
    """Another chart than the one that the operator's configuration gives."""

    name: Name | None = Field(default=None, description="The chart's name, if it is not the collector's.")
    repository: Annotated[str, Field(pattern=_REPOSITORY)] | None = Field(
        default=None, description="An HTTP repository, bucket+https://… or oci://…"
    )
    path: Annotated[str, Field(pattern=_INSIDE)] | None = Field(
        default=None, description="A folder or archive below the operator's folder of charts."
    )
    secret_ref: SecretReference | None = Field(
        default=None, description="Credentials: username and password, or token."
    )
    version: str = Field(default="", description="As collector.version, before which it counts.")
    digest: Annotated[str, Field(pattern=_DIGEST)] = Field(
        default="",
        description="The SHA-256 that the archive must have; of an OCI chart also of its manifest.",
    )


class CollectorSpec(
    Spec,
    markers=(
        Cel(
            f"size(self.collector.name) + size(self.tenant.instance) < {LONGEST_RELEASE}",
            message=f"collector.name and tenant.instance make a release name of at most {LONGEST_RELEASE}",
        ),
    ),
):
    """What is to run."""

    collector: CollectorPart
    tenant: Tenant
    cluster: str = Field(default="", description="The environment, which decides where charts come from.")
    chart: ChartReference | None = None
    service_account_name: ObjectName | None = Field(
        default=None,
        description="The ServiceAccount of the Collector's namespace as which everything is deployed; "
        "without one, the operator's default.",
    )
    values: dict[str, Any] = Field(default={}, description="Values of the chart, which win over all others.")
    values_from: list[ValuesReference] = Field(
        default=[],
        max_length=32,
        description="Further values; the last one wins, but not over configuration.",
    )


class ReleaseStatus(Model):
    """The Helm release that was made. Without a revision, it is about to be."""

    name: str
    """Its name, as `helm list` shows it."""
    namespace: str
    """Where it is: the namespace of the tenant."""
    revision: int = 0
    """How often it was installed or upgraded."""
    chart_version: str = ""
    """The version of the chart that is deployed."""
    app_version: str = ""
    """The version of the collector, as the chart states it."""
    digest: str = ""
    """Tells whether chart or values have changed since."""
    last_deployed: str = ""
    """When that was, as Helm says it."""
    service_account: str = ""
    """The ServiceAccount of the Collector's namespace that deployed it; empty: the operator itself."""


class ChartStatus(Model):
    """The chart that was chosen, so that a floating version stays where it is until it is to move."""

    name: str
    """Its name."""
    version: str
    """The version that was chosen."""
    asked: str = ""
    """The version or the constraint by which it was chosen."""
    origin: str = ""
    """The repository that it is from; empty for one of the operator's own folder."""
    generation: int = 0
    """The generation of the spec for which it was chosen."""
    checked: Time | None = None
    """When the repository was last asked which versions there are."""


class ObjectStatus(Model):
    """One object of the release; `kept` if it is to outlive that."""

    api_version: str
    """Its API group and version."""
    kind: str
    """Its kind."""
    namespace: str = ""
    """Where it is; empty for one of the whole cluster."""
    name: str
    """Its name."""
    kept: bool = False
    """Whether it stays when the release goes."""


class CollectorStatus(Status):
    """What was found and done."""

    observed_generation: int | None = None
    """The generation of the spec that this status is about."""
    version: str = ""
    """The version of the collector that is deployed: the tag of its image, or what the chart states."""
    release: ReleaseStatus | None = None
    chart: ChartStatus | None = None
    resources: list[ObjectStatus] = []
    """The objects of the release, in the order of its manifest."""
    conditions: Annotated[list[Condition], ListMap("type")] = []
    """How it is, in the conditions that Kubernetes' tools know."""


_READY = '.status.conditions[?(@.type=="Ready")]'
_AVAILABLE = '.status.conditions[?(@.type=="Available")]'


class Collector(
    Resource,
    group="example.com",
    version="v1alpha",
    definition=Definition(
        short_names=("col",),
        columns=(
            Column("Collector", ".spec.collector.name"),
            Column("Version", ".status.version"),
            Column("Tenant", ".spec.tenant.reference"),
            Column("Ready", f"{_READY}.status"),
            Column("Reason", f"{_READY}.reason"),
            Column("Available", f"{_AVAILABLE}.status"),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
):
    """A collector that runs for a tenant."""

    spec: CollectorSpec
    status: CollectorStatus = Field(default_factory=CollectorStatus)
