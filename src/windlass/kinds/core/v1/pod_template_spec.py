# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, ObjectMeta

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_spec import PodSpec

__lazy__ = {
    "PodSpec": "windlass.kinds.core.v1.pod_spec",
}


class PodTemplateSpec(Model):
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)
    spec: "PodSpec | None" = None
