# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.admissionregistration.v1.match_condition import MatchCondition
    from windlass.kinds.admissionregistration.v1.match_resources import MatchResources
    from windlass.kinds.admissionregistration.v1.param_kind import ParamKind
    from windlass.kinds.admissionregistration.v1.variable import Variable

__lazy__ = {
    "MatchCondition": "windlass.kinds.admissionregistration.v1.match_condition",
    "MatchResources": "windlass.kinds.admissionregistration.v1.match_resources",
    "ParamKind": "windlass.kinds.admissionregistration.v1.param_kind",
    "Variable": "windlass.kinds.admissionregistration.v1.variable",
}


class ApplyConfiguration(Model):
    expression: str | None = None


class JSONPatch(Model):
    expression: str | None = None


class Mutation(Model):
    apply_configuration: ApplyConfiguration | None = None
    json_patch: JSONPatch | None = None
    patch_type: str


class MutatingAdmissionPolicySpec(Model):
    failure_policy: str | None = None
    match_conditions: "list[MatchCondition]" = []
    match_constraints: "MatchResources | None" = None
    mutations: list[Mutation] = []
    param_kind: "ParamKind | None" = None
    reinvocation_policy: str | None = None
    variables: "list[Variable]" = []


class MutatingAdmissionPolicy(Resource, group="admissionregistration.k8s.io", version="v1", plural="mutatingadmissionpolicies", namespaced=False):
    spec: MutatingAdmissionPolicySpec = Field(default_factory=MutatingAdmissionPolicySpec)
