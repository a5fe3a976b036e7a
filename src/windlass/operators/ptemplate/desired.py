"""What a Ptemplate asks for: a Module and a DaemonSet. Objects in, objects out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import Key, LabelSelector, ObjectMeta, Quantity
from windlass.errors import Terminal
from windlass.kinds.apps.v1 import DaemonSet, DaemonSetSpec
from windlass.kinds.core.v1 import (
    Container,
    HostPathVolumeSource,
    LocalObjectReference,
    PodSpec,
    PodTemplateSpec,
    ResourceRequirements,
    SecurityContext,
    Volume,
    VolumeMount,
)
from windlass.operators.ptemplate.kmm import (
    LONGEST_NAME,
    DevicePlugin,
    LoaderContainer,
    Modprobe,
    Module,
    ModuleLoader,
    ModuleSpec,
    PluginContainer,
    ready_label,
)

if TYPE_CHECKING:
    from windlass.operators.ptemplate.types import Ptemplate, PtemplateSpec

CONSUMER: Final = "pt.example.com/consumer"
"""The label of consumers. `app` alone is everybody's: a DaemonSet adopts any orphan that it selects."""

_SUFFIX: Final = "-consumer"
_DEVICES: Final = "host-dev"


def check_name(ptemplate: Key) -> None:
    """Refuse a name that no Module can have; a definition's rules do not see the namespace.

    Raises:
        Terminal: with its namespace it is too long.
    """
    length = len(ptemplate.name) + len(ptemplate.namespace)
    if length > LONGEST_NAME:
        raise Terminal(
            "NameTooLong",
            f"name and namespace have {length} characters, of which KMM, which labels nodes with them, takes "
            f"{LONGEST_NAME} at most: use shorter ones",
        )


def consumer_name(ptemplate: str) -> str:
    """The name of the DaemonSet of a Ptemplate."""
    return f"{ptemplate}{_SUFFIX}"


def ptemplate_of(daemon_set: str) -> str:
    """The name of the Ptemplate whose DaemonSet has this name; empty where none has."""
    return daemon_set.removesuffix(_SUFFIX) if daemon_set.endswith(_SUFFIX) else ""


def module_of(ptemplate: Ptemplate) -> Module:
    """The Module, which bears the name of the Ptemplate."""
    spec = ptemplate.spec
    container = LoaderContainer(
        modprobe=Modprobe(module_name=spec.module_name, parameters=_parameters(spec)),
        kernel_mappings=spec.mappings,
        image_pull_policy=spec.image_pull_policy,
    )
    if spec.version:
        container.version = spec.version
    plugin = DevicePlugin(
        container=PluginContainer(image=spec.deviceplugin, image_pull_policy=spec.image_pull_policy)
    )
    if spec.device_plugin_service_account_name:
        plugin.service_account_name = spec.device_plugin_service_account_name
    wanted = ModuleSpec(
        selector=spec.selector, module_loader=ModuleLoader(container=container), device_plugin=plugin
    )
    if spec.pull_secret:
        wanted.image_repo_secret = LocalObjectReference(name=spec.pull_secret)
    if spec.tolerations:
        wanted.tolerations = spec.tolerations
    return Module(metadata=_named(ptemplate, ptemplate.metadata.name), spec=wanted)


def consumers_of(ptemplate: Ptemplate) -> DaemonSet:
    """The DaemonSet of the consumers."""
    labels = {"app": ptemplate.metadata.name, CONSUMER: ptemplate.metadata.name}
    metadata = _named(ptemplate, consumer_name(ptemplate.metadata.name))
    metadata.labels = labels
    template = PodTemplateSpec(metadata=ObjectMeta(labels=labels), spec=_pod(ptemplate))
    return DaemonSet(
        metadata=metadata,
        spec=DaemonSetSpec(selector=LabelSelector(match_labels=labels), template=template),
    )


def _parameters(spec: PtemplateSpec) -> list[str]:
    """Of a message that is not said, the module has one of its own."""
    message = [f"default_msg={spec.defaultmsg}"] if spec.defaultmsg else []
    return [f"max_dev={spec.maxdev}", *message]


def _named(ptemplate: Ptemplate, name: str) -> ObjectMeta:
    return ObjectMeta(name=name, namespace=ptemplate.metadata.namespace)


def _pod(ptemplate: Ptemplate) -> PodSpec:
    spec = ptemplate.spec
    container = Container(
        name="consumer",
        image=spec.consumer_image,
        image_pull_policy=spec.image_pull_policy,
        resources=ResourceRequirements(limits={spec.resource_name: Quantity(str(spec.required_devices))}),
    )
    pod = PodSpec(containers=[container], node_selector=_nodes(ptemplate))
    if spec.privileged:
        container.security_context = SecurityContext(privileged=True)
        container.volume_mounts = [VolumeMount(name=_DEVICES, mount_path="/hostdev")]
        pod.volumes = [Volume(name=_DEVICES, host_path=HostPathVolumeSource(path="/dev"))]
    if spec.pull_secret:
        pod.image_pull_secrets = [LocalObjectReference(name=spec.pull_secret)]
    if spec.tolerations:
        pod.tolerations = spec.tolerations
    if spec.consumer_service_account_name:
        pod.service_account_name = spec.consumer_service_account_name
    return pod


def _nodes(ptemplate: Ptemplate) -> dict[str, str]:
    """Where consumers run: a pod on a node without the module would wait for a device that never comes."""
    spec, metadata = ptemplate.spec, ptemplate.metadata
    if not spec.consumer_node_selector_from_ready_label:
        return spec.selector
    return {**spec.selector, ready_label(Key(metadata.namespace, metadata.name)): ""}
