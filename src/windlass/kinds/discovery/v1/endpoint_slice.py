# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.core.v1.object_reference import ObjectReference

__lazy__ = {
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
}


class EndpointConditions(Model):
    ready: bool | None = None
    serving: bool | None = None
    terminating: bool | None = None


class ForNode(Model):
    name: str


class ForZone(Model):
    name: str


class EndpointHints(Model):
    for_nodes: list[ForNode] = []
    for_zones: list[ForZone] = []


class Endpoint(Model):
    addresses: list[str]
    conditions: EndpointConditions | None = None
    deprecated_topology: dict[str, str] = {}
    hints: EndpointHints | None = None
    hostname: str | None = None
    node_name: str | None = None
    target_ref: "ObjectReference | None" = None
    zone: str | None = None


class EndpointPort(Model):
    app_protocol: str | None = None
    name: str | None = None
    port: int | None = None
    protocol: str | None = None


class EndpointSlice(Resource, group="discovery.k8s.io", version="v1", plural="endpointslices"):
    address_type: str
    endpoints: list[Endpoint] = []
    ports: list[EndpointPort] = []
