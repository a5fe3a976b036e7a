"""The kinds of autoscaling/v2 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ContainerResourceMetricSource as ContainerResourceMetricSource
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ContainerResourceMetricStatus as ContainerResourceMetricStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import CrossVersionObjectReference as CrossVersionObjectReference
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ExternalMetricSource as ExternalMetricSource
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ExternalMetricStatus as ExternalMetricStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HPAScalingPolicy as HPAScalingPolicy
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HPAScalingRules as HPAScalingRules
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HorizontalPodAutoscaler as HorizontalPodAutoscaler
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HorizontalPodAutoscalerBehavior as HorizontalPodAutoscalerBehavior
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HorizontalPodAutoscalerCondition as HorizontalPodAutoscalerCondition
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HorizontalPodAutoscalerSpec as HorizontalPodAutoscalerSpec
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import HorizontalPodAutoscalerStatus as HorizontalPodAutoscalerStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import MetricIdentifier as MetricIdentifier
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import MetricSpec as MetricSpec
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import MetricStatus as MetricStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import MetricTarget as MetricTarget
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import MetricValueStatus as MetricValueStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ObjectMetricSource as ObjectMetricSource
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ObjectMetricStatus as ObjectMetricStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import PodsMetricSource as PodsMetricSource
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import PodsMetricStatus as PodsMetricStatus
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ResourceMetricSource as ResourceMetricSource
    from windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler import ResourceMetricStatus as ResourceMetricStatus

__lazy__ = {
    "ContainerResourceMetricSource": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ContainerResourceMetricStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "CrossVersionObjectReference": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ExternalMetricSource": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ExternalMetricStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HPAScalingPolicy": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HPAScalingRules": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HorizontalPodAutoscaler": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HorizontalPodAutoscalerBehavior": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HorizontalPodAutoscalerCondition": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HorizontalPodAutoscalerSpec": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "HorizontalPodAutoscalerStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "MetricIdentifier": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "MetricSpec": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "MetricStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "MetricTarget": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "MetricValueStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ObjectMetricSource": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ObjectMetricStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "PodsMetricSource": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "PodsMetricStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ResourceMetricSource": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
    "ResourceMetricStatus": "windlass.kinds.autoscaling.v2.horizontal_pod_autoscaler",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
