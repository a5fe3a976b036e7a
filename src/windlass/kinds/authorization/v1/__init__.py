"""The kinds of authorization/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.authorization.v1.resource_attributes import FieldSelectorAttributes as FieldSelectorAttributes
    from windlass.kinds.authorization.v1.resource_attributes import LabelSelectorAttributes as LabelSelectorAttributes
    from windlass.kinds.authorization.v1.local_subject_access_review import LocalSubjectAccessReview as LocalSubjectAccessReview
    from windlass.kinds.authorization.v1.non_resource_attributes import NonResourceAttributes as NonResourceAttributes
    from windlass.kinds.authorization.v1.self_subject_rules_review import NonResourceRule as NonResourceRule
    from windlass.kinds.authorization.v1.resource_attributes import ResourceAttributes as ResourceAttributes
    from windlass.kinds.authorization.v1.self_subject_rules_review import ResourceRule as ResourceRule
    from windlass.kinds.authorization.v1.self_subject_access_review import SelfSubjectAccessReview as SelfSubjectAccessReview
    from windlass.kinds.authorization.v1.self_subject_access_review import SelfSubjectAccessReviewSpec as SelfSubjectAccessReviewSpec
    from windlass.kinds.authorization.v1.self_subject_rules_review import SelfSubjectRulesReview as SelfSubjectRulesReview
    from windlass.kinds.authorization.v1.self_subject_rules_review import SelfSubjectRulesReviewSpec as SelfSubjectRulesReviewSpec
    from windlass.kinds.authorization.v1.subject_access_review import SubjectAccessReview as SubjectAccessReview
    from windlass.kinds.authorization.v1.subject_access_review_spec import SubjectAccessReviewSpec as SubjectAccessReviewSpec
    from windlass.kinds.authorization.v1.subject_access_review_status import SubjectAccessReviewStatus as SubjectAccessReviewStatus
    from windlass.kinds.authorization.v1.self_subject_rules_review import SubjectRulesReviewStatus as SubjectRulesReviewStatus

__lazy__ = {
    "FieldSelectorAttributes": "windlass.kinds.authorization.v1.resource_attributes",
    "LabelSelectorAttributes": "windlass.kinds.authorization.v1.resource_attributes",
    "LocalSubjectAccessReview": "windlass.kinds.authorization.v1.local_subject_access_review",
    "NonResourceAttributes": "windlass.kinds.authorization.v1.non_resource_attributes",
    "NonResourceRule": "windlass.kinds.authorization.v1.self_subject_rules_review",
    "ResourceAttributes": "windlass.kinds.authorization.v1.resource_attributes",
    "ResourceRule": "windlass.kinds.authorization.v1.self_subject_rules_review",
    "SelfSubjectAccessReview": "windlass.kinds.authorization.v1.self_subject_access_review",
    "SelfSubjectAccessReviewSpec": "windlass.kinds.authorization.v1.self_subject_access_review",
    "SelfSubjectRulesReview": "windlass.kinds.authorization.v1.self_subject_rules_review",
    "SelfSubjectRulesReviewSpec": "windlass.kinds.authorization.v1.self_subject_rules_review",
    "SubjectAccessReview": "windlass.kinds.authorization.v1.subject_access_review",
    "SubjectAccessReviewSpec": "windlass.kinds.authorization.v1.subject_access_review_spec",
    "SubjectAccessReviewStatus": "windlass.kinds.authorization.v1.subject_access_review_status",
    "SubjectRulesReviewStatus": "windlass.kinds.authorization.v1.self_subject_rules_review",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
