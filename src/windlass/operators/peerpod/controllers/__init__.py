"""The controllers, one for each kind."""

from windlass.operators.peerpod.controllers.config import PeerPodConfigController

__all__ = ["PeerPodConfigController"]
