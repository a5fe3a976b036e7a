# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.authorization.v1.non_resource_attributes import NonResourceAttributes
    from windlass.kinds.authorization.v1.resource_attributes import ResourceAttributes
    from windlass.kinds.authorization.v1.subject_access_review_status import SubjectAccessReviewStatus

__lazy__ = {
    "NonResourceAttributes": "windlass.kinds.authorization.v1.non_resource_attributes",
    "ResourceAttributes": "windlass.kinds.authorization.v1.resource_attributes",
    "SubjectAccessReviewStatus": "windlass.kinds.authorization.v1.subject_access_review_status",
}


class SelfSubjectAccessReviewSpec(Model):
    non_resource_attributes: "NonResourceAttributes | None" = None
    resource_attributes: "ResourceAttributes | None" = None


class SelfSubjectAccessReview(Resource, group="authorization.k8s.io", version="v1", plural="selfsubjectaccessreviews", namespaced=False):
    spec: SelfSubjectAccessReviewSpec
    status: "SubjectAccessReviewStatus" = Field(default_factory=lambda: SubjectAccessReviewStatus())
