"""Says of each PodDisruptionBudget how many of its pods may be evicted."""

from windlass.cluster.controller.disruption.controller import DisruptionController

__all__ = ["DisruptionController"]
