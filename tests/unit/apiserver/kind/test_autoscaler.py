from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable

Object = dict[str, Any]
PREFIX = "autoscaling.alpha.kubernetes.io"
REFERENCE = {"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"}
NEW: Object = {
    "metadata": {"name": "a", "annotations": {"mine": "yes"}},
    "spec": {
        "scaleTargetRef": REFERENCE,
        "minReplicas": 1,
        "maxReplicas": 3,
        "metrics": [
            {
                "type": "Resource",
                "resource": {"name": "memory", "target": {"type": "Utilization", "averageUtilization": 60}},
            },
            {
                "type": "Resource",
                "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 61}},
            },
        ],
        "behavior": {
            "scaleUp": {
                "selectPolicy": "Max",
                "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}],
            }
        },
    },
    "status": {
        "currentReplicas": 1,
        "desiredReplicas": 2,
        "currentMetrics": [
            {
                "type": "Resource",
                "resource": {"name": "cpu", "current": {"averageUtilization": 12, "averageValue": "5m"}},
            }
        ],
        "conditions": [{"type": "AbleToScale", "status": "True", "message": "a<b"}],
    },
}


def test_the_old_version_keeps_in_annotations_what_it_has_no_fields_for(
    traits: Callable[[str, str], Any],
) -> None:
    old = traits("autoscaling/v1", "HorizontalPodAutoscaler").from_stored(NEW)

    assert old["spec"] == {
        "scaleTargetRef": REFERENCE,
        "minReplicas": 1,
        "maxReplicas": 3,
        "targetCPUUtilizationPercentage": 61,
    }
    assert old["status"] == {
        "currentReplicas": 1,
        "desiredReplicas": 2,
        "currentCPUUtilizationPercentage": 12,
    }
    assert old["metadata"]["annotations"] == {
        "mine": "yes",
        f"{PREFIX}/metrics": (
            '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":60}}]'
        ),
        f"{PREFIX}/current-metrics": (
            '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":12,'
            '"currentAverageValue":"5m"}}]'
        ),
        f"{PREFIX}/behavior": (
            '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":'
            '[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":null}'
        ),
        f"{PREFIX}/conditions": r'[{"type":"AbleToScale","status":"True","message":"a\u003cb"}]',
    }


def test_nothing_is_lost_on_the_way_to_the_old_version_and_back(traits: Callable[[str, str], Any]) -> None:
    autoscalers = traits("autoscaling/v1", "HorizontalPodAutoscaler")
    before = deepcopy(NEW)

    back = autoscalers.to_stored(autoscalers.from_stored(NEW))

    assert before == NEW
    assert back == NEW


def test_an_old_one_without_any_metric_scales_by_the_processors(traits: Callable[[str, str], Any]) -> None:
    old = {"metadata": {"name": "a"}, "spec": {"scaleTargetRef": REFERENCE, "maxReplicas": 3}}

    metrics = traits("autoscaling/v1", "HorizontalPodAutoscaler").to_stored(old)["spec"]["metrics"]

    assert metrics == [
        {
            "type": "Resource",
            "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
        }
    ]


def test_an_annotation_that_cannot_be_read_counts_as_absent(traits: Callable[[str, str], Any]) -> None:
    old = {"metadata": {"annotations": {f"{PREFIX}/metrics": "{", f"{PREFIX}/behavior": "["}}, "spec": {}}

    new = traits("autoscaling/v1", "HorizontalPodAutoscaler").to_stored(old)

    assert len(new["spec"]["metrics"]) == 1
    assert "behavior" not in new["spec"]
    assert new["metadata"] == {}


def test_faults_of_the_old_version_stand_where_the_new_one_has_the_field(
    traits: Callable[[str, str], Any],
) -> None:
    spec = {"scaleTargetRef": REFERENCE, "maxReplicas": 3, "targetCPUUtilizationPercentage": 0}
    old = orjson.loads(orjson.dumps({"metadata": {"name": "a", "namespace": "ns"}, "spec": spec}))

    faults = list(traits("autoscaling/v1", "HorizontalPodAutoscaler").validate(old, None, ""))

    assert [fault.field for fault in faults] == ["spec.metrics[0].resource.target.averageUtilization"]
