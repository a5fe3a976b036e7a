"""Pods found by their labels, of which none has to be decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Snapshot


def places(namespace: str, labels: Mapping[str, str]) -> Sequence[str]:
    """Where `BY_LABEL` has what is in a namespace and has these labels."""
    return [namespace, *(f"{namespace}:{name}={value}" for name, value in labels.items())]


def _places(pod: Snapshot[Any]) -> Sequence[str]:
    return places(pod.metadata.get("namespace", ""), pod.metadata.get("labels") or {})


BY_LABEL: Final = Index(Pod, _places, undecoded=True)
"""`value=places("shop", {"app": "web", "instance": "a"})` finds those that have all of the labels."""
