# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, ObjectMeta, Resource

if TYPE_CHECKING:
    from windlass.kinds.resource.v1.resource_claim_spec import ResourceClaimSpec

__lazy__ = {
    "ResourceClaimSpec": "windlass.kinds.resource.v1.resource_claim_spec",
}


class ResourceClaimTemplateSpec(Model):
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)
    spec: "ResourceClaimSpec"


class ResourceClaimTemplate(Resource, group="resource.k8s.io", version="v1", plural="resourceclaimtemplates"):
    spec: ResourceClaimTemplateSpec
