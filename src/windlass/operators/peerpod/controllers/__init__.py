"""The reconcilers of both kinds."""

from windlass.operators.peerpod.controllers.dangling import FINALIZER, Dangling
from windlass.operators.peerpod.controllers.peer_pod import CLEANED, PeerPodController

__all__ = ["CLEANED", "FINALIZER", "Dangling", "PeerPodController"]
