"""Webhooks and admission policies that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample, edited

VALIDATING_WEBHOOK_CONFIGURATION: Final = Sample(
    valid={
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "a"},
        "webhooks": [
            {
                "name": "a.example.com",
                "clientConfig": {"service": {"namespace": "b", "name": "c", "port": 443}},
                "failurePolicy": "Fail",
                "matchPolicy": "Equivalent",
                "sideEffects": "None",
                "timeoutSeconds": 10,
                "admissionReviewVersions": ["v1"],
                "namespaceSelector": {},
                "objectSelector": {},
                "rules": [
                    {
                        "operations": ["CREATE"],
                        "apiGroups": ["nobody.example.com"],  # for it is in effect while it is updated
                        "apiVersions": ["v1"],
                        "resources": ["pods"],
                        "scope": "*",
                    }
                ],
            }
        ],
    },
    refused={
        "a hook without a name": {"/webhooks/0/name": ""},
        "a hook of a short name": {"/webhooks/0/name": "example.com"},
        "a hook in capitals": {"/webhooks/0/name": "A.example.com"},
        "two hooks of one name": {
            "/webhooks": [
                {
                    "name": "a.example.com",
                    "clientConfig": {"service": {"namespace": "b", "name": "c", "port": 443}},
                    "failurePolicy": "Fail",
                    "matchPolicy": "Equivalent",
                    "sideEffects": "None",
                    "timeoutSeconds": 10,
                    "admissionReviewVersions": ["v1"],
                    "namespaceSelector": {},
                    "objectSelector": {},
                },
                {
                    "name": "a.example.com",
                    "clientConfig": {"service": {"namespace": "b", "name": "c", "port": 443}},
                    "failurePolicy": "Fail",
                    "matchPolicy": "Equivalent",
                    "sideEffects": "None",
                    "timeoutSeconds": 10,
                    "admissionReviewVersions": ["v1"],
                    "namespaceSelector": {},
                    "objectSelector": {},
                },
            ]
        },
        "no way to reach it": {"/webhooks/0/clientConfig/service": ABSENT},
        "two ways to reach it": {"/webhooks/0/clientConfig/url": "https://example.com"},
        "a way without encryption": {
            "/webhooks/0/clientConfig/service": ABSENT,
            "/webhooks/0/clientConfig/url": "http://example.com",
        },
        "a way without a host": {
            "/webhooks/0/clientConfig/service": ABSENT,
            "/webhooks/0/clientConfig/url": "https:///x",
        },
        "a way with a user, a query and a fragment": {
            "/webhooks/0/clientConfig/service": ABSENT,
            "/webhooks/0/clientConfig/url": "https://me:pw@example.com/x?y#z",
        },
        "a service without a name": {"/webhooks/0/clientConfig/service/name": ""},
        "a service without a namespace": {"/webhooks/0/clientConfig/service/namespace": ""},
        "a service's port beyond 65535": {"/webhooks/0/clientConfig/service/port": 65536},
        "a service's relative path": {"/webhooks/0/clientConfig/service/path": "xy"},
        "a service's path with an empty segment": {"/webhooks/0/clientConfig/service/path": "/a//b"},
        "a service's path in capitals": {"/webhooks/0/clientConfig/service/path": "/Upper"},
        "an unknown failure policy": {"/webhooks/0/failurePolicy": "Unknown"},
        "an unknown match policy": {"/webhooks/0/matchPolicy": "Unknown"},
        "no word about side effects": {"/webhooks/0/sideEffects": ABSENT},
        "side effects": {"/webhooks/0/sideEffects": "Some"},
        "a minute's patience": {"/webhooks/0/timeoutSeconds": 60},
        "no versions": {"/webhooks/0/admissionReviewVersions": []},
        "one version twice": {"/webhooks/0/admissionReviewVersions/-": "v1"},
        "only an unknown version": {"/webhooks/0/admissionReviewVersions": ["v9"]},
        "a malformed version": {"/webhooks/0/admissionReviewVersions/-": "V_1"},
        "a selector with a blank": {"/webhooks/0/objectSelector/matchLabels": {"app": "a b"}},
        "a selector of an unknown operator": {
            "/webhooks/0/namespaceSelector/matchExpressions": [{"key": "a", "operator": "Unknown"}]
        },
        "a rule without operations": {"/webhooks/0/rules/0/operations": []},
        "a rule of an unknown operation": {"/webhooks/0/rules/0/operations": ["READ"]},
        "a rule of all operations and one": {"/webhooks/0/rules/0/operations": ["*", "CREATE"]},
        "a rule without groups": {"/webhooks/0/rules/0/apiGroups": ABSENT},
        "a rule of all groups and one": {"/webhooks/0/rules/0/apiGroups": ["*", "apps"]},
        "a rule without versions": {"/webhooks/0/rules/0/apiVersions": ABSENT},
        "a rule of an empty version": {"/webhooks/0/rules/0/apiVersions": [""]},
        "a rule without resources": {"/webhooks/0/rules/0/resources": ABSENT},
        "a rule of an empty resource": {"/webhooks/0/rules/0/resources": [""]},
        "a rule of all resources and one": {"/webhooks/0/rules/0/resources": ["*", "pods"]},
        "a rule of all subresources and one": {"/webhooks/0/rules/0/resources": ["pods/*", "pods/status"]},
        "a rule of everything and something": {"/webhooks/0/rules/0/resources": ["*/*", "pods"]},
        "a rule of an unknown scope": {"/webhooks/0/rules/0/scope": "Unknown"},
        "a condition without a name": {"/webhooks/0/matchConditions": [{"name": "", "expression": "true"}]},
        "a condition with a blank": {"/webhooks/0/matchConditions": [{"name": "a b", "expression": "true"}]},
        "a condition without an expression": {
            "/webhooks/0/matchConditions": [{"name": "a", "expression": " "}]
        },
        "one condition twice": {
            "/webhooks/0/matchConditions": [
                {"name": "a", "expression": "true"},
                {"name": "a", "expression": "true"},
            ]
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "a service's path of two slashes": {"/webhooks/0/clientConfig/service/path": "//"},
        "a malformed URL": {"/webhooks/0/clientConfig": {"url": "https://[::1"}},
        "sixty-five conditions": {
            "/webhooks/0/matchConditions": [
                {"name": f"c{number}", "expression": "true"} for number in range(65)
            ]
        },
    },
    frozen={
        "a hook of a short name": {"/webhooks/0/name": "example.com"},
        "side effects": {"/webhooks/0/sideEffects": "Some"},
        "two hooks of one name": {
            "/webhooks": [
                {
                    "name": "a.example.com",
                    "clientConfig": {"service": {"namespace": "b", "name": "c", "port": 443}},
                    "failurePolicy": "Fail",
                    "matchPolicy": "Equivalent",
                    "sideEffects": "None",
                    "timeoutSeconds": 10,
                    "admissionReviewVersions": ["v1"],
                    "namespaceSelector": {},
                    "objectSelector": {},
                },
                {
                    "name": "a.example.com",
                    "clientConfig": {"service": {"namespace": "b", "name": "c", "port": 443}},
                    "failurePolicy": "Fail",
                    "matchPolicy": "Equivalent",
                    "sideEffects": "None",
                    "timeoutSeconds": 10,
                    "admissionReviewVersions": ["v1"],
                    "namespaceSelector": {},
                    "objectSelector": {},
                },
            ]
        },
    },
    accepted={
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
        "no webhooks": {"/webhooks": ABSENT},
        "a URL with a port and a path": {"/webhooks/0/clientConfig": {"url": "https://example.com:8443/x"}},
        "a service's path": {"/webhooks/0/clientConfig/service/path": "/a/b.c/"},
        "everything": {
            "/webhooks/0/rules": [
                {
                    "operations": ["*"],
                    "apiGroups": ["*"],
                    "apiVersions": ["*"],
                    "resources": ["*/*"],
                    "scope": "*",
                }
            ]
        },
        "a known version and another": {"/webhooks/0/admissionReviewVersions": ["v9", "v1"]},
    },
    changed={
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
        "another timeout": {"/webhooks/0/timeoutSeconds": 30},
    },
    namespaced=False,
)

MUTATING_WEBHOOK_CONFIGURATION: Final = Sample(
    valid=edited(
        VALIDATING_WEBHOOK_CONFIGURATION.valid,
        {"/kind": "MutatingWebhookConfiguration", "/webhooks/0/reinvocationPolicy": "Never"},
    ),
    refused={
        **VALIDATING_WEBHOOK_CONFIGURATION.refused,
        "an unknown reinvocation policy": {"/webhooks/0/reinvocationPolicy": "Unknown"},
    },
    frozen=VALIDATING_WEBHOOK_CONFIGURATION.frozen,
    accepted=VALIDATING_WEBHOOK_CONFIGURATION.accepted,
    changed=VALIDATING_WEBHOOK_CONFIGURATION.changed,
    namespaced=False,
)

VALIDATING_ADMISSION_POLICY: Final = Sample(
    valid={
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "a"},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {
                "matchPolicy": "Equivalent",
                "namespaceSelector": {},
                "objectSelector": {},
                "resourceRules": [
                    {
                        "operations": ["CREATE"],
                        "apiGroups": [""],
                        "apiVersions": ["v1"],
                        "resources": ["pods"],
                        "scope": "*",
                    }
                ],
            },
            "validations": [{"expression": "true"}],
        },
    },
    refused={
        "an unknown failure policy": {"/spec/failurePolicy": "Unknown"},
        "no constraints": {"/spec/matchConstraints": ABSENT},
        "no rules": {"/spec/matchConstraints/resourceRules": ABSENT},
        "an unknown match policy": {"/spec/matchConstraints/matchPolicy": "Unknown"},
        "a selector with a blank": {"/spec/matchConstraints/objectSelector/matchLabels": {"app": "a b"}},
        "a rule of an unknown operation": {"/spec/matchConstraints/resourceRules/0/operations": ["READ"]},
        "a rule of one name twice": {"/spec/matchConstraints/resourceRules/0/resourceNames": ["b", "b"]},
        "an exception of a malformed name": {
            "/spec/matchConstraints/excludeResourceRules": [
                {
                    "resourceNames": ["a/b"],
                    "operations": ["CREATE"],
                    "apiGroups": [""],
                    "apiVersions": ["v1"],
                    "resources": ["pods"],
                    "scope": "*",
                }
            ]
        },
        "no validations": {"/spec/validations": ABSENT},
        "an empty validation": {"/spec/validations/0/expression": ""},
        "a message of two lines": {"/spec/validations/0/message": "a\nb"},
        "an empty message": {"/spec/validations/0/message": " "},
        "an unknown reason": {"/spec/validations/0/reason": "Unknown"},
        "parameters without a version": {"/spec/paramKind": {"kind": "B"}},
        "parameters without a kind": {"/spec/paramKind": {"apiVersion": "v1"}},
        "parameters of a malformed version": {"/spec/paramKind": {"apiVersion": "a/b/c", "kind": "B"}},
        "parameters of a malformed kind": {"/spec/paramKind": {"apiVersion": "v1", "kind": "a b"}},
        "parameters of a malformed group": {"/spec/paramKind": {"apiVersion": "A_/v1", "kind": "B"}},
        "a condition without a name": {"/spec/matchConditions": [{"name": "", "expression": "true"}]},
        "one condition twice": {
            "/spec/matchConditions": [
                {"name": "b", "expression": "true"},
                {"name": "b", "expression": "true"},
            ]
        },
        "a variable without a name": {"/spec/variables": [{"name": "", "expression": "true"}]},
        "a variable of a malformed name": {"/spec/variables": [{"name": "a-b", "expression": "true"}]},
        "a variable without an expression": {"/spec/variables": [{"name": "b", "expression": ""}]},
        "an annotation of a malformed key": {
            "/spec/auditAnnotations": [{"key": "a b", "valueExpression": "''"}]
        },
        "an annotation without a value": {"/spec/auditAnnotations": [{"key": "b", "valueExpression": ""}]},
        "one annotation twice": {
            "/spec/auditAnnotations": [
                {"key": "b", "valueExpression": "''"},
                {"key": "b", "valueExpression": "''"},
            ]
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "parameters of a group alone": {"/spec/paramKind": {"apiVersion": "apps/", "kind": "B"}},
        "parameters of a version in capitals": {"/spec/paramKind": {"apiVersion": "apps/V1", "kind": "B"}},
        "a value beyond five kibibytes": {
            "/spec/auditAnnotations": [{"key": "b", "valueExpression": f"'{'x' * 5120}'"}]
        },
        "a variable of a reserved name": {"/spec/variables": [{"name": "for", "expression": "true"}]},
        "a message expression of blanks": {
            "/spec/validations": [{"expression": "true", "messageExpression": " "}]
        },
    },
    frozen={
        "no validations": {"/spec/validations": ABSENT},
        "an unknown failure policy": {"/spec/failurePolicy": "Unknown"},
    },
    status={
        "a warning about nothing": {
            "/status": {"typeChecking": {"expressionWarnings": [{"fieldRef": "", "warning": ""}]}}
        },
    },
    accepted={
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
        "an annotation alone": {
            "/spec/validations": ABSENT,
            "/spec/auditAnnotations": [{"key": "b", "valueExpression": "'x'"}],
        },
        "variables": {"/spec/variables": [{"name": "_b", "expression": "true"}]},
    },
    namespaced=False,
)

VALIDATING_ADMISSION_POLICY_BINDING: Final = Sample(
    valid={
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "a"},
        "spec": {"policyName": "b", "validationActions": ["Deny"]},
    },
    refused={
        "no policy": {"/spec/policyName": ABSENT},
        "a policy in capitals": {"/spec/policyName": "Upper"},
        "no actions": {"/spec/validationActions": ABSENT},
        "an unknown action": {"/spec/validationActions": ["Unknown"]},
        "one action twice": {"/spec/validationActions": ["Audit", "Audit"]},
        "a refusal that also warns": {"/spec/validationActions/-": "Warn"},
        "parameters of no name": {"/spec/paramRef": {"parameterNotFoundAction": "Deny"}},
        "parameters of a name and a selector": {
            "/spec/paramRef": {"name": "c", "selector": {}, "parameterNotFoundAction": "Deny"}
        },
        "parameters of a malformed name": {
            "/spec/paramRef": {"name": "a/b", "parameterNotFoundAction": "Deny"}
        },
        "parameters without an action": {"/spec/paramRef": {"name": "c"}},
        "parameters of an unknown action": {
            "/spec/paramRef": {"name": "c", "parameterNotFoundAction": "Unknown"}
        },
        "parameters with a blank": {
            "/spec/paramRef": {"selector": {"matchLabels": {"app": "a b"}}, "parameterNotFoundAction": "Deny"}
        },
        "an unknown match policy": {
            "/spec/matchResources": {"matchPolicy": "Unknown", "namespaceSelector": {}, "objectSelector": {}}
        },
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "no actions": {"/spec/validationActions": []},
        "an unknown action": {"/spec/validationActions": ["Unknown"]},
    },
    accepted={
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
        "warn and audit": {"/spec/validationActions": ["Warn", "Audit"]},
        "parameters": {"/spec/paramRef": {"selector": {}, "parameterNotFoundAction": "Allow"}},
    },
    namespaced=False,
)


SAMPLES: Final = (
    VALIDATING_WEBHOOK_CONFIGURATION,
    MUTATING_WEBHOOK_CONFIGURATION,
    VALIDATING_ADMISSION_POLICY,
    VALIDATING_ADMISSION_POLICY_BINDING,
)
