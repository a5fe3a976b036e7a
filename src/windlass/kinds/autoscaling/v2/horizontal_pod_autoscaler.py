# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, LabelSelector, Model, Quantity, Resource, Time


class MetricTarget(Model):
    average_utilization: int | None = None
    average_value: Quantity | None = None
    type: str
    value: Quantity | None = None


class ContainerResourceMetricSource(Model):
    container: str
    name: str
    target: MetricTarget


class MetricValueStatus(Model):
    average_utilization: int = 0
    average_value: Quantity | None = None
    value: Quantity | None = None


class ContainerResourceMetricStatus(Model):
    container: str = ""
    current: MetricValueStatus | None = None
    name: str = ""


class CrossVersionObjectReference(Model):
    api_version: str | None = None
    kind: str
    name: str


class MetricIdentifier(Model):
    name: str
    selector: LabelSelector | None = None


class ExternalMetricSource(Model):
    metric: MetricIdentifier
    target: MetricTarget


class ExternalMetricStatus(Model):
    current: MetricValueStatus | None = None
    metric: MetricIdentifier | None = None


class HPAScalingPolicy(Model):
    period_seconds: int
    type: str
    value: int


class HPAScalingRules(Model):
    policies: list[HPAScalingPolicy] = []
    select_policy: str | None = None
    stabilization_window_seconds: int | None = None
    tolerance: Quantity | None = None


class HorizontalPodAutoscalerBehavior(Model):
    scale_down: HPAScalingRules | None = None
    scale_up: HPAScalingRules | None = None


class ObjectMetricSource(Model):
    described_object: CrossVersionObjectReference
    metric: MetricIdentifier
    target: MetricTarget


class PodsMetricSource(Model):
    metric: MetricIdentifier
    target: MetricTarget


class ResourceMetricSource(Model):
    name: str
    target: MetricTarget


class MetricSpec(Model):
    container_resource: ContainerResourceMetricSource | None = None
    external: ExternalMetricSource | None = None
    object: ObjectMetricSource | None = None
    pods: PodsMetricSource | None = None
    resource: ResourceMetricSource | None = None
    type: str


class HorizontalPodAutoscalerSpec(Model):
    behavior: HorizontalPodAutoscalerBehavior | None = None
    max_replicas: int
    metrics: list[MetricSpec] = []
    min_replicas: int | None = None
    scale_target_ref: CrossVersionObjectReference


class HorizontalPodAutoscalerCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class ObjectMetricStatus(Model):
    current: MetricValueStatus | None = None
    described_object: CrossVersionObjectReference | None = None
    metric: MetricIdentifier | None = None


class PodsMetricStatus(Model):
    current: MetricValueStatus | None = None
    metric: MetricIdentifier | None = None


class ResourceMetricStatus(Model):
    current: MetricValueStatus | None = None
    name: str = ""


class MetricStatus(Model):
    container_resource: ContainerResourceMetricStatus | None = None
    external: ExternalMetricStatus | None = None
    object: ObjectMetricStatus | None = None
    pods: PodsMetricStatus | None = None
    resource: ResourceMetricStatus | None = None
    type: str = ""


class HorizontalPodAutoscalerStatus(Model):
    conditions: list[HorizontalPodAutoscalerCondition] = []
    current_metrics: list[MetricStatus] = []
    current_replicas: int = 0
    desired_replicas: int = 0
    last_scale_time: Time | None = None
    observed_generation: int = 0


class HorizontalPodAutoscaler(Resource, group="autoscaling", version="v2", plural="horizontalpodautoscalers", subresources=('status',)):
    spec: HorizontalPodAutoscalerSpec
    status: HorizontalPodAutoscalerStatus = Field(default_factory=HorizontalPodAutoscalerStatus)
