# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class SubjectAccessReviewStatus(Model):
    allowed: bool = False
    denied: bool = False
    evaluation_error: str = ""
    reason: str = ""
