"""Autoscalers in their old form, which has one metric, and others in an annotation."""

from __future__ import annotations

from typing import Any, Final

_OTHER_METRICS: Final = "autoscaling.alpha.kubernetes.io/metrics"
_USUAL_UTILIZATION: Final = 80


def target_utilization(autoscaler: dict[str, Any]) -> None:
    """The processors' utilization is the metric, unless there is another."""
    annotations = autoscaler.get("metadata", {}).get("annotations") or {}
    if _OTHER_METRICS not in annotations:
        autoscaler.setdefault("spec", {}).setdefault("targetCPUUtilizationPercentage", _USUAL_UTILIZATION)


RULES: Final = {"io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler": (target_utilization,)}
