"""The Ptemplate: which kernel module is loaded where, and who uses its devices."""

from typing import Annotated, Final

from windlass.api import (
    AtMostOneOf,
    Cel,
    Column,
    Condition,
    Default,
    Definition,
    Field,
    Format,
    ListMap,
    Model,
    Resource,
    Spec,
    Status,
)
from windlass.kinds.core.v1 import Toleration
from windlass.operators.ptemplate.kmm import LONGEST_NAME, KernelMapping, ModuleImage, PullPolicy

OPERATOR: Final = "ptemplate-operator"
"""What the operator is called: in the names of its roles, and as the manager of what it applies."""

_CONSUMER: Final = "quay.io/chrisp262/pt-device-plugin:consumer-latest"
_PLUGIN: Final = "quay.io/chrisp262/pt-device-plugin:latest"
_MODULE_IMAGE: Final = "quay.io/chrisp262/pt-char-dev:${KERNEL_FULL_VERSION}-sb"
_EVERY_KERNEL: Final = "^.+$"
_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
_PREFIX = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_OBJECT_NAME = r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$"

Image = Annotated[
    str,
    Field(min_length=1, max_length=512),
    Cel(
        r"self.matches(r'^\S+(:[A-Za-z0-9_][-A-Za-z0-9_.]*|@[a-z0-9]+:[0-9a-f]+)$')",
        message="an image needs a tag or a digest, such as quay.io/example/consumer:1.2",
    ),
]
Int64 = Annotated[int, Format("int64")]
Account = Annotated[str, Field(pattern=_OBJECT_NAME, max_length=253)]
LabelValue = Annotated[str, Field(pattern=rf"^({_NAME})?$", max_length=63)]


class SecretReference(Model):
    """A Secret of the Ptemplate's namespace."""

    name: Annotated[str, Field(pattern=_OBJECT_NAME, min_length=1, max_length=253)] = Field(
        description="Its name.", examples=["pt-char-pull-secret"]
    )


class PtemplateSpec(
    Spec,
    markers=(
        Cel(
            "self.requiredDevices <= self.maxdev",
            message="requiredDevices must not exceed maxdev: no node would have as many",
        ),
        Cel(
            "!(has(self.consumer) && has(self.consumerimage))",
            message="consumer and consumerimage are two names of one field: say one of them",
        ),
        Cel(
            "!(has(self.imagePullSecret) && has(self.imageRepoSecret))",
            message="imagePullSecret and imageRepoSecret are two names of one field: say one of them",
        ),
        Cel(
            "has(self.version) == has(oldSelf.version)",
            message="KMM lets no version come or go: delete the Ptemplate, and create it with the other spec",
        ),
        AtMostOneOf("module_image", "kernel_mappings"),
    ),
):
    """What is to be loaded, and what is to run."""

    selector: Annotated[
        dict[str, LabelValue],
        Field(min_length=1, max_length=16),
        Cel(
            f"self.all(key, size(key) <= 317 && key.matches(r'^({_PREFIX}/)?{_NAME}$'))",
            message="selector has labels of nodes, such as node-role.kubernetes.io/worker",
        ),
    ] = Field(
        description="The labels of the nodes that are meant.",
        examples=[{"node-role.kubernetes.io/worker": "worker"}],
    )
    maxdev: Int64 = Field(default=5, ge=1, description="How many devices the module makes: max_dev.")
    defaultmsg: Annotated[
        str,
        Field(max_length=256),
        Cel(
            r"!self.matches(r'[\x00-\x20\x22\x27\x5c\x7f]')",
            message="defaultmsg becomes a parameter of modprobe, which takes it as one word: "
            "no whitespace, quotes or backslashes",
        ),
    ] = Field(default="", description="What the devices say at first: default_msg.")
    deviceplugin: Image = Field(default=_PLUGIN, description="The image of the device plugin.")
    consumer: Image | None = Field(
        default=None, description=f"The image of the consumers; {_CONSUMER} unless said otherwise."
    )
    consumerimage: Image | None = Field(default=None, description="The same as consumer.")
    required_devices: Int64 = Field(default=1, ge=1, description="How many devices each consumer gets.")
    image_pull_secret: SecretReference | None = Field(
        default=None, description="By which all images are pulled."
    )
    image_repo_secret: SecretReference | None = Field(
        default=None, description="The same as imagePullSecret."
    )
    module_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=64)] = "ptemplate_char_dev"
    """What modprobe loads."""
    module_image: ModuleImage | None = Field(
        default=None, description=f"The image with the module for every kernel; {_MODULE_IMAGE} if not said."
    )
    kernel_mappings: Annotated[list[KernelMapping], Field(min_length=1, max_length=64)] | None = Field(
        default=None, description="Images with the module for some kernels each, in the place of moduleImage."
    )
    version: Annotated[str, Field(pattern=rf"^{_NAME}$", max_length=63)] | None = Field(
        default=None, description="Of the module: nodes get another one by their label, as KMM has it."
    )
    image_pull_policy: PullPolicy = "Always"
    """When images are pulled."""
    tolerations: Annotated[list[Toleration], Field(max_length=64)] = []
    """The taints of nodes that keep nothing of this away."""
    resource_name: Annotated[str, Field(pattern=rf"^{_PREFIX}/{_NAME}$", max_length=317)] = Field(
        default="example.com/ptemplate", description="What the device plugin calls the devices."
    )
    device_plugin_service_account_name: Account | None = None
    """As whom the device plugin runs."""
    consumer_service_account_name: Account | None = None
    """As whom the consumers run."""
    privileged: bool = Field(
        default=True,
        description="Whether consumers are privileged and see /dev as /hostdev; the device plugin gives "
        "them their devices in either case.",
    )
    consumer_node_selector_from_ready_label: bool = Field(
        default=True, description="Whether consumers run only where KMM says that the module is loaded."
    )

    @property
    def consumer_image(self) -> str:
        """The image of the consumers, by whichever name it is said."""
        return self.consumer or self.consumerimage or _CONSUMER

    @property
    def pull_secret(self) -> str:
        """The name of the Secret by which images are pulled, by whichever name it is said; empty for none."""
        said = self.image_pull_secret or self.image_repo_secret
        return said.name if said else ""

    @property
    def mappings(self) -> list[KernelMapping]:
        """Where the module lies for which kernels."""
        image = self.module_image or _MODULE_IMAGE
        return self.kernel_mappings or [KernelMapping(regexp=_EVERY_KERNEL, container_image=image)]


class ModuleNumbers(Model):
    """On how many nodes the module is, as KMM counts them."""

    nodes_matching_selector: int = 0
    """Nodes that are meant."""
    desired: int = 0
    """Nodes that are to have the module."""
    available: int = 0
    """Nodes that have it."""


class PtemplateStatus(Status):
    """What was found and done."""

    observed_generation: int | None = None
    """The generation of the spec that this status is about."""
    consumers: Annotated[list[str], Default([])] = Field(
        default=[], description="The names of the consumers' pods, sorted."
    )
    desired_consumers: int = 0
    """How many consumers there are to be."""
    ready_consumers: int = 0
    """How many of them are ready."""
    module: ModuleNumbers | None = None
    conditions: Annotated[list[Condition], ListMap("type")] = []
    """How it is, in the conditions that Kubernetes' tools know."""


_READY = '.status.conditions[?(@.type=="Ready")]'
_COLUMNS = (
    Column("Nodes", ".status.module.nodesMatchingSelector", type="integer"),
    Column("Loaded", ".status.module.available", type="integer"),
    Column("Consumers", ".status.readyConsumers", type="integer"),
    Column("Ready", f"{_READY}.status"),
    Column("Reason", f"{_READY}.reason"),
    Column("Age", ".metadata.creationTimestamp", type="date"),
)
_SHORT_ENOUGH = Cel(
    f"size(self.metadata.name) < {LONGEST_NAME}",  # the namespace, of a letter or more, is out of sight
    message=f"name and namespace must have {LONGEST_NAME} characters at most: KMM labels nodes with them",
)


class Ptemplate(
    Resource,
    group="pt.example.com",
    version="v1alpha1",
    definition=Definition(short_names=("pt",), columns=_COLUMNS, storage=True),
    markers=(_SHORT_ENOUGH,),
):
    """A kernel module on some nodes, and consumers of its devices."""

    spec: PtemplateSpec
    status: PtemplateStatus = Field(default_factory=PtemplateStatus)


class PtemplateV1alpha(Ptemplate, version="v1alpha", kind="Ptemplate"):
    """The same under the name that the version had in early manifests."""


class AliasPtemplate(
    Ptemplate,
    group="ptemplates.pt.example.com",
    version="v1alpha",
    kind="Ptemplate",
    definition=Definition(columns=_COLUMNS),
):
    """The same in the group that the guide to the first operator prints."""
