# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Resource

if TYPE_CHECKING:
    from windlass.kinds.authorization.v1.subject_access_review_spec import SubjectAccessReviewSpec
    from windlass.kinds.authorization.v1.subject_access_review_status import SubjectAccessReviewStatus

__lazy__ = {
    "SubjectAccessReviewSpec": "windlass.kinds.authorization.v1.subject_access_review_spec",
    "SubjectAccessReviewStatus": "windlass.kinds.authorization.v1.subject_access_review_status",
}


class LocalSubjectAccessReview(Resource, group="authorization.k8s.io", version="v1", plural="localsubjectaccessreviews"):
    spec: "SubjectAccessReviewSpec"
    status: "SubjectAccessReviewStatus" = Field(default_factory=lambda: SubjectAccessReviewStatus())
