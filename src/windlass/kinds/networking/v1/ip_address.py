# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Resource


class ParentReference(Model):
    group: str | None = None
    name: str
    namespace: str | None = None
    resource: str


class IPAddressSpec(Model):
    parent_ref: ParentReference


class IPAddress(Resource, group="networking.k8s.io", version="v1", plural="ipaddresses", namespaced=False):
    spec: IPAddressSpec
