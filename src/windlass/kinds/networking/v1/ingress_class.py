# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, Model, Resource


class IngressClassParametersReference(Model):
    api_group: str | None = None
    kind: str
    name: str
    namespace: str | None = None
    scope: str | None = None


class IngressClassSpec(Model):
    controller: str | None = None
    parameters: IngressClassParametersReference | None = None


class IngressClass(Resource, group="networking.k8s.io", version="v1", plural="ingressclasses", namespaced=False):
    spec: IngressClassSpec = Field(default_factory=IngressClassSpec)
