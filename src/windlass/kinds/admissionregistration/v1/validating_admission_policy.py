# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Condition, Field, Model, Resource

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


class AuditAnnotation(Model):
    key: str
    value_expression: str


class ExpressionWarning(Model):
    field_ref: str
    warning: str


class TypeChecking(Model):
    expression_warnings: list[ExpressionWarning] = []


class Validation(Model):
    expression: str
    message: str | None = None
    message_expression: str | None = None
    reason: str | None = None


class ValidatingAdmissionPolicySpec(Model):
    audit_annotations: list[AuditAnnotation] = []
    failure_policy: str | None = None
    match_conditions: "list[MatchCondition]" = []
    match_constraints: "MatchResources | None" = None
    param_kind: "ParamKind | None" = None
    validations: list[Validation] = []
    variables: "list[Variable]" = []


class ValidatingAdmissionPolicyStatus(Model):
    conditions: list[Condition] = []
    observed_generation: int = 0
    type_checking: TypeChecking | None = None


class ValidatingAdmissionPolicy(Resource, group="admissionregistration.k8s.io", version="v1", plural="validatingadmissionpolicies", namespaced=False, subresources=('status',)):
    spec: ValidatingAdmissionPolicySpec = Field(default_factory=ValidatingAdmissionPolicySpec)
    status: ValidatingAdmissionPolicyStatus = Field(default_factory=ValidatingAdmissionPolicyStatus)
