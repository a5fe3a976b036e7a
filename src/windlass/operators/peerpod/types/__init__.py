"""The resource types: data and validation, one module for each kind."""

from windlass.operators.peerpod.types.config import (
    DEFAULT_SELECTOR,
    Components,
    NodeSelector,
    NodeShare,
    PeerPodConfig,
    PeerPodConfigSpec,
    PeerPodConfigStatus,
)
from windlass.operators.peerpod.types.peer_pod import PeerPod, PeerPodSpec, PeerPodStatus
from windlass.operators.peerpod.types.shared import GROUP, VERSION

__all__ = [
    "DEFAULT_SELECTOR",
    "GROUP",
    "VERSION",
    "Components",
    "NodeSelector",
    "NodeShare",
    "PeerPod",
    "PeerPodConfig",
    "PeerPodConfigSpec",
    "PeerPodConfigStatus",
    "PeerPodSpec",
    "PeerPodStatus",
]
