"""What a DaemonSet is made of: its pods and revisions, as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import ObjectMeta
from windlass.cluster.controller.history import revision_name, snapshot
from windlass.cluster.controller.template_hash import template_hash
from windlass.kinds.apps.v1 import ControllerRevision
from windlass.kinds.core.v1 import Pod, Toleration

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.kinds.apps.v1 import DaemonSet

REVISION: Final = "controller-revision-hash"
GENERATION: Final = "pod-template-generation"
_GENERATION_OF_SET: Final = "deprecated.daemonset.template.generation"
_NODE_NAME: Final = "metadata.name"
_ALWAYS: Final = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_ON_HOST_NETWORK: Final = ("node.kubernetes.io/network-unavailable", "NoSchedule")


def pod_on(owner: DaemonSet, revision: str, node: str) -> Pod:
    """A pod that no scheduler places on any other node, and that stays there whatever befalls the node."""
    wire = owner.spec.template.to_wire()
    metadata, spec = wire.get("metadata", {}), wire.get("spec", {})
    generation = generation_of(owner)
    labels = {
        **metadata.get("labels", {}),
        **({GENERATION: generation} if generation else {}),
        REVISION: revision,
    }
    kept = {key: metadata[key] for key in ("annotations", "finalizers") if key in metadata}
    return Pod.from_wire(
        {
            "metadata": {**kept, "generateName": f"{owner.metadata.name}-", "labels": labels},
            "spec": {
                **spec,
                "affinity": _bound_to(node, spec.get("affinity") or {}),
                "tolerations": [each.to_wire() for each in tolerations(owner)],
            },
        }
    )


def tolerations(owner: DaemonSet) -> list[Toleration]:
    """What the pods of a set put up with: what the template says, and all that a node may suffer from."""
    spec = owner.spec.template.spec
    if spec is None:
        return []
    added = (*_ALWAYS, _ON_HOST_NETWORK) if spec.host_network else _ALWAYS
    wanted = [Toleration(key=key, operator="Exists", effect=effect) for key, effect in added]
    identities = [_identity(each) for each in wanted]
    kept = [each for each in spec.tolerations if _identity(each) not in identities]
    return [*kept, *wanted]


def generation_of(owner: DaemonSet) -> str:
    """How often the template has changed, as sets said before there were revisions."""
    return owner.metadata.annotations.get(_GENERATION_OF_SET, "")


def target_of(pod: Pod) -> str:
    """The node that a pod is on, or is meant for; empty if there is no telling."""
    if pod.spec.node_name:
        return pod.spec.node_name
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    for term in required.node_selector_terms if required else ():
        for field in term.match_fields:
            if field.key == _NODE_NAME and field.operator == "In" and len(field.values) == 1:
                return field.values[0]
    return ""


def revision_of(owner: DaemonSet, collisions: int) -> ControllerRevision:
    """The revision that keeps the template of a set."""
    name = template_hash(owner.spec.template.to_wire(), collisions or None)
    metadata = ObjectMeta(
        name=revision_name(owner.metadata.name, name),
        labels={**owner.spec.template.metadata.labels, REVISION: name},
        annotations=owner.metadata.annotations,
    )
    return ControllerRevision(metadata=metadata, data=snapshot(owner.spec.template), revision=0)


def _bound_to(node: str, affinity: Json) -> Json:
    """The affinity of a template, with one node in place of what it requires of nodes."""
    here: dict[str, Any] = {"key": _NODE_NAME, "operator": "In", "values": [node]}
    required = {"nodeSelectorTerms": [{"matchFields": [here]}]}
    of_nodes = {
        **(affinity.get("nodeAffinity") or {}),
        "requiredDuringSchedulingIgnoredDuringExecution": required,
    }
    return {**affinity, "nodeAffinity": of_nodes}


def _identity(toleration: Toleration) -> tuple[str | None, ...]:
    return toleration.key, toleration.operator, toleration.effect, toleration.value or None
