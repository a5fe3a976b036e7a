# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Base64, Field, Model, Resource, Time, Wire


class ServiceReference(Model):
    name: str | None = None
    namespace: str | None = None
    port: int | None = None


class APIServiceSpec(Model):
    ca_bundle: Base64 | None = None
    group: str | None = None
    group_priority_minimum: int
    insecure_skip_tls_verify: Annotated[bool | None, Wire("insecureSkipTLSVerify")] = None
    service: ServiceReference | None = None
    version: str | None = None
    version_priority: int


class APIServiceCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class APIServiceStatus(Model):
    conditions: list[APIServiceCondition] = []


class APIService(Resource, group="apiregistration.k8s.io", version="v1", plural="apiservices", namespaced=False, subresources=('status',)):
    spec: APIServiceSpec
    status: APIServiceStatus = Field(default_factory=APIServiceStatus)
