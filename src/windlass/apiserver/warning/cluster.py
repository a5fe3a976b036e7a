"""Nodes, accounts, quotas, runtime classes, and what decides about admission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity
from windlass.apiserver.warning.address import odd_range
from windlass.apiserver.warning.node_label import DEPRECATED

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_MOUNTABLE: Final = "kubernetes.io/enforce-mountable-secrets"
_STATIC: Final = ".static.k8s.io"
_IN_QUOTAS: Final = ("cpu", "memory", "storage", "ephemeral-storage")
_BARE: Final = ("cpu", "memory")


def node(obj: Object, _old: Object | None) -> Iterator[str]:
    """An identity that nobody uses, and ranges of pods that are oddly written."""
    spec = obj.get("spec", {})
    if spec.get("externalID"):
        yield "spec.externalID: this field is deprecated, and is unused by Kubernetes"
    for index, each in enumerate(spec.get("podCIDRs") or ()):
        yield from odd_range(each, f"spec.podCIDRs[{index}]")


def service_account(obj: Object, old: Object | None) -> Iterator[str]:
    """An annotation of old that limits which secrets can be mounted."""
    before = {} if old is None else old["metadata"].get("annotations") or {}
    if _MOUNTABLE in (obj["metadata"].get("annotations") or {}) and _MOUNTABLE not in before:
        yield (
            f"metadata.annotations[{_MOUNTABLE}]: deprecated in v1.32+; "
            "prefer separate namespaces to isolate access to mounted secrets"
        )


def resource_quota(obj: Object, old: Object | None) -> Iterator[str]:
    """More requests than limits."""
    hard = obj.get("spec", {}).get("hard") or {}
    for name in _IN_QUOTAS if old is None else ():
        request, limit = f"requests.{name}", f"limits.{name}"
        if request not in hard and name in _BARE:
            request = name
        if request in hard and limit in hard and quantity(hard[request]) > quantity(hard[limit]):
            yield (
                f"ResourceQuota {request} ({quantity(hard[request])}) should be less than "
                f"{limit} ({quantity(hard[limit])})"
            )


def runtime_class(obj: Object, _old: Object | None) -> Iterator[str]:
    """Nodes that are selected by labels of old."""
    for key in (obj.get("scheduling") or {}).get("nodeSelector") or ():
        if key in DEPRECATED:
            yield f"scheduling.nodeSelector: {DEPRECATED[key]}"


def admission(obj: Object, _old: Object | None) -> Iterator[str]:
    """A name that is kept for what is configured in files."""
    if obj["metadata"].get("name", "").endswith(_STATIC):
        yield (
            f'metadata.name: names ending with "{_STATIC}" are reserved for static manifest-based '
            "configurations and cannot be managed via the API"
        )
