"""Peer pods: pods that run in virtual machines of a cloud, beside the nodes."""

from windlass.operators.peerpod.types import GROUP, PeerPod

__all__ = ["GROUP", "PeerPod"]
