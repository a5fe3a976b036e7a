"""What a StatefulSet is made of: its pods and their claims, as they should be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from windlass.api import ObjectMeta
from windlass.cluster.controller.history import digest, revision_name, snapshot
from windlass.kinds.apps.v1 import ControllerRevision
from windlass.kinds.core.v1 import PersistentVolumeClaim, Pod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.kinds.apps.v1 import StatefulSet
    from windlass.kinds.core.v1 import PodTemplateSpec

REVISION: Final = "controller-revision-hash"
_HASH: Final = "controller.kubernetes.io/hash"
_POD_NAME: Final = "statefulset.kubernetes.io/pod-name"
_POD_INDEX: Final = "apps.kubernetes.io/pod-index"


def ordinals(owner: StatefulSet) -> range:
    """The numbers of the pods that there should be."""
    first = (owner.spec.ordinals.start if owner.spec.ordinals else 0) or 0
    return range(first, first + (1 if owner.spec.replicas is None else owner.spec.replicas))


def ordinal_of(owner: StatefulSet, pod: Pod) -> int | None:
    """The number of a pod, if its name is one that the set gives."""
    name, _, number = pod.metadata.name.rpartition("-")
    if name != owner.metadata.name or not re.fullmatch(r"[0-9]{1,9}", number, re.ASCII):
        return None
    return int(number)


def pod_name(owner: StatefulSet, ordinal: int) -> str:
    """The name of a pod, which is its host name too."""
    return f"{owner.metadata.name}-{ordinal}"


def pod_of(owner: StatefulSet, template: PodTemplateSpec, revision: str, ordinal: int) -> Pod:
    """A pod with its identity and its volumes."""
    name = pod_name(owner, ordinal)
    wire = template.to_wire()
    metadata, spec = wire.get("metadata", {}), wire.get("spec", {})
    claimed = {
        claim.metadata.name: {
            "name": claim.metadata.name,
            "persistentVolumeClaim": {"claimName": claim_name(owner, claim, ordinal)},
        }
        for claim in owner.spec.volume_claim_templates
    }
    others = [each for each in spec.get("volumes", ()) if each["name"] not in claimed]
    identity = {_POD_NAME: name, _POD_INDEX: str(ordinal), REVISION: revision}
    return Pod.from_wire(
        {
            "metadata": {
                **{key: metadata[key] for key in ("annotations", "finalizers") if key in metadata},
                "name": name,
                "labels": {**metadata.get("labels", {}), **identity},
            },
            "spec": {
                **spec,
                "hostname": name,
                **({"subdomain": owner.spec.service_name} if owner.spec.service_name else {}),
                "volumes": [*claimed.values(), *others],
            },
        }
    )


def claim_name(owner: StatefulSet, template: PersistentVolumeClaim, ordinal: int) -> str:
    """The name of the claim that a pod has for a template."""
    return f"{template.metadata.name}-{owner.metadata.name}-{ordinal}"


def claims_of(owner: StatefulSet, ordinal: int) -> Iterator[PersistentVolumeClaim]:
    """The claims of a pod, by the labels of the set's selector and those of the templates."""
    for template in owner.spec.volume_claim_templates:
        metadata = ObjectMeta(
            name=claim_name(owner, template, ordinal),
            labels={**template.metadata.labels, **owner.spec.selector.match_labels},
            annotations=template.metadata.annotations,
        )
        yield PersistentVolumeClaim(metadata=metadata, spec=template.spec)


def revision_of(owner: StatefulSet, collisions: int) -> ControllerRevision:
    """The revision that keeps the template of a set."""
    data = snapshot(owner.spec.template)
    name = digest(data, collisions)
    metadata = ObjectMeta(
        name=revision_name(owner.metadata.name, name),
        labels={**owner.spec.template.metadata.labels, _HASH: name},
        annotations=owner.metadata.annotations,
    )
    return ControllerRevision(metadata=metadata, data=data, revision=0)
