"""Leases, events, budgets and classes of pods that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

LEASE: Final = Sample(
    valid={
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "a"},
        "spec": {"holderIdentity": "b", "leaseDurationSeconds": 15, "leaseTransitions": 0},
    },
    refused={
        "a duration of a text": {"/spec/leaseDurationSeconds": "long"},
        "a transition time without microseconds": {"/spec/acquireTime": "2026-01-01T00:00:00Z"},
        "a name with an underscore": {"/metadata/name": "a_b"},
        "no time at all": {"/spec/leaseDurationSeconds": 0},
        "less than no time": {"/spec/leaseDurationSeconds": -1},
        "less than no transitions": {"/spec/leaseTransitions": -1},
        "neither time nor transitions": {"/spec/leaseDurationSeconds": 0, "/spec/leaseTransitions": -1},
        "a malformed time": {"/spec/renewTime": "today"},
        "a time without microseconds": {"/spec/renewTime": "2026-01-01T00:00:00Z"},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    frozen={
        "no time at all": {"/spec/leaseDurationSeconds": 0},
        "less than no transitions": {"/spec/leaseTransitions": -1},
    },
    accepted={
        "an empty lease": {"/spec": {}},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
    },
    changed={
        "another holder": {"/spec/holderIdentity": "c", "/spec/leaseTransitions": 1},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
    },
)

EVENT: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "a"},
        "involvedObject": {"kind": "Pod", "name": "b", "namespace": "default"},
        "reason": "Started",
        "type": "Normal",
        "eventTime": "2026-01-01T00:00:00.000001Z",
        "reportingComponent": "example.com/controller",
        "reportingInstance": "controller-0",
        "action": "Starting",
    },
    refused={
        "an old event of another namespace": {"/eventTime": ABSENT, "/involvedObject/namespace": "other"},
        "a new event of no namespace": {
            "/metadata/name": "b",
            "/involvedObject/namespace": ABSENT,
            "/reportingInstance": "",
        },
        "no reporter": {"/reportingComponent": ""},
        "a reporter with a blank": {"/reportingComponent": "a b"},
        "a reporter with two slashes": {"/reportingComponent": "a/b/c"},
        "no instance": {"/reportingInstance": ""},
        "an instance beyond 128 characters": {"/reportingInstance": "a" * 129},
        "no action": {"/action": ABSENT},
        "an action beyond 128 characters": {"/action": "a" * 129},
        "no reason": {"/reason": ABSENT},
        "a reason beyond 128 characters": {"/reason": "a" * 129},
        "a malformed time": {"/eventTime": "today"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
)

NEW_EVENT: Final = Sample(
    valid={
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"name": "a"},
        "regarding": {"kind": "Pod", "name": "b", "namespace": "default"},
        "reason": "Started",
        "type": "Normal",
        "eventTime": "2026-01-01T00:00:00.000001Z",
        "reportingController": "example.com/controller",
        "reportingInstance": "controller-0",
        "action": "Starting",
        "note": "all well",
    },
    refused={
        "no time": {"/eventTime": ABSENT},
        "no reporter": {"/reportingController": ABSENT},
        "a reporter with a blank": {"/reportingController": "a b"},
        "no instance": {"/reportingInstance": ABSENT},
        "no action": {"/action": ABSENT},
        "no reason": {"/reason": ABSENT},
        "no type": {"/type": ABSENT},
        "an unknown type": {"/type": "Unknown"},
        "a count of the old kind": {"/deprecatedCount": 1},
        "a source of the old kind": {"/deprecatedSource": {"component": "b"}},
        "a first time of the old kind": {"/deprecatedFirstTimestamp": "2026-01-01T00:00:00Z"},
        "a last time of the old kind": {"/deprecatedLastTimestamp": "2026-01-01T00:00:00Z"},
        "a series of one": {"/series": {"count": 1, "lastObservedTime": "2026-01-01T00:00:00.000001Z"}},
        "a series without a time": {"/series": {"count": 2}},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    frozen={
        "another note": {"/note": "not so well"},
        "another reason": {"/reason": "Stopped"},
        "another type": {"/type": "Warning"},
        "another action": {"/action": "Stopping"},
        "another reporter": {"/reportingController": "example.com/other"},
        "another instance": {"/reportingInstance": "controller-1"},
        "another time": {"/eventTime": "2026-01-01T00:00:00.000002Z"},
        "another object": {"/regarding/name": "c"},
        "a related object": {"/related": {"kind": "Pod", "name": "c"}},
        "a count of the old kind": {"/deprecatedCount": 1},
        "a source of the old kind": {"/deprecatedSource": {"component": "b"}},
        "a series of one": {"/series": {"count": 1, "lastObservedTime": "2026-01-01T00:00:00.000001Z"}},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
    },
    accepted={
        "a series": {"/series": {"count": 2, "lastObservedTime": "2026-01-01T00:00:00.000001Z"}},
    },
    changed={
        "a series": {"/series": {"count": 2, "lastObservedTime": "2026-01-01T00:00:00.000001Z"}},
    },
)

POD_DISRUPTION_BUDGET: Final = Sample(
    valid={
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "a"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "a"}}},
    },
    refused={
        "two bounds": {"/spec/maxUnavailable": 1},
        "less than none": {"/spec/minAvailable": -1},
        "more than all": {"/spec/minAvailable": "101%"},
        "a number as text": {"/spec/minAvailable": "1"},
        "a fraction": {"/spec/minAvailable": "1.5%"},
        "less than none unavailable": {"/spec/minAvailable": ABSENT, "/spec/maxUnavailable": -1},
        "more than all unavailable": {"/spec/minAvailable": ABSENT, "/spec/maxUnavailable": "101%"},
        "a selector with a blank": {"/spec/selector/matchLabels/app": "a b"},
        "a selector of an unknown operator": {
            "/spec/selector/matchExpressions": [{"key": "a", "operator": "Unknown"}]
        },
        "a selector without values": {"/spec/selector/matchExpressions": [{"key": "a", "operator": "In"}]},
        "an unknown policy": {"/spec/unhealthyPodEvictionPolicy": "Unknown"},
        "a name with a slash": {"/metadata/name": "a/b"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    frozen={
        "two bounds": {"/spec/maxUnavailable": 1},
        "less than none": {"/spec/minAvailable": -1},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    status={
        "less than no healthy pods": {
            "/status": {"currentHealthy": -1, "desiredHealthy": 0, "disruptionsAllowed": 0, "expectedPods": 0}
        },
        "a condition of an unknown status": {
            "/status": {
                "conditions": [
                    {
                        "type": "A",
                        "status": "Maybe",
                        "reason": "B",
                        "message": "",
                        "lastTransitionTime": "2026-01-01T00:00:00Z",
                    }
                ]
            }
        },
        "a condition without a reason": {
            "/status": {
                "conditions": [
                    {
                        "type": "A",
                        "status": "True",
                        "reason": "",
                        "message": "",
                        "lastTransitionTime": "2026-01-01T00:00:00Z",
                    }
                ]
            }
        },
        "a condition with a malformed reason": {
            "/status": {
                "conditions": [
                    {
                        "type": "A",
                        "status": "True",
                        "reason": "b c",
                        "message": "",
                        "lastTransitionTime": "2026-01-01T00:00:00Z",
                    }
                ]
            }
        },
        "a condition twice": {
            "/status": {
                "conditions": [
                    {
                        "type": "A",
                        "status": "True",
                        "reason": "B",
                        "message": "",
                        "lastTransitionTime": "2026-01-01T00:00:00Z",
                    },
                    {
                        "type": "A",
                        "status": "True",
                        "reason": "B",
                        "message": "",
                        "lastTransitionTime": "2026-01-01T00:00:00Z",
                    },
                ]
            }
        },
        "a condition of a malformed type": {
            "/status/conditions": [
                {
                    "type": "a b",
                    "status": "True",
                    "reason": "B",
                    "message": "",
                    "lastTransitionTime": "2026-01-01T00:00:00Z",
                    "observedGeneration": -1,
                }
            ]
        },
        "a condition without a time": {
            "/status/conditions": [
                {"type": "A", "status": "True", "reason": "B", "message": "", "lastTransitionTime": None}
            ]
        },
        "a condition that says too much": {
            "/status/conditions": [
                {
                    "type": "A",
                    "status": "True",
                    "reason": "B" * 1025,
                    "message": "x" * 32769,
                    "lastTransitionTime": "2026-01-01T00:00:00Z",
                }
            ]
        },
    },
    accepted={
        "all of them": {"/spec/minAvailable": "100%"},
        "more than 100": {"/spec/minAvailable": 101},
        "none": {"/spec/minAvailable": ABSENT, "/spec/maxUnavailable": 0},
        "no bound": {"/spec/minAvailable": ABSENT},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    changed={
        "another bound": {"/spec/minAvailable": 2},
    },
)

PRIORITY_CLASS: Final = Sample(
    valid={
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "a"},
        "value": 10,
        "preemptionPolicy": "PreemptLowerPriority",
    },
    refused={
        "more than a user may have": {"/value": 1000000001},
        "a number beyond 32 bits": {"/value": 3000000000},
        "a name of the system": {"/metadata/name": "system-mine"},
        "a name of the system with another value": {"/metadata/name": "system-node-critical"},
        "a name of the system as default": {
            "/metadata/name": "system-node-critical",
            "/value": 2000001000,
            "/globalDefault": True,
        },
        "an unknown policy": {"/preemptionPolicy": "Unknown"},
        "an empty policy": {"/preemptionPolicy": ""},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a name with an underscore": {"/metadata/name": "a_b"},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
        "a value that is a text": {"/value": "high"},
    },
    frozen={
        "another value": {"/value": 11},
        "another policy": {"/preemptionPolicy": "Never"},
    },
    accepted={
        "a negative value": {"/value": -1},
        "the highest value": {"/value": 1000000000, "/preemptionPolicy": "Never"},
    },
    changed={
        "a description": {"/description": "x"},
    },
    namespaced=False,
)

RUNTIME_CLASS: Final = Sample(
    valid={
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "a"},
        "handler": "runc",
    },
    refused={
        "no handler": {"/handler": ""},
        "a handler in capitals": {"/handler": "Upper"},
        "a handler with a dot": {"/handler": "a.b"},
        "overhead of an unknown resource": {"/overhead": {"podFixed": {"unknown": "1"}}},
        "overhead of less than nothing": {"/overhead": {"podFixed": {"cpu": "-1"}}},
        "a malformed overhead": {"/overhead": {"podFixed": {"cpu": "1x"}}},
        "nodes with a blank": {"/scheduling": {"nodeSelector": {"app": "a b"}}},
        "a toleration of an unknown operator": {
            "/scheduling": {"tolerations": [{"key": "a", "operator": "Unknown"}]}
        },
        "a toleration of an unknown effect": {
            "/scheduling": {"tolerations": [{"key": "a", "operator": "Exists", "effect": "Unknown"}]}
        },
        "a toleration with a needless value": {
            "/scheduling": {"tolerations": [{"key": "a", "operator": "Exists", "value": "b"}]}
        },
        "one toleration twice": {
            "/scheduling": {
                "tolerations": [{"key": "a", "operator": "Exists"}, {"key": "a", "operator": "Exists"}]
            }
        },
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "another handler": {"/handler": "kata"},
        "nodes with a blank": {"/scheduling": {"nodeSelector": {"app": "a b"}}},
    },
    accepted={
        "overhead": {"/overhead": {"podFixed": {"cpu": "100m", "memory": "1Mi"}}},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
        "tolerations": {
            "/scheduling": {"tolerations": [{"key": "a", "operator": "Exists"}, {"operator": "Exists"}]}
        },
    },
    namespaced=False,
)


SAMPLES: Final = (
    LEASE,
    EVENT,
    NEW_EVENT,
    POD_DISRUPTION_BUDGET,
    PRIORITY_CLASS,
    RUNTIME_CLASS,
)
