# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, Model, Resource


class ScaleSpec(Model):
    replicas: int | None = None


class ScaleStatus(Model):
    replicas: int = 0
    selector: str = ""


class Scale(Resource, group="autoscaling", version="v1", plural="scale"):
    spec: ScaleSpec = Field(default_factory=ScaleSpec)
    status: ScaleStatus = Field(default_factory=ScaleStatus)
