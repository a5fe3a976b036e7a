"""Volumes, claims, and classes of storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity
from windlass.apiserver.warning.node_label import DEPRECATED, in_requirements
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Object = dict[str, Any]

_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_ANNOTATIONS: Final = {
    _CLASS: 'deprecated since v1.8; use "storageClassName" attribute instead',
    "volume.beta.kubernetes.io/mount-options": (
        'deprecated since v1.31; use "mountOptions" attribute instead'
    ),
}
GONE: Final = {
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "storageOS": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
"""Sorts of volumes that are no more."""

_TOKENS: Final = (
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent "
    "possible logging of tokens in volume attributes"
)


def persistent_volume(obj: Object, _old: Object | None) -> Iterator[str]:
    """What a volume has of old."""
    annotations, spec = obj["metadata"].get("annotations") or {}, obj.get("spec", {})
    for key, why in _ANNOTATIONS.items():
        if key in annotations:
            yield f"metadata.annotations[{key}]: {why}"
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        yield (
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. "
            "Instead, the recommended approach is to use dynamic provisioning."
        )
    required = (spec.get("nodeAffinity") or {}).get("required") or {}
    for index, term in enumerate(required.get("nodeSelectorTerms") or ()):
        yield from in_requirements(term, f"spec.nodeAffinity.required.nodeSelectorTerms[{index}]")
    for sort in sorted(GONE, key="cephfs photonPersistentDisk scaleIO storageOS glusterfs rbd".index):
        if spec.get(sort) is not None:
            yield f"spec.{sort}: {GONE[sort]}"


def persistent_volume_claim(obj: Object, _old: Object | None) -> Iterator[str]:
    """What a claim has of old, and parts of bytes."""
    if _CLASS in (obj["metadata"].get("annotations") or {}):
        yield f"metadata.annotations[{_CLASS}]: {_ANNOTATIONS[_CLASS]}"
    yield from claim_spec(obj.get("spec", {}), "spec")


def claim_spec(spec: Mapping[str, Any], path: str) -> Iterator[str]:
    """Parts of bytes."""
    resources = spec.get("resources") or {}
    for field in ("requests", "limits"):
        yield from fractions(resources.get(field) or {}, ("storage",), f"{path}.resources.{field}")


def fractions(amounts: Mapping[str, str], names: tuple[str, ...], path: str) -> Iterator[str]:
    """Warn of amounts that are no whole number of bytes."""
    for name in names:
        text = amounts.get(name)
        if text is not None and text[-1:] in "mun." and quantity(text).to_decimal() % 1:
            yield (
                f"{path}[{name}]: fractional byte value {quoted(str(quantity(text)))} is invalid, "
                "must be an integer"
            )


def storage_class(obj: Object, _old: Object | None) -> Iterator[str]:
    """Places that are named by labels of old."""
    for index, topology in enumerate(obj.get("allowedTopologies") or ()):
        for at, each in enumerate(topology.get("matchLabelExpressions") or ()):
            if each.get("key") in DEPRECATED:
                path = f"allowedTopologies[{index}].matchLabelExpressions[{at}].key"
                yield f"{path}: {DEPRECATED[each['key']]}"


def csi_storage_capacity(obj: Object, _old: Object | None) -> Iterator[str]:
    """Places that are named by labels of old."""
    topology = obj.get("nodeTopology") or {}
    yield from in_requirements(topology, "nodeTopology")
    for label in topology.get("matchLabels") or ():
        if label in DEPRECATED:
            yield f"nodeTopology.matchLabels.{label}: {DEPRECATED[label]}"


def csi_driver(obj: Object, old: Object | None) -> Iterator[str]:
    """Tokens that may end up where they can be read."""
    spec = obj.get("spec", {})
    asked = spec.get("tokenRequests")
    changed = old is None or old.get("spec", {}).get("tokenRequests") != asked
    if asked and changed and "serviceAccountTokenInSecrets" not in spec:
        yield _TOKENS
