"""The controllers, one for each kind."""

from windlass.operators.peerpod.controllers.config import PeerPodConfigController
from windlass.operators.peerpod.controllers.dangling import FINALIZER, Dangling
from windlass.operators.peerpod.controllers.peer_pod import CLEANED, PeerPodController

__all__ = ["CLEANED", "FINALIZER", "Dangling", "PeerPodConfigController", "PeerPodController"]
