# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.authentication.v1.user_info import UserInfo

__lazy__ = {
    "UserInfo": "windlass.kinds.authentication.v1.user_info",
}


class SelfSubjectReviewStatus(Model):
    user_info: "UserInfo | None" = None


class SelfSubjectReview(Resource, group="authentication.k8s.io", version="v1", plural="selfsubjectreviews", namespaced=False):
    status: SelfSubjectReviewStatus = Field(default_factory=SelfSubjectReviewStatus)
