"""Autoscalers that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

HORIZONTAL_POD_AUTOSCALER: Final = Sample(
    valid={
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "b"},
            "minReplicas": 1,
            "maxReplicas": 3,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
                }
            ],
        },
    },
    refused={
        "a minimum of zero": {"/spec/minReplicas": 0},
        "a negative minimum": {"/spec/minReplicas": -1},
        "no maximum": {"/spec/maxReplicas": 0},
        "a negative maximum": {"/spec/maxReplicas": -1},
        "a minimum above the maximum": {"/spec/minReplicas": 5},
        "a target without a kind": {"/spec/scaleTargetRef/kind": ""},
        "a target without a name": {"/spec/scaleTargetRef/name": ""},
        "a target of a malformed kind": {"/spec/scaleTargetRef/kind": "a/b"},
        "a target of a malformed version": {"/spec/scaleTargetRef/apiVersion": "a/b/c"},
        "a target of no group": {"/spec/scaleTargetRef/apiVersion": "v1"},
        "a metric without a type": {"/spec/metrics/0/resource": ABSENT, "/spec/metrics/0/type": ""},
        "a metric of an unknown type": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "Unknown",
        },
        "a metric without its source": {"/spec/metrics/0/resource": ABSENT, "/spec/metrics/0/type": "Pods"},
        "a metric of the wrong source": {"/spec/metrics/0/type": "Pods"},
        "a resource without a name": {"/spec/metrics/0/resource/name": ""},
        "a resource without a target": {"/spec/metrics/0/resource/target/averageUtilization": ABSENT},
        "a resource of two targets": {"/spec/metrics/0/resource/target/averageValue": "1"},
        "a target without a type": {"/spec/metrics/0/resource/target/type": ""},
        "a target of an unknown type": {"/spec/metrics/0/resource/target/type": "Unknown"},
        "a target of zero percent": {"/spec/metrics/0/resource/target/averageUtilization": 0},
        "a target of zero": {
            "/spec/metrics/0/resource/target/averageUtilization": ABSENT,
            "/spec/metrics/0/resource/target/type": "AverageValue",
            "/spec/metrics/0/resource/target/averageValue": "0",
        },
        "pods without a target": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "Pods",
            "/spec/metrics/0/pods": {"metric": {"name": "c"}, "target": {"type": "AverageValue"}},
        },
        "pods without a metric": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "Pods",
            "/spec/metrics/0/pods": {
                "metric": {"name": ""},
                "target": {"type": "AverageValue", "averageValue": "1"},
            },
        },
        "a metric's name with a slash": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "Pods",
            "/spec/metrics/0/pods": {
                "metric": {"name": "a/b"},
                "target": {"type": "AverageValue", "averageValue": "1"},
            },
        },
        "something external without a target": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "External",
            "/spec/metrics/0/external": {"metric": {"name": "c"}, "target": {"type": "Value"}},
        },
        "something external of two targets": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "External",
            "/spec/metrics/0/external": {
                "metric": {"name": "c"},
                "target": {"type": "Value", "value": "1", "averageValue": "1"},
            },
        },
        "an object without a target": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "Object",
            "/spec/metrics/0/object": {
                "describedObject": {"kind": "C", "name": "c"},
                "metric": {"name": "c"},
                "target": {"type": "Value"},
            },
        },
        "an object without a kind": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "Object",
            "/spec/metrics/0/object": {
                "describedObject": {"kind": "", "name": "c"},
                "metric": {"name": "c"},
                "target": {"type": "Value", "value": "1"},
            },
        },
        "a container without a name": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "ContainerResource",
            "/spec/metrics/0/containerResource": {
                "name": "cpu",
                "container": "",
                "target": {"type": "Utilization", "averageUtilization": 80},
            },
        },
        "a container's unknown resource": {
            "/spec/metrics/0/resource": ABSENT,
            "/spec/metrics/0/type": "ContainerResource",
            "/spec/metrics/0/containerResource": {
                "name": "unknown",
                "container": "c",
                "target": {"type": "Utilization", "averageUtilization": 80},
            },
        },
        "behaviour without policies": {
            "/spec/behavior": {
                "scaleUp": {"stabilizationWindowSeconds": 0, "selectPolicy": "Max", "policies": []}
            }
        },
        "behaviour of an unknown choice": {
            "/spec/behavior": {
                "scaleUp": {
                    "selectPolicy": "Unknown",
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1}],
                }
            }
        },
        "a window of more than an hour": {
            "/spec/behavior": {
                "scaleDown": {
                    "stabilizationWindowSeconds": 3601,
                    "selectPolicy": "Max",
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1}],
                }
            }
        },
        "a negative window": {
            "/spec/behavior": {
                "scaleDown": {
                    "stabilizationWindowSeconds": -1,
                    "selectPolicy": "Max",
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1}],
                }
            }
        },
        "a policy of an unknown type": {
            "/spec/behavior": {
                "scaleDown": {
                    "selectPolicy": "Max",
                    "policies": [{"type": "Unknown", "value": 1, "periodSeconds": 1}],
                }
            }
        },
        "a policy of nothing": {
            "/spec/behavior": {
                "scaleDown": {
                    "selectPolicy": "Max",
                    "policies": [{"type": "Pods", "value": 0, "periodSeconds": 0}],
                }
            }
        },
        "a policy of more than half an hour": {
            "/spec/behavior": {
                "scaleDown": {
                    "selectPolicy": "Max",
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1801}],
                }
            }
        },
        "a negative tolerance": {
            "/spec/behavior": {
                "scaleDown": {
                    "tolerance": "-1",
                    "selectPolicy": "Max",
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1}],
                }
            }
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "two sources of a metric": {
            "/spec/metrics/0/pods": {
                "metric": {"name": "c"},
                "target": {"type": "AverageValue", "averageValue": "1"},
            }
        },
        "a container in capitals": {
            "/spec/metrics": [
                {
                    "type": "ContainerResource",
                    "containerResource": {
                        "name": "cpu",
                        "container": "Upper",
                        "target": {"type": "Utilization", "averageUtilization": 80},
                    },
                }
            ]
        },
    },
    frozen={
        "a minimum of zero": {"/spec/minReplicas": 0},
        "a target of no group": {"/spec/scaleTargetRef/apiVersion": "v1"},
    },
    status={
        "less than no replicas": {"/status": {"currentReplicas": -1, "desiredReplicas": -1}},
    },
    accepted={
        "a metric of pods": {
            "/spec/metrics": [
                {
                    "type": "Pods",
                    "pods": {
                        "metric": {"name": "c"},
                        "target": {"type": "AverageValue", "averageValue": "1"},
                    },
                }
            ]
        },
        "a replication controller": {
            "/spec/scaleTargetRef": {"apiVersion": "v1", "kind": "ReplicationController", "name": "b"}
        },
        "behaviour": {
            "/spec/behavior": {
                "scaleDown": {
                    "stabilizationWindowSeconds": 3600,
                    "selectPolicy": "Disabled",
                    "tolerance": "100m",
                    "policies": [{"type": "Percent", "value": 1, "periodSeconds": 1800}],
                }
            }
        },
    },
    changed={
        "another maximum": {"/spec/maxReplicas": 5},
    },
)

HORIZONTAL_POD_AUTOSCALER_V1: Final = Sample(
    valid={
        "apiVersion": "autoscaling/v1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "b"},
            "minReplicas": 1,
            "maxReplicas": 3,
            "targetCPUUtilizationPercentage": 80,
        },
    },
    refused={
        "a target of zero percent": {"/spec/targetCPUUtilizationPercentage": 0},
        "a minimum of zero": {"/spec/minReplicas": 0},
        "no maximum": {"/spec/maxReplicas": 0},
        "a target without a name": {"/spec/scaleTargetRef/name": ""},
    },
    variant="v1",
)


SAMPLES: Final = (
    HORIZONTAL_POD_AUTOSCALER,
    HORIZONTAL_POD_AUTOSCALER_V1,
)
