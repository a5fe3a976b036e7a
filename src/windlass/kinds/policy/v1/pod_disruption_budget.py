# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Condition, Field, IntOrString, LabelSelector, Model, Resource, Time


class PodDisruptionBudgetSpec(Model):
    max_unavailable: IntOrString | None = None
    min_available: IntOrString | None = None
    selector: LabelSelector | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(Model):
    conditions: list[Condition] = []
    current_healthy: int = 0
    desired_healthy: int = 0
    disrupted_pods: dict[str, Time] = {}
    disruptions_allowed: int = 0
    expected_pods: int = 0
    observed_generation: int = 0


class PodDisruptionBudget(Resource, group="policy", version="v1", plural="poddisruptionbudgets", subresources=('status',)):
    spec: PodDisruptionBudgetSpec = Field(default_factory=PodDisruptionBudgetSpec)
    status: PodDisruptionBudgetStatus = Field(default_factory=PodDisruptionBudgetStatus)
