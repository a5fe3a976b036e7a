# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, Model, Resource, Time


class NamespaceSpec(Model):
    finalizers: list[str] = []


class NamespaceCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class NamespaceStatus(Model):
    conditions: list[NamespaceCondition] = []
    phase: str = ""


class Namespace(Resource, group="", version="v1", plural="namespaces", namespaced=False, subresources=('finalize', 'status')):
    spec: NamespaceSpec = Field(default_factory=NamespaceSpec)
    status: NamespaceStatus = Field(default_factory=NamespaceStatus)
