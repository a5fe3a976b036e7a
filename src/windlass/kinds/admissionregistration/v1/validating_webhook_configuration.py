# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import LabelSelector, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.admissionregistration.v1.match_condition import MatchCondition
    from windlass.kinds.admissionregistration.v1.rule_with_operations import RuleWithOperations
    from windlass.kinds.admissionregistration.v1.webhook_client_config import WebhookClientConfig

__lazy__ = {
    "MatchCondition": "windlass.kinds.admissionregistration.v1.match_condition",
    "RuleWithOperations": "windlass.kinds.admissionregistration.v1.rule_with_operations",
    "WebhookClientConfig": "windlass.kinds.admissionregistration.v1.webhook_client_config",
}


class ValidatingWebhook(Model):
    admission_review_versions: list[str]
    client_config: "WebhookClientConfig"
    failure_policy: str | None = None
    match_conditions: "list[MatchCondition]" = []
    match_policy: str | None = None
    name: str
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    rules: "list[RuleWithOperations]" = []
    side_effects: str
    timeout_seconds: int | None = None


class ValidatingWebhookConfiguration(Resource, group="admissionregistration.k8s.io", version="v1", plural="validatingwebhookconfigurations", namespaced=False):
    webhooks: list[ValidatingWebhook] = []
