"""Which class has the particulars of which kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.traits import Traits

_KINDS: Final = "windlass.apiserver.kind"
_CLASSES: Final[dict[str, str]] = {
    "/ConfigMap": f"{_KINDS}.configuration:ConfigMapTraits",
    "/Event": f"{_KINDS}.event:EventTraits",
    "/LimitRange": f"{_KINDS}.cluster:LimitRangeTraits",
    "/Namespace": f"{_KINDS}.namespace:NamespaceTraits",
    "/Node": f"{_KINDS}.cluster:NodeTraits",
    "/PersistentVolume": f"{_KINDS}.storage:PersistentVolumeTraits",
    "/PersistentVolumeClaim": f"{_KINDS}.storage:PersistentVolumeClaimTraits",
    "/Pod": f"{_KINDS}.pod:PodTraits",
    "/ReplicationController": f"{_KINDS}.workload:ReplicationControllerTraits",
    "/Secret": f"{_KINDS}.configuration:SecretTraits",
    "/Service": f"{_KINDS}.service:ServiceTraits",
    "apiextensions.k8s.io/CustomResourceDefinition": "windlass.apiserver.crd.definition:DefinitionTraits",
    "apps/DaemonSet": f"{_KINDS}.workload:DaemonSetTraits",
    "apps/Deployment": f"{_KINDS}.workload:DeploymentTraits",
    "autoscaling/HorizontalPodAutoscaler": f"{_KINDS}.autoscaler:AutoscalerTraits",
    "batch/Job": f"{_KINDS}.workload:JobTraits",
    "discovery.k8s.io/EndpointSlice": f"{_KINDS}.network:EndpointSliceTraits",
    "events.k8s.io/Event": f"{_KINDS}.event:EventTraits",
    "networking.k8s.io/Ingress": f"{_KINDS}.network:IngressTraits",
    "scheduling.k8s.io/PriorityClass": f"{_KINDS}.cluster:PriorityClassTraits",
    "storage.k8s.io/CSIDriver": f"{_KINDS}.storage:CSIDriverTraits",
    "storage.k8s.io/VolumeAttributesClass": f"{_KINDS}.storage:VolumeAttributesClassTraits",
}
"""`group/Kind` to the module, and the class in it."""


def traits_of(builtin: BuiltinKind) -> Traits:
    """The particulars of a built-in kind."""
    home = _CLASSES.get(f"{builtin.kind.group}/{builtin.kind.name}")
    if home is None:
        return BuiltinTraits(builtin)
    module, _, class_name = home.partition(":")
    found: Traits = getattr(import_module(module), class_name)(builtin)
    return found
