"""The kinds of policy/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.policy.v1.eviction import Eviction as Eviction
    from windlass.kinds.policy.v1.pod_disruption_budget import PodDisruptionBudget as PodDisruptionBudget
    from windlass.kinds.policy.v1.pod_disruption_budget import PodDisruptionBudgetSpec as PodDisruptionBudgetSpec
    from windlass.kinds.policy.v1.pod_disruption_budget import PodDisruptionBudgetStatus as PodDisruptionBudgetStatus

__lazy__ = {
    "Eviction": "windlass.kinds.policy.v1.eviction",
    "PodDisruptionBudget": "windlass.kinds.policy.v1.pod_disruption_budget",
    "PodDisruptionBudgetSpec": "windlass.kinds.policy.v1.pod_disruption_budget",
    "PodDisruptionBudgetStatus": "windlass.kinds.policy.v1.pod_disruption_budget",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
