# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Condition, Field, Model, Resource


class ServiceCIDRSpec(Model):
    cidrs: list[str] = []


class ServiceCIDRStatus(Model):
    conditions: list[Condition] = []


class ServiceCIDR(Resource, group="networking.k8s.io", version="v1", plural="servicecidrs", namespaced=False, subresources=('status',)):
    spec: ServiceCIDRSpec = Field(default_factory=ServiceCIDRSpec)
    status: ServiceCIDRStatus = Field(default_factory=ServiceCIDRStatus)
