# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Field, Model, Resource, Time, Wire


class FlowDistinguisherMethod(Model):
    type: str


class NonResourcePolicyRule(Model):
    non_resource_urls: Annotated[list[str], Wire("nonResourceURLs")]
    verbs: list[str]


class ResourcePolicyRule(Model):
    api_groups: list[str]
    cluster_scope: bool | None = None
    namespaces: list[str] = []
    resources: list[str]
    verbs: list[str]


class GroupSubject(Model):
    name: str


class ServiceAccountSubject(Model):
    name: str
    namespace: str


class UserSubject(Model):
    name: str


class Subject(Model):
    group: GroupSubject | None = None
    kind: str
    service_account: ServiceAccountSubject | None = None
    user: UserSubject | None = None


class PolicyRulesWithSubjects(Model):
    non_resource_rules: list[NonResourcePolicyRule] = []
    resource_rules: list[ResourcePolicyRule] = []
    subjects: list[Subject]


class PriorityLevelConfigurationReference(Model):
    name: str


class FlowSchemaSpec(Model):
    distinguisher_method: FlowDistinguisherMethod | None = None
    matching_precedence: int | None = None
    priority_level_configuration: PriorityLevelConfigurationReference
    rules: list[PolicyRulesWithSubjects] = []


class FlowSchemaCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str | None = None
    type: str | None = None


class FlowSchemaStatus(Model):
    conditions: list[FlowSchemaCondition] = []


class FlowSchema(Resource, group="flowcontrol.apiserver.k8s.io", version="v1", plural="flowschemas", namespaced=False, subresources=('status',)):
    spec: FlowSchemaSpec
    status: FlowSchemaStatus = Field(default_factory=FlowSchemaStatus)
