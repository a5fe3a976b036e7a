"""KMM's Module, as far as it is applied and read here; other fields of a live one are kept as they are.

Its definition is KMM's to install. The one that follows from these types stands in for it where KMM does not
run: `windlass generate crds windlass.operators.ptemplate.kmm`.
"""

from typing import Annotated, Literal

from windlass.api import Cel, ExactlyOneOf, Field, Key, Model, Resource, Spec, Status
from windlass.kinds.core.v1 import LocalObjectReference, Toleration

LONGEST_NAME = 41
"""How long the name and the namespace of a Module may be together, so that KMM can label nodes with them."""

PullPolicy = Literal["Always", "IfNotPresent", "Never"]
ModuleImage = Annotated[
    str,
    Field(min_length=1, max_length=512),
    Cel(
        r"self.matches(r'^\S+(:[A-Za-z0-9_$][^:/\s]*|@[a-z0-9]+:[0-9a-f]+)$')",
        message="an image of a module needs a tag or a digest, such as name:${KERNEL_FULL_VERSION}",
    ),
]

_COMPILES = Cel(
    "''.matches(self) ? true : true",  # what is no regular expression fails, and so does the rule
    message="regexp is no regular expression",
)


class Modprobe(Model):
    """How the module is loaded."""

    module_name: str
    parameters: list[str] = []


class KernelMapping(Model, markers=(ExactlyOneOf("regexp", "literal"),)):
    """The image that has the module for some kernels; `${KERNEL_FULL_VERSION}` in it is the node's kernel."""

    regexp: Annotated[str, Field(min_length=1, max_length=256), _COMPILES] | None = Field(
        default=None, description="What the versions of these kernels match.", examples=["^.+$"]
    )
    literal: str | None = Field(
        default=None, min_length=1, max_length=256, description="The version of the one kernel that is meant."
    )
    container_image: ModuleImage = Field(
        description="The image.", examples=["quay.io/example/driver:${KERNEL_FULL_VERSION}"]
    )


class LoaderContainer(Model):
    """What loads the module."""

    modprobe: Modprobe
    kernel_mappings: Annotated[list[KernelMapping], Field(min_length=1, max_length=64)]
    image_pull_policy: PullPolicy | None = None
    version: str | None = None


class ModuleLoader(Model):
    """Loads the module on each node that is selected."""

    container: LoaderContainer


class PluginContainer(Model):
    """What tells the kubelet of the devices."""

    image: str
    image_pull_policy: PullPolicy | None = None


class DevicePlugin(Model):
    """Runs on each node that has the module."""

    container: PluginContainer
    service_account_name: str | None = None


class ModuleSpec(Spec):
    """Which module is loaded where."""

    selector: dict[str, str]
    module_loader: ModuleLoader | None = None
    device_plugin: DevicePlugin | None = None
    image_repo_secret: LocalObjectReference | None = None
    tolerations: list[Toleration] = []


class NodeCounts(Model):
    """On how many nodes something is to be, and is."""

    nodes_matching_selector_number: int = 0
    desired_number: int = 0
    available_number: int = 0


class ModuleStatus(Status):
    """What KMM has done."""

    module_loader: NodeCounts | None = None
    device_plugin: NodeCounts | None = None


class Module(Resource, group="kmm.sigs.x-k8s.io", version="v1beta1"):
    """A kernel module that KMM loads on nodes."""

    spec: ModuleSpec
    status: ModuleStatus = Field(default_factory=ModuleStatus)


def ready_label(module: Key) -> str:
    """The label, without a value, of nodes that have loaded a Module."""
    return f"kmm.node.kubernetes.io/{module.namespace}.{module.name}.ready"


def plugin_label(module: Key) -> str:
    """The label, without a value, of nodes on which the device plugin of a Module runs."""
    return f"kmm.node.kubernetes.io/{module.namespace}.{module.name}.device-plugin-ready"
