"""Containers, ephemeral ones included, and volumes made of images."""

from __future__ import annotations

from typing import Any, Final

from windlass.apiserver.defaulting.rules.image import pull_policy

_CORE: Final = "io.k8s.api.core.v1"


def pulling(container: dict[str, Any]) -> None:
    """An image is always pulled when it is the latest one, otherwise when it is missing."""
    if not container.get("imagePullPolicy"):
        container["imagePullPolicy"] = pull_policy(container.get("image", ""))


def pulling_volume(source: dict[str, Any]) -> None:
    """The image of a volume is pulled as that of a container is."""
    if not source.get("pullPolicy"):
        source["pullPolicy"] = pull_policy(source.get("reference", ""))


RULES: Final = {
    f"{_CORE}.Container": (pulling,),
    f"{_CORE}.EphemeralContainer": (pulling,),
    f"{_CORE}.ImageVolumeSource": (pulling_volume,),
}
