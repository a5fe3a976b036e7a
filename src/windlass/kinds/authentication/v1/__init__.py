"""The kinds of authentication/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.authentication.v1.token_request import BoundObjectReference as BoundObjectReference
    from windlass.kinds.authentication.v1.self_subject_review import SelfSubjectReview as SelfSubjectReview
    from windlass.kinds.authentication.v1.self_subject_review import SelfSubjectReviewStatus as SelfSubjectReviewStatus
    from windlass.kinds.authentication.v1.token_request import TokenRequest as TokenRequest
    from windlass.kinds.authentication.v1.token_request import TokenRequestSpec as TokenRequestSpec
    from windlass.kinds.authentication.v1.token_request import TokenRequestStatus as TokenRequestStatus
    from windlass.kinds.authentication.v1.token_review import TokenReview as TokenReview
    from windlass.kinds.authentication.v1.token_review import TokenReviewSpec as TokenReviewSpec
    from windlass.kinds.authentication.v1.token_review import TokenReviewStatus as TokenReviewStatus
    from windlass.kinds.authentication.v1.user_info import UserInfo as UserInfo

__lazy__ = {
    "BoundObjectReference": "windlass.kinds.authentication.v1.token_request",
    "SelfSubjectReview": "windlass.kinds.authentication.v1.self_subject_review",
    "SelfSubjectReviewStatus": "windlass.kinds.authentication.v1.self_subject_review",
    "TokenRequest": "windlass.kinds.authentication.v1.token_request",
    "TokenRequestSpec": "windlass.kinds.authentication.v1.token_request",
    "TokenRequestStatus": "windlass.kinds.authentication.v1.token_request",
    "TokenReview": "windlass.kinds.authentication.v1.token_review",
    "TokenReviewSpec": "windlass.kinds.authentication.v1.token_review",
    "TokenReviewStatus": "windlass.kinds.authentication.v1.token_review",
    "UserInfo": "windlass.kinds.authentication.v1.user_info",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
