"""Nodes, events, bindings, policies and small kinds, with the statuses that show in a table."""

from __future__ import annotations

from typing import Any

from table_case import LATER, LONG_AGO, SELECTOR, Case, Object, core, of


def event(**body: Any) -> Case:
    return core("events", "Event", body=body)


def about(namespace: str = "default") -> Object:
    return {"kind": "Pod", "name": "p", "namespace": namespace, "fieldPath": "spec.containers{a}"}


NEWER = {
    "eventTime": "2020-01-01T00:00:00.000000Z",
    "reportingController": "a.b/c",
    "reportingInstance": "i",
    "action": "act",
    "reason": "R",
    "type": "Normal",
}

CLUSTER = {
    "node": core("nodes", "Node", cluster=True),
    "ready node": core(
        "nodes",
        "Node",
        cluster=True,
        body={"spec": {"unschedulable": True}},
        metadata={"labels": {"node-role.kubernetes.io/worker": "", "kubernetes.io/role": "edge"}},
        status={
            "conditions": [{"type": "Ready", "status": "True"}],
            "addresses": [
                {"type": "InternalIP", "address": "10.0.0.1"},
                {"type": "ExternalIP", "address": "192.0.2.1"},
            ],
            "nodeInfo": {
                "kubeletVersion": "v1.36.3",
                "osImage": "Linux",
                "kernelVersion": "6.1",
                "architecture": "arm64",
                "containerRuntimeVersion": "containerd://2",
            },
        },
    ),
    "node that is not ready": core(
        "nodes", "Node", cluster=True, status={"conditions": [{"type": "Ready", "status": "Unknown"}]}
    ),
    "event": event(
        involvedObject=about(),
        firstTimestamp=LONG_AGO,
        lastTimestamp=LATER,
        count=3,
        message=" said \n",
        source={"component": "kubelet", "host": "n"},
        type="Warning",
        reason="Why",
    ),
    "event of nothing": event(involvedObject={"namespace": "default"}, message="m"),
    "newer event": of(
        "events.k8s.io/v1", "events", "Event", body={**NEWER, "regarding": about(), "note": "a note"}
    ),
    "series of events": of(
        "events.k8s.io/v1",
        "events",
        "Event",
        body={
            **NEWER,
            "regarding": about(),
            "note": "a note",
            "series": {"count": 9, "lastObservedTime": "2021-01-01T00:00:00.000000Z"},
        },
    ),
    "config map": core("configmaps", "ConfigMap", body={"data": {"a": "b"}, "binaryData": {"c": "AA=="}}),
    "secret": core("secrets", "Secret", body={"data": {"a": "AA=="}}),
    "service account": core("serviceaccounts", "ServiceAccount"),
    "quota": core(
        "resourcequotas",
        "ResourceQuota",
        body={"spec": {"hard": {"pods": "3"}}},
        status={"hard": {"pods": "3", "limits.cpu": "2", "cpu": "1"}, "used": {"pods": "1"}},
    ),
    "limit range": core("limitranges", "LimitRange", body={"spec": {"limits": []}}),
    "lease": of("coordination.k8s.io/v1", "leases", "Lease", body={"spec": {"holderIdentity": "me"}}),
    "lease of nobody": of("coordination.k8s.io/v1", "leases", "Lease"),
    "priority class": of(
        "scheduling.k8s.io/v1", "priorityclasses", "PriorityClass", cluster=True, body={"value": 5}
    ),
    "runtime class": of(
        "node.k8s.io/v1", "runtimeclasses", "RuntimeClass", cluster=True, body={"handler": "h"}
    ),
}

RBAC = "rbac.authorization.k8s.io"
SUBJECTS = [
    {"kind": "User", "name": "u", "apiGroup": RBAC},
    {"kind": "User", "name": "v", "apiGroup": RBAC},
    {"kind": "Group", "name": "g", "apiGroup": RBAC},
    {"kind": "ServiceAccount", "name": "s", "namespace": "n"},
]
ROLE = {"kind": "ClusterRole", "name": "r", "apiGroup": RBAC}
ADMISSION = "admissionregistration.k8s.io/v1"
RULES = [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}]
HOOK = {
    "name": "a.b.c",
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
    "clientConfig": {"url": "https://a.b"},
}


def admission(plural: str, kind: str, body: Object) -> Case:
    return of(ADMISSION, plural, kind, cluster=True, body=body)


def policy_binding(**spec: Any) -> Case:
    body = {"spec": {"policyName": "p", "validationActions": ["Deny"], **spec}}
    return admission("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", body)


def budget(spec: Object, status: Object | None = None) -> Case:
    return of(
        "policy/v1",
        "poddisruptionbudgets",
        "PodDisruptionBudget",
        body={"spec": {"selector": SELECTOR, **spec}},
        status=status or {},
    )


HEALTHY = {"disruptionsAllowed": 2, "currentHealthy": 3, "desiredHealthy": 1, "expectedPods": 3}

POLICY = {
    "role": of(f"{RBAC}/v1", "roles", "Role"),
    "role binding": of(
        f"{RBAC}/v1", "rolebindings", "RoleBinding", body={"roleRef": ROLE, "subjects": SUBJECTS}
    ),
    "cluster role binding": of(
        f"{RBAC}/v1",
        "clusterrolebindings",
        "ClusterRoleBinding",
        cluster=True,
        body={"roleRef": ROLE, "subjects": SUBJECTS[3:]},
    ),
    "budget": budget({"minAvailable": 1}, HEALTHY),
    "budget in percent": budget({"maxUnavailable": "20%"}),
    "validating webhooks": admission(
        "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", {"webhooks": [HOOK]}
    ),
    "mutating webhooks": admission("mutatingwebhookconfigurations", "MutatingWebhookConfiguration", {}),
    "validating policy": admission(
        "validatingadmissionpolicies",
        "ValidatingAdmissionPolicy",
        {
            "spec": {
                "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
                "matchConstraints": {"resourceRules": RULES},
                "validations": [{"expression": "true"}],
            }
        },
    ),
    "policy binding": policy_binding(),
    "policy binding with a name": policy_binding(
        paramRef={"name": "n", "namespace": "s", "parameterNotFoundAction": "Deny"}
    ),
    "policy binding with a name in any namespace": policy_binding(
        paramRef={"name": "n", "parameterNotFoundAction": "Deny"}
    ),
    "policy binding with a selector": policy_binding(
        paramRef={"selector": SELECTOR, "parameterNotFoundAction": "Deny"}
    ),
}
