# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model

if TYPE_CHECKING:
    from windlass.kinds.authorization.v1.non_resource_attributes import NonResourceAttributes
    from windlass.kinds.authorization.v1.resource_attributes import ResourceAttributes

__lazy__ = {
    "NonResourceAttributes": "windlass.kinds.authorization.v1.non_resource_attributes",
    "ResourceAttributes": "windlass.kinds.authorization.v1.resource_attributes",
}


class SubjectAccessReviewSpec(Model):
    extra: dict[str, list[str]] = {}
    groups: list[str] = []
    non_resource_attributes: "NonResourceAttributes | None" = None
    resource_attributes: "ResourceAttributes | None" = None
    uid: str | None = None
    user: str | None = None
