"""Policies that change objects, and bindings of them, that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample
from broken_admission import VALIDATING_ADMISSION_POLICY, VALIDATING_ADMISSION_POLICY_BINDING

_PATCH: Final = {
    "patchType": "JSONPatch",
    "jsonPatch": {"expression": '[JSONPatch{op: "remove", path: "/a"}]'},
}
_APPLY: Final = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}
_MATCH: Final = VALIDATING_ADMISSION_POLICY.valid["spec"]["matchConstraints"]
_RULE: Final = _MATCH["resourceRules"][0]

POLICY: Final = Sample(
    valid={
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": "a"},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": _MATCH,
            "mutations": [_PATCH],
            "reinvocationPolicy": "Never",
        },
    },
    refused={
        "an unknown failure policy": {"/spec/failurePolicy": "Unknown"},
        "no constraints": {"/spec/matchConstraints": ABSENT},
        "no rules": {"/spec/matchConstraints/resourceRules": ABSENT},
        "a rule about deletions": {"/spec/matchConstraints/resourceRules/0/operations": ["DELETE"]},
        "a rule of an unknown operation": {"/spec/matchConstraints/resourceRules/0/operations": ["READ"]},
        "no mutations": {"/spec/mutations": ABSENT},
        "a mutation of no type": {"/spec/mutations/0/patchType": ""},
        "a mutation of an unknown type": {"/spec/mutations/0/patchType": "Unknown"},
        "a patch that is missing": {"/spec/mutations/0/jsonPatch": ABSENT},
        "a patch without an expression": {"/spec/mutations/0/jsonPatch/expression": " "},
        "a configuration that is missing": {"/spec/mutations": [{"patchType": "ApplyConfiguration"}]},
        "a configuration without an expression": {
            "/spec/mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": ""}}]
        },
        "a patch and a configuration": {
            "/spec/mutations/0/applyConfiguration": {"expression": "Object{}"},
        },
        "a configuration and a patch": {"/spec/mutations": [{**_PATCH, **_APPLY}]},
        "no reinvocation policy": {"/spec/reinvocationPolicy": ABSENT},
        "an unknown reinvocation policy": {"/spec/reinvocationPolicy": "Unknown"},
        "parameters without a kind": {"/spec/paramKind": {"apiVersion": "v1"}},
        "a condition without a name": {"/spec/matchConditions": [{"name": "", "expression": "true"}]},
        "a variable without an expression": {"/spec/variables": [{"name": "b", "expression": ""}]},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "no mutations": {"/spec/mutations": ABSENT},
        "an unknown failure policy": {"/spec/failurePolicy": "Unknown"},
        "a rule about deletions": {"/spec/matchConstraints/resourceRules/0/operations": ["DELETE"]},
    },
    accepted={
        "a rule about everything": {"/spec/matchConstraints/resourceRules/0/operations": ["*"]},
        "a configuration": {"/spec/mutations": [_APPLY]},
        "reinvocation": {"/spec/reinvocationPolicy": "IfNeeded"},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
    },
    changed={
        "another failure policy": {"/spec/failurePolicy": "Ignore"},
    },
    namespaced=False,
)

BINDING: Final = Sample(
    valid={
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": "a"},
        "spec": {"policyName": "b"},
    },
    refused={
        **{
            name: edit
            for name, edit in VALIDATING_ADMISSION_POLICY_BINDING.refused.items()
            if not any("Actions" in pointer for pointer in edit)
        },
        "resources that are deleted": {
            "/spec/matchResources": {
                "matchPolicy": "Equivalent",
                "namespaceSelector": {},
                "objectSelector": {},
                "resourceRules": [{**_RULE, "operations": ["DELETE"]}],
            }
        },
    },
    frozen={
        "no policy": {"/spec/policyName": ABSENT},
    },
    accepted={
        "parameters": {"/spec/paramRef": {"selector": {}, "parameterNotFoundAction": "Allow"}},
        "a finalizer without a domain": {"/metadata/finalizers": ["held"]},
    },
    changed={
        "another policy": {"/spec/policyName": "c"},
    },
    namespaced=False,
)


SAMPLES: Final = (POLICY, BINDING)
