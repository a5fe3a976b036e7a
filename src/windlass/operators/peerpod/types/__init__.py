"""The resource types: data and validation, one module for each kind."""

from windlass.operators.peerpod.types.peer_pod import PeerPod, PeerPodSpec, PeerPodStatus
from windlass.operators.peerpod.types.shared import GROUP, VERSION

__all__ = ["GROUP", "VERSION", "PeerPod", "PeerPodSpec", "PeerPodStatus"]
