"""Nodes, limits and quotas that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

NODE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "a"},
        "spec": {"podCIDR": "192.0.2.0/24", "podCIDRs": ["192.0.2.0/24"], "providerID": "test://a"},
        "status": {"capacity": {"cpu": "1", "pods": "10"}, "allocatable": {"cpu": "1", "pods": "10"}},
    },
    refused={
        "a name in capitals": {"/metadata/name": "Upper"},
        "a taint without a key": {"/spec/taints": [{"effect": "NoSchedule"}]},
        "a taint without an effect": {"/spec/taints": [{"key": "a"}]},
        "a taint of an unknown effect": {"/spec/taints": [{"key": "a", "effect": "Unknown"}]},
        "a taint with a blank": {"/spec/taints": [{"key": "a", "value": "a b", "effect": "NoSchedule"}]},
        "one taint twice": {
            "/spec/taints": [
                {"key": "a", "value": "x", "effect": "NoSchedule"},
                {"key": "a", "value": "y", "effect": "NoSchedule"},
            ]
        },
        "a malformed range": {"/spec/podCIDR": "here", "/spec/podCIDRs": ["here"]},
        "a range with bits beyond its prefix": {
            "/spec/podCIDR": "192.0.2.1/24",
            "/spec/podCIDRs": ["192.0.2.1/24"],
        },
        "two ranges of one family": {"/spec/podCIDRs/-": "198.51.100.0/24"},
        "half a pod": {"/status/capacity/pods": "500m"},
        "less than no CPU": {"/status/capacity/cpu": "-1"},
        "half a device": {"/status/allocatable/example.com~1device": "500m"},
        "features out of order": {"/status/declaredFeatures": ["B", "A"]},
        "one feature twice": {"/status/declaredFeatures": ["A", "A"]},
        "a feature in small letters": {"/status/declaredFeatures": ["a"]},
        "swap of zero bytes": {"/status/nodeInfo": {"swap": {"capacity": 0}}},
        "a malformed taint in an annotation": {
            "/metadata/annotations": {"scheduler.alpha.kubernetes.io/taints": '[{"key":"a"}]'}
        },
        "a taint in an annotation that is no JSON": {
            "/metadata/annotations": {"scheduler.alpha.kubernetes.io/taints": "here"}
        },
        "a feature beyond 253 characters": {"/status/declaredFeatures": ["A" * 254]},
        "a range of a prefix too long": {"/spec/podCIDR": "192.0.2.0/33", "/spec/podCIDRs": ["192.0.2.0/33"]},
    },
    frozen={
        "another range": {"/spec/podCIDR": "198.51.100.0/24", "/spec/podCIDRs": ["198.51.100.0/24"]},
        "two ranges": {"/spec/podCIDRs/-": "2001:db8::/64"},
        "another provider": {"/spec/providerID": "test://b"},
        "a taint of an unknown effect": {"/spec/taints": [{"key": "a", "effect": "Unknown"}]},
    },
    status={
        "one address twice": {
            "/status/addresses": [
                {"type": "InternalIP", "address": "192.0.2.1"},
                {"type": "InternalIP", "address": "192.0.2.1"},
            ]
        },
        "half a pod": {"/status/capacity/pods": "500m"},
    },
    accepted={
        "ranges of both families": {"/spec/podCIDRs": ["192.0.2.0/24", "2001:db8::/64"]},
        "one taint key of two effects": {
            "/spec/taints": [{"key": "a", "effect": "NoSchedule"}, {"key": "a", "effect": "NoExecute"}]
        },
        "whole devices": {"/status/capacity": {"example.com/device": "2"}},
        "features in order": {"/status/declaredFeatures": ["A", "B/c"]},
    },
    changed={
        "a taint": {"/spec/taints": [{"key": "a", "value": "b", "effect": "PreferNoSchedule"}]},
        "no more pods": {"/spec/unschedulable": True},
    },
    namespaced=False,
)

LIMIT_RANGE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "a"},
        "spec": {
            "limits": [
                {
                    "type": "Container",
                    "max": {"cpu": "2"},
                    "min": {"cpu": "100m"},
                    "default": {"cpu": "1"},
                    "defaultRequest": {"cpu": "500m"},
                }
            ]
        },
    },
    refused={
        "no type": {
            "/spec/limits/0/type": ABSENT,
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/default": ABSENT,
            "/spec/limits/0/defaultRequest": ABSENT,
        },
        "an unknown type": {
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/default": ABSENT,
            "/spec/limits/0/defaultRequest": ABSENT,
            "/spec/limits/0/type": "Unknown",
        },
        "one type twice": {
            "/spec/limits": [{"type": "Pod", "max": {"cpu": "2"}}, {"type": "Pod", "max": {"cpu": "2"}}]
        },
        "an unknown resource": {"/spec/limits": [{"type": "Pod", "max": {"unknown": "2"}}]},
        "a resource that no container has": {
            "/spec/limits": [
                {
                    "type": "Container",
                    "max": {"pods": "2"},
                    "default": {"pods": "2"},
                    "defaultRequest": {"pods": "2"},
                }
            ]
        },
        "a malformed resource": {"/spec/limits": [{"type": "Pod", "max": {"a b": "2"}}]},
        "a minimum above the maximum": {
            "/spec/limits": [{"type": "Pod", "max": {"cpu": "1"}, "min": {"cpu": "2"}}]
        },
        "a default of a pod": {
            "/spec/limits/0/max": ABSENT,
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/defaultRequest": ABSENT,
            "/spec/limits/0/type": "Pod",
        },
        "a default request of a pod": {"/spec/limits": [{"type": "Pod", "defaultRequest": {"cpu": "1"}}]},
        "a default above the maximum": {
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/max/cpu": "1",
            "/spec/limits/0/default/cpu": "2",
            "/spec/limits/0/defaultRequest/cpu": "1",
        },
        "a default below the minimum": {
            "/spec/limits/0/max": ABSENT,
            "/spec/limits/0/min/cpu": "1",
            "/spec/limits/0/default/cpu": "500m",
        },
        "a default request above the default": {
            "/spec/limits/0/max": ABSENT,
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/defaultRequest/cpu": "2",
        },
        "a default request above the maximum": {
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/max/cpu": "1",
            "/spec/limits/0/defaultRequest/cpu": "2",
        },
        "a ratio below one": {"/spec/limits": [{"type": "Pod", "maxLimitRequestRatio": {"cpu": "500m"}}]},
        "a ratio beyond maximum and minimum": {
            "/spec/limits": [
                {
                    "type": "Pod",
                    "max": {"cpu": "2"},
                    "min": {"cpu": "1"},
                    "maxLimitRequestRatio": {"cpu": "3"},
                }
            ]
        },
        "a claim without bounds": {"/spec/limits": [{"type": "PersistentVolumeClaim"}]},
        "huge pages that differ": {
            "/spec/limits": [
                {
                    "type": "Container",
                    "default": {"hugepages-2Mi": "4Mi"},
                    "defaultRequest": {"hugepages-2Mi": "2Mi"},
                }
            ]
        },
        "a malformed quantity": {"/spec/limits": [{"type": "Pod", "max": {"cpu": "1x"}}]},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "a minimum above the maximum": {
            "/spec/limits": [{"type": "Pod", "max": {"cpu": "1"}, "min": {"cpu": "2"}}]
        },
        "an unknown type": {
            "/spec/limits/0/min": ABSENT,
            "/spec/limits/0/default": ABSENT,
            "/spec/limits/0/defaultRequest": ABSENT,
            "/spec/limits/0/type": "Unknown",
        },
    },
    accepted={
        "a ratio of one": {"/spec/limits": [{"type": "Pod", "maxLimitRequestRatio": {"cpu": "1"}}]},
        "a ratio that maximum and minimum allow": {
            "/spec/limits": [
                {
                    "type": "Pod",
                    "max": {"cpu": "2"},
                    "min": {"cpu": "1"},
                    "maxLimitRequestRatio": {"cpu": "2"},
                }
            ]
        },
        "a bound of claims": {"/spec/limits": [{"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}}]},
        "a type with a domain": {"/spec/limits": [{"type": "example.com/thing", "max": {"storage": "1"}}]},
    },
)

RESOURCE_QUOTA: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "a"},
        "spec": {"hard": {"pods": "10"}},
    },
    refused={
        "half a pod": {"/spec/hard/pods": "500m"},
        "less than no pods": {"/spec/hard/pods": "-1"},
        "an unknown resource": {"/spec/hard/unknown": "1"},
        "a malformed resource": {"/spec/hard/a b": "1"},
        "a resource that cannot be counted": {"/spec/hard/storage": "1"},
        "a malformed quantity": {"/spec/hard/pods": "1x"},
        "an unknown scope": {"/spec/scopes": ["Unknown"]},
        "a scope that does not fit": {
            "/spec/hard/pods": ABSENT,
            "/spec/hard/services": "1",
            "/spec/scopes": ["BestEffort"],
        },
        "a CPU for those who ask for none": {
            "/spec/hard/pods": ABSENT,
            "/spec/hard/cpu": "1",
            "/spec/scopes": ["BestEffort"],
        },
        "scopes that exclude each other": {"/spec/scopes": ["BestEffort", "NotBestEffort"]},
        "terminating and not": {"/spec/scopes": ["Terminating", "NotTerminating"]},
        "a selector of an unknown scope": {
            "/spec/scopeSelector": {"matchExpressions": [{"scopeName": "Unknown", "operator": "Exists"}]}
        },
        "a selector of an unknown operator": {
            "/spec/scopeSelector": {
                "matchExpressions": [{"scopeName": "PriorityClass", "operator": "Unknown"}]
            }
        },
        "a selector without values": {
            "/spec/scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In"}]}
        },
        "a selector with needless values": {
            "/spec/scopeSelector": {
                "matchExpressions": [{"scopeName": "PriorityClass", "operator": "Exists", "values": ["high"]}]
            }
        },
        "a selector that must ask for existence": {
            "/spec/scopeSelector": {
                "matchExpressions": [{"scopeName": "Terminating", "operator": "In", "values": ["true"]}]
            }
        },
        "a selector that does not fit": {
            "/spec/hard/pods": ABSENT,
            "/spec/hard/services": "1",
            "/spec/scopeSelector": {
                "matchExpressions": [{"scopeName": "PriorityClass", "operator": "Exists"}]
            },
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "selectors that exclude each other": {
            "/spec/scopeSelector": {
                "matchExpressions": [
                    {"scopeName": "BestEffort", "operator": "Exists"},
                    {"scopeName": "NotBestEffort", "operator": "Exists"},
                ]
            }
        },
    },
    frozen={
        "another scope": {"/spec/scopes": ["Terminating"]},
        "half a pod": {"/spec/hard/pods": "500m"},
    },
    status={
        "half a pod": {"/status": {"used": {"pods": "500m"}}},
        "an unknown resource": {"/status": {"hard": {"unknown": "1"}}},
    },
    accepted={
        "huge pages": {"/spec/hard": {"hugepages-2Mi": "4Mi", "requests.hugepages-2Mi": "4Mi"}},
        "half a CPU": {"/spec/hard": {"requests.cpu": "500m", "limits.cpu": "1500m"}},
        "counts of objects": {"/spec/hard": {"count/widgets.example.com": "1"}},
        "scopes that fit": {"/spec/scopes": ["NotBestEffort", "Terminating"]},
        "a selector of priorities": {
            "/spec/scopeSelector": {
                "matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]
            }
        },
    },
    changed={
        "more pods": {"/spec/hard/pods": "20"},
    },
)


SAMPLES: Final = (
    NODE,
    LIMIT_RANGE,
    RESOURCE_QUOTA,
)
