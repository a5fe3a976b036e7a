# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Field, Model, Resource, Time, Wire


class CrossVersionObjectReference(Model):
    api_version: str | None = None
    kind: str
    name: str


class HorizontalPodAutoscalerSpec(Model):
    max_replicas: int
    min_replicas: int | None = None
    scale_target_ref: CrossVersionObjectReference
    target_cpu_utilization_percentage: Annotated[int | None, Wire("targetCPUUtilizationPercentage")] = None


class HorizontalPodAutoscalerStatus(Model):
    current_cpu_utilization_percentage: Annotated[int, Wire("currentCPUUtilizationPercentage")] = 0
    current_replicas: int = 0
    desired_replicas: int = 0
    last_scale_time: Time | None = None
    observed_generation: int = 0


class HorizontalPodAutoscaler(Resource, group="autoscaling", version="v1", plural="horizontalpodautoscalers", subresources=('status',)):
    spec: HorizontalPodAutoscalerSpec
    status: HorizontalPodAutoscalerStatus = Field(default_factory=HorizontalPodAutoscalerStatus)
