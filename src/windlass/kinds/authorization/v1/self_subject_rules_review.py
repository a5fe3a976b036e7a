# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Field, Model, Resource, Wire


class NonResourceRule(Model):
    non_resource_urls: Annotated[list[str], Wire("nonResourceURLs")] = []
    verbs: list[str]


class ResourceRule(Model):
    api_groups: list[str] = []
    resource_names: list[str] = []
    resources: list[str] = []
    verbs: list[str]


class SelfSubjectRulesReviewSpec(Model):
    namespace: str | None = None


class SubjectRulesReviewStatus(Model):
    evaluation_error: str = ""
    incomplete: bool = False
    non_resource_rules: list[NonResourceRule] = []
    resource_rules: list[ResourceRule] = []


class SelfSubjectRulesReview(Resource, group="authorization.k8s.io", version="v1", plural="selfsubjectrulesreviews", namespaced=False):
    spec: SelfSubjectRulesReviewSpec
    status: SubjectRulesReviewStatus = Field(default_factory=SubjectRulesReviewStatus)
