"""Pods that no kubelet ends: their node is gone, they never had one, or too many of them are over."""

from windlass.cluster.controller.pod_garbage.controller import PodGarbageCollector, PodGarbageOptions

__all__ = ["PodGarbageCollector", "PodGarbageOptions"]
