# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.authentication.v1.user_info import UserInfo

__lazy__ = {
    "UserInfo": "windlass.kinds.authentication.v1.user_info",
}


class TokenReviewSpec(Model):
    audiences: list[str] = []
    token: str


class TokenReviewStatus(Model):
    audiences: list[str] = []
    authenticated: bool = False
    error: str = ""
    user: "UserInfo | None" = None


class TokenReview(Resource, group="authentication.k8s.io", version="v1", plural="tokenreviews", namespaced=False):
    spec: TokenReviewSpec
    status: TokenReviewStatus = Field(default_factory=TokenReviewStatus)
