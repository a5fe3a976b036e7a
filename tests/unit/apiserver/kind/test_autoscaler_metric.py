from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.kind.autoscaler_metric import to_new, to_old

Metric = dict[str, Any]
PAIRS: dict[str, tuple[str, Metric, Metric]] = {
    "utilization": (
        "target",
        {
            "type": "Resource",
            "resource": {"name": "memory", "target": {"type": "Utilization", "averageUtilization": 60}},
        },
        {"type": "Resource", "resource": {"name": "memory", "targetAverageUtilization": 60}},
    ),
    "a value of a resource": (
        "target",
        {
            "type": "Resource",
            "resource": {"name": "cpu", "target": {"type": "AverageValue", "averageValue": "1"}},
        },
        {"type": "Resource", "resource": {"name": "cpu", "targetAverageValue": "1"}},
    ),
    "pods": (
        "target",
        {
            "type": "Pods",
            "pods": {
                "metric": {"name": "m", "selector": {"matchLabels": {"a": "b"}}},
                "target": {"type": "AverageValue", "averageValue": "5"},
            },
        },
        {
            "type": "Pods",
            "pods": {
                "metricName": "m",
                "targetAverageValue": "5",
                "selector": {"matchLabels": {"a": "b"}},
            },
        },
    ),
    "an object": (
        "target",
        {
            "type": "Object",
            "object": {
                "describedObject": {"kind": "Service", "name": "s"},
                "metric": {"name": "m"},
                "target": {"type": "Value", "value": "5"},
            },
        },
        {
            "type": "Object",
            "object": {
                "target": {"kind": "Service", "name": "s"},
                "metricName": "m",
                "targetValue": "5",
            },
        },
    ),
    "an average of an object": (
        "target",
        {
            "type": "Object",
            "object": {
                "describedObject": {"kind": "Service", "name": "s"},
                "metric": {"name": "m"},
                "target": {"type": "AverageValue", "averageValue": "5"},
            },
        },
        {
            "type": "Object",
            "object": {
                "target": {"kind": "Service", "name": "s"},
                "metricName": "m",
                "targetValue": "0",
                "averageValue": "5",
            },
        },
    ),
    "something outside": (
        "target",
        {
            "type": "External",
            "external": {"metric": {"name": "m"}, "target": {"type": "Value", "value": "5"}},
        },
        {"type": "External", "external": {"metricName": "m", "targetValue": "5"}},
    ),
    "a container": (
        "target",
        {
            "type": "ContainerResource",
            "containerResource": {
                "name": "cpu",
                "container": "c",
                "target": {"type": "Utilization", "averageUtilization": 5},
            },
        },
        {
            "type": "ContainerResource",
            "containerResource": {"name": "cpu", "targetAverageUtilization": 5, "container": "c"},
        },
    ),
    "what is measured": (
        "current",
        {
            "type": "Resource",
            "resource": {"name": "cpu", "current": {"averageUtilization": 12, "averageValue": "5m"}},
        },
        {
            "type": "Resource",
            "resource": {"name": "cpu", "currentAverageUtilization": 12, "currentAverageValue": "5m"},
        },
    ),
}


@pytest.mark.parametrize(("side", "new", "old"), PAIRS.values(), ids=PAIRS)
def test_a_metric_is_the_same_after_a_journey_through_the_old_form(
    side: str, new: Metric, old: Metric
) -> None:
    assert to_old(new, side) == old
    assert to_new(old, side) == new


def test_fields_stand_in_the_order_in_which_go_writes_them() -> None:
    _, new, old = PAIRS["a container"]

    written = to_old(new, "target")["containerResource"]

    assert list(written) == list(old["containerResource"])


def test_an_amount_that_was_not_measured_is_zero_in_the_old_form() -> None:
    measured = {"type": "External", "external": {"metric": {"name": "m"}, "current": {"averageValue": "1"}}}

    assert to_old(measured, "current")["external"] == {
        "metricName": "m",
        "currentValue": "0",
        "currentAverageValue": "1",
    }
