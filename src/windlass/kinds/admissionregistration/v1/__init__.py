"""The kinds of admissionregistration/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy import ApplyConfiguration as ApplyConfiguration
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import AuditAnnotation as AuditAnnotation
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import ExpressionWarning as ExpressionWarning
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy import JSONPatch as JSONPatch
    from windlass.kinds.admissionregistration.v1.match_condition import MatchCondition as MatchCondition
    from windlass.kinds.admissionregistration.v1.match_resources import MatchResources as MatchResources
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy import MutatingAdmissionPolicy as MutatingAdmissionPolicy
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy_binding import MutatingAdmissionPolicyBinding as MutatingAdmissionPolicyBinding
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy_binding import MutatingAdmissionPolicyBindingSpec as MutatingAdmissionPolicyBindingSpec
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy import MutatingAdmissionPolicySpec as MutatingAdmissionPolicySpec
    from windlass.kinds.admissionregistration.v1.mutating_webhook_configuration import MutatingWebhook as MutatingWebhook
    from windlass.kinds.admissionregistration.v1.mutating_webhook_configuration import MutatingWebhookConfiguration as MutatingWebhookConfiguration
    from windlass.kinds.admissionregistration.v1.mutating_admission_policy import Mutation as Mutation
    from windlass.kinds.admissionregistration.v1.match_resources import NamedRuleWithOperations as NamedRuleWithOperations
    from windlass.kinds.admissionregistration.v1.param_kind import ParamKind as ParamKind
    from windlass.kinds.admissionregistration.v1.param_ref import ParamRef as ParamRef
    from windlass.kinds.admissionregistration.v1.rule_with_operations import RuleWithOperations as RuleWithOperations
    from windlass.kinds.admissionregistration.v1.webhook_client_config import ServiceReference as ServiceReference
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import TypeChecking as TypeChecking
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import ValidatingAdmissionPolicy as ValidatingAdmissionPolicy
    from windlass.kinds.admissionregistration.v1.validating_admission_policy_binding import ValidatingAdmissionPolicyBinding as ValidatingAdmissionPolicyBinding
    from windlass.kinds.admissionregistration.v1.validating_admission_policy_binding import ValidatingAdmissionPolicyBindingSpec as ValidatingAdmissionPolicyBindingSpec
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import ValidatingAdmissionPolicySpec as ValidatingAdmissionPolicySpec
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import ValidatingAdmissionPolicyStatus as ValidatingAdmissionPolicyStatus
    from windlass.kinds.admissionregistration.v1.validating_webhook_configuration import ValidatingWebhook as ValidatingWebhook
    from windlass.kinds.admissionregistration.v1.validating_webhook_configuration import ValidatingWebhookConfiguration as ValidatingWebhookConfiguration
    from windlass.kinds.admissionregistration.v1.validating_admission_policy import Validation as Validation
    from windlass.kinds.admissionregistration.v1.variable import Variable as Variable
    from windlass.kinds.admissionregistration.v1.webhook_client_config import WebhookClientConfig as WebhookClientConfig

__lazy__ = {
    "ApplyConfiguration": "windlass.kinds.admissionregistration.v1.mutating_admission_policy",
    "AuditAnnotation": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "ExpressionWarning": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "JSONPatch": "windlass.kinds.admissionregistration.v1.mutating_admission_policy",
    "MatchCondition": "windlass.kinds.admissionregistration.v1.match_condition",
    "MatchResources": "windlass.kinds.admissionregistration.v1.match_resources",
    "MutatingAdmissionPolicy": "windlass.kinds.admissionregistration.v1.mutating_admission_policy",
    "MutatingAdmissionPolicyBinding": "windlass.kinds.admissionregistration.v1.mutating_admission_policy_binding",
    "MutatingAdmissionPolicyBindingSpec": "windlass.kinds.admissionregistration.v1.mutating_admission_policy_binding",
    "MutatingAdmissionPolicySpec": "windlass.kinds.admissionregistration.v1.mutating_admission_policy",
    "MutatingWebhook": "windlass.kinds.admissionregistration.v1.mutating_webhook_configuration",
    "MutatingWebhookConfiguration": "windlass.kinds.admissionregistration.v1.mutating_webhook_configuration",
    "Mutation": "windlass.kinds.admissionregistration.v1.mutating_admission_policy",
    "NamedRuleWithOperations": "windlass.kinds.admissionregistration.v1.match_resources",
    "ParamKind": "windlass.kinds.admissionregistration.v1.param_kind",
    "ParamRef": "windlass.kinds.admissionregistration.v1.param_ref",
    "RuleWithOperations": "windlass.kinds.admissionregistration.v1.rule_with_operations",
    "ServiceReference": "windlass.kinds.admissionregistration.v1.webhook_client_config",
    "TypeChecking": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "ValidatingAdmissionPolicy": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "ValidatingAdmissionPolicyBinding": "windlass.kinds.admissionregistration.v1.validating_admission_policy_binding",
    "ValidatingAdmissionPolicyBindingSpec": "windlass.kinds.admissionregistration.v1.validating_admission_policy_binding",
    "ValidatingAdmissionPolicySpec": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "ValidatingAdmissionPolicyStatus": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "ValidatingWebhook": "windlass.kinds.admissionregistration.v1.validating_webhook_configuration",
    "ValidatingWebhookConfiguration": "windlass.kinds.admissionregistration.v1.validating_webhook_configuration",
    "Validation": "windlass.kinds.admissionregistration.v1.validating_admission_policy",
    "Variable": "windlass.kinds.admissionregistration.v1.variable",
    "WebhookClientConfig": "windlass.kinds.admissionregistration.v1.webhook_client_config",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
