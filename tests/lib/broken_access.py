"""Roles, bindings and reviews of access that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

ROLE: Final = Sample(
    valid={
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "a"},
        "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
    },
    refused={
        "no verbs": {"/rules/0/verbs": []},
        "no groups": {"/rules/0/apiGroups": ABSENT},
        "no resources": {"/rules/0/resources": ABSENT},
        "an empty rule": {"/rules/0/apiGroups": ABSENT, "/rules/0/resources": ABSENT, "/rules/0/verbs": []},
        "two broken rules": {
            "/rules": [
                {"apiGroups": [""], "resources": ["pods"], "verbs": []},
                {"resources": ["pods"], "verbs": ["get"]},
            ]
        },
        "a path instead of resources": {
            "/rules/0/apiGroups": ABSENT,
            "/rules/0/resources": ABSENT,
            "/rules/0/nonResourceURLs": ["/healthz"],
        },
        "a path beside resources": {"/rules/0/nonResourceURLs": ["/healthz"]},
        "a path beside names": {
            "/rules": [{"resourceNames": ["b"], "nonResourceURLs": ["/healthz"], "verbs": []}]
        },
        "a name with a slash": {"/metadata/name": "a/b"},
        "a name with a percent sign": {"/metadata/name": "a%b"},
        "a name that is a dot": {"/metadata/name": "."},
        "a label with a blank": {"/metadata/labels": {"app": "a b"}},
    },
    frozen={
        "no verbs": {"/rules/0/verbs": []},
        "a path instead of resources": {
            "/rules/0/apiGroups": ABSENT,
            "/rules/0/resources": ABSENT,
            "/rules/0/nonResourceURLs": ["/healthz"],
        },
    },
    accepted={
        "no rules": {"/rules": ABSENT},
        "a name with a colon and a blank": {"/metadata/name": "a: b"},
    },
    changed={
        "another verb": {"/rules/0/verbs": ["list"]},
    },
)

CLUSTER_ROLE: Final = Sample(
    valid={
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "a"},
        "rules": [
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]},
            {"nonResourceURLs": ["/healthz"], "verbs": ["get"]},
        ],
    },
    refused={
        "no verbs": {"/rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": []}]},
        "no groups": {"/rules": [{"resources": ["pods"], "verbs": ["get"]}]},
        "no resources": {"/rules": [{"apiGroups": [""], "verbs": ["get"]}]},
        "a path without verbs": {"/rules": [{"nonResourceURLs": ["/healthz"], "verbs": []}]},
        "a path beside a group": {
            "/rules": [{"apiGroups": [""], "nonResourceURLs": ["/healthz"], "verbs": ["get"]}]
        },
        "aggregation of nothing": {"/aggregationRule": {"clusterRoleSelectors": []}},
        "aggregation with a blank": {
            "/aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"app": "a b"}}]}
        },
        "aggregation of an unknown operator": {
            "/aggregationRule": {
                "clusterRoleSelectors": [{"matchExpressions": [{"key": "a", "operator": "Unknown"}]}]
            }
        },
        "aggregation without values": {
            "/aggregationRule": {
                "clusterRoleSelectors": [{"matchExpressions": [{"key": "a", "operator": "In"}]}]
            }
        },
        "aggregation with needless values": {
            "/aggregationRule": {
                "clusterRoleSelectors": [
                    {"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]}
                ]
            }
        },
        "aggregation over a malformed key": {
            "/aggregationRule": {
                "clusterRoleSelectors": [{"matchExpressions": [{"key": "a b", "operator": "Exists"}]}]
            }
        },
        "a name with a slash": {"/metadata/name": "a/b"},
        "a name that is two dots": {"/metadata/name": ".."},
    },
    frozen={
        "no verbs": {"/rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": []}]},
        "aggregation of nothing": {"/aggregationRule": {"clusterRoleSelectors": []}},
    },
    accepted={
        "aggregation": {"/aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"app": "a"}}]}},
    },
    namespaced=False,
)

ROLE_BINDING: Final = Sample(
    valid={
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "a"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "b"},
        "subjects": [{"kind": "ServiceAccount", "name": "c"}],
    },
    refused={
        "a role of another group": {"/roleRef/apiGroup": "example.com"},
        "a role of an unknown kind": {"/roleRef/kind": "Part"},
        "a role without a name": {"/roleRef/name": ""},
        "a role's name with a slash": {"/roleRef/name": "a/b"},
        "a subject without a name": {"/subjects/0/name": ""},
        "a subject of an unknown kind": {"/subjects/0/kind": "Robot"},
        "an account in capitals": {"/subjects/0/name": "Upper"},
        "an account of a group": {"/subjects/0/apiGroup": "rbac.authorization.k8s.io"},
        "a user of another group": {"/subjects/0/kind": "User", "/subjects/0/apiGroup": "example.com"},
        "a group of another group": {"/subjects/0/kind": "Group", "/subjects/0/apiGroup": "example.com"},
        "a user without a name": {
            "/subjects/0/kind": "User",
            "/subjects/0/name": "",
            "/subjects/0/apiGroup": "rbac.authorization.k8s.io",
        },
        "a name with a slash": {"/metadata/name": "a/b"},
    },
    frozen={
        "another role": {"/roleRef/name": "other"},
        "a role of another kind": {"/roleRef/kind": "ClusterRole"},
        "a subject of an unknown kind": {"/subjects/0/kind": "Robot"},
    },
    accepted={
        "a role of the cluster": {"/roleRef/kind": "ClusterRole"},
        "a user of any name": {
            "/subjects": [{"kind": "User", "name": "A b/c", "apiGroup": "rbac.authorization.k8s.io"}]
        },
        "nobody": {"/subjects": ABSENT},
    },
    changed={
        "another subject": {"/subjects/0/name": "d"},
    },
)

CLUSTER_ROLE_BINDING: Final = Sample(
    valid={
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "a"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "b"},
        "subjects": [{"kind": "ServiceAccount", "name": "c", "namespace": "d"}],
    },
    refused={
        "a role of another group": {"/roleRef/apiGroup": "example.com"},
        "a role of a namespace": {"/roleRef/kind": "Role"},
        "a role without a name": {"/roleRef/name": ""},
        "a role's name with a percent sign": {"/roleRef/name": "a%b"},
        "a subject without a name": {"/subjects/0/name": ""},
        "a subject of an unknown kind": {"/subjects/0/namespace": ABSENT, "/subjects/0/kind": "Robot"},
        "an account without a namespace": {"/subjects/0/namespace": ABSENT},
        "an account in capitals": {"/subjects/0/name": "Upper"},
        "an account of a group": {"/subjects/0/apiGroup": "rbac.authorization.k8s.io"},
        "a user of another group": {
            "/subjects/0/namespace": ABSENT,
            "/subjects/0/kind": "User",
            "/subjects/0/apiGroup": "example.com",
        },
        "a group of another group": {
            "/subjects/0/namespace": ABSENT,
            "/subjects/0/kind": "Group",
            "/subjects/0/apiGroup": "example.com",
        },
    },
    frozen={
        "another role": {"/roleRef/name": "other"},
        "an account without a namespace": {"/subjects/0/namespace": ABSENT},
    },
    namespaced=False,
)

SUBJECT_ACCESS_REVIEW: Final = Sample(
    valid={
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "metadata": {},
        "spec": {"user": "a", "resourceAttributes": {"verb": "get", "resource": "pods"}},
    },
    refused={
        "nobody": {"/spec/user": ABSENT},
        "nothing asked": {"/spec/resourceAttributes": ABSENT},
        "two things asked": {"/spec/nonResourceAttributes": {"path": "/healthz", "verb": "get"}},
        "a field selector of nothing": {"/spec/resourceAttributes/fieldSelector": {}},
        "a label selector of nothing": {"/spec/resourceAttributes/labelSelector": {}},
        "a field selector said twice": {
            "/spec/resourceAttributes/fieldSelector": {
                "rawSelector": "a=b",
                "requirements": [{"key": "a", "operator": "Exists"}],
            }
        },
        "a requirement without a key": {
            "/spec/resourceAttributes/fieldSelector": {"requirements": [{"key": "", "operator": "Exists"}]}
        },
        "a requirement without values": {
            "/spec/resourceAttributes/fieldSelector": {"requirements": [{"key": "a", "operator": "In"}]}
        },
        "a requirement with needless values": {
            "/spec/resourceAttributes/labelSelector": {
                "requirements": [{"key": "a", "operator": "Exists", "values": ["b"]}]
            }
        },
        "a requirement of a malformed key": {
            "/spec/resourceAttributes/labelSelector": {"requirements": [{"key": "a b", "operator": "Exists"}]}
        },
    },
    namespaced=False,
)

SELF_SUBJECT_ACCESS_REVIEW: Final = Sample(
    valid={
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "metadata": {},
        "spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}},
    },
    refused={
        "nothing asked": {"/spec/resourceAttributes": ABSENT},
        "two things asked": {"/spec/nonResourceAttributes": {"path": "/healthz", "verb": "get"}},
        "no spec": {"/spec": ABSENT},
        "a verb that is a list": {"/spec/resourceAttributes/verb": ["get"]},
        "a path that is a number": {"/spec": {"nonResourceAttributes": {"path": 1, "verb": "get"}}},
        "a requirement without a key": {
            "/spec/resourceAttributes/labelSelector": {"requirements": [{"key": "", "operator": "Exists"}]}
        },
        "a field selector of nothing": {"/spec/resourceAttributes/fieldSelector": {}},
        "a label selector said twice": {
            "/spec/resourceAttributes/labelSelector": {
                "rawSelector": "a=b",
                "requirements": [{"key": "a", "operator": "Exists"}],
            }
        },
        "a requirement without values": {
            "/spec/resourceAttributes/labelSelector": {"requirements": [{"key": "a", "operator": "NotIn"}]}
        },
        "a requirement of a malformed key": {
            "/spec/resourceAttributes/labelSelector": {"requirements": [{"key": "a b", "operator": "Exists"}]}
        },
        "two requirements, both broken": {
            "/spec/resourceAttributes/fieldSelector": {
                "requirements": [
                    {"key": "", "operator": "Exists"},
                    {"key": "a", "operator": "DoesNotExist", "values": ["b"]},
                ]
            }
        },
    },
    accepted={
        "selectors": {
            "/spec/resourceAttributes/fieldSelector": {"rawSelector": "spec.nodeName=a"},
            "/spec/resourceAttributes/labelSelector": {"requirements": [{"key": "a", "operator": "Exists"}]},
        },
        "a requirement of an unknown operator": {
            "/spec/resourceAttributes/fieldSelector": {"requirements": [{"key": "a", "operator": "Like"}]}
        },
        "a path": {"/spec": {"nonResourceAttributes": {"path": "/healthz", "verb": "get"}}},
    },
    namespaced=False,
)


SAMPLES: Final = (
    ROLE,
    CLUSTER_ROLE,
    ROLE_BINDING,
    CLUSTER_ROLE_BINDING,
    SUBJECT_ACCESS_REVIEW,
    SELF_SUBJECT_ACCESS_REVIEW,
)
