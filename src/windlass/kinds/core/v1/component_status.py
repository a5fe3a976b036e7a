# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Resource


class ComponentCondition(Model):
    error: str | None = None
    message: str | None = None
    status: str
    type: str


class ComponentStatus(Resource, group="", version="v1", plural="componentstatuses", namespaced=False):
    conditions: list[ComponentCondition] = []
