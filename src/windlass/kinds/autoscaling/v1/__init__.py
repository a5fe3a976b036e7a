"""The kinds of autoscaling/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler import CrossVersionObjectReference as CrossVersionObjectReference
    from windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler import HorizontalPodAutoscaler as HorizontalPodAutoscaler
    from windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler import HorizontalPodAutoscalerSpec as HorizontalPodAutoscalerSpec
    from windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler import HorizontalPodAutoscalerStatus as HorizontalPodAutoscalerStatus
    from windlass.kinds.autoscaling.v1.scale import Scale as Scale
    from windlass.kinds.autoscaling.v1.scale import ScaleSpec as ScaleSpec
    from windlass.kinds.autoscaling.v1.scale import ScaleStatus as ScaleStatus

__lazy__ = {
    "CrossVersionObjectReference": "windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler",
    "HorizontalPodAutoscaler": "windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler",
    "HorizontalPodAutoscalerSpec": "windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler",
    "HorizontalPodAutoscalerStatus": "windlass.kinds.autoscaling.v1.horizontal_pod_autoscaler",
    "Scale": "windlass.kinds.autoscaling.v1.scale",
    "ScaleSpec": "windlass.kinds.autoscaling.v1.scale",
    "ScaleStatus": "windlass.kinds.autoscaling.v1.scale",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
