"""Runs pods in virtual machines of a cloud, beside the nodes: capacity for them, and what they need to start."""

from windlass.operators.peerpod.types import GROUP, PeerPod

__all__ = ["GROUP", "PeerPod"]
