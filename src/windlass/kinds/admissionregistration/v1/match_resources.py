# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import LabelSelector, Model


class NamedRuleWithOperations(Model):
    api_groups: list[str] = []
    api_versions: list[str] = []
    operations: list[str] = []
    resource_names: list[str] = []
    resources: list[str] = []
    scope: str | None = None


class MatchResources(Model):
    exclude_resource_rules: list[NamedRuleWithOperations] = []
    match_policy: str | None = None
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    resource_rules: list[NamedRuleWithOperations] = []
