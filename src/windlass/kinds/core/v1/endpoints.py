# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.core.v1.object_reference import ObjectReference

__lazy__ = {
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
}


class EndpointAddress(Model):
    hostname: str | None = None
    ip: str
    node_name: str | None = None
    target_ref: "ObjectReference | None" = None


class EndpointPort(Model):
    app_protocol: str | None = None
    name: str | None = None
    port: int
    protocol: str | None = None


class EndpointSubset(Model):
    addresses: list[EndpointAddress] = []
    not_ready_addresses: list[EndpointAddress] = []
    ports: list[EndpointPort] = []


class Endpoints(Resource, group="", version="v1", plural="endpoints"):
    subsets: list[EndpointSubset] = []
