"""Volumes, and where claims take their data from."""

from __future__ import annotations

from typing import Any, Final

_CORE: Final = "io.k8s.api.core.v1"
_SOURCES_OF_OLD: Final = (("PersistentVolumeClaim", ""), ("VolumeSnapshot", "snapshot.storage.k8s.io"))
_REFERENCE: Final = ("apiGroup", "kind", "name")


def empty_volume(volume: dict[str, Any]) -> None:
    """A volume of which nothing is said is an empty directory."""
    if len(volume) <= ("name" in volume):
        volume["emptyDir"] = {}


def data_source(claim: dict[str, Any]) -> None:
    """The old field of a claim's source and the new one say the same; what the old one cannot say is dropped.

    Not so in a template of claims.
    """
    spec = claim.get("spec", {})
    new = spec.get("dataSourceRef")
    if new and new.get("namespace"):
        del spec["dataSourceRef"]  # sources of other namespaces are a feature that is off
        new = None
    old = spec.get("dataSource")
    if old and not new:
        if (old.get("kind"), old.get("apiGroup") or "") not in _SOURCES_OF_OLD:
            del spec["dataSource"]
        else:
            spec["dataSourceRef"] = _reference(old)
    elif new and not old:
        spec["dataSource"] = _reference(new)


def _reference(to: dict[str, Any]) -> dict[str, Any]:
    return {name: to[name] for name in _REFERENCE if name in to}


RULES: Final = {f"{_CORE}.Volume": (empty_volume,)}
LATE_RULES: Final = {"v1/PersistentVolumeClaim": (data_source,)}
