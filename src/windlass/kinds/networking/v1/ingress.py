# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.core.v1.typed_local_object_reference import TypedLocalObjectReference

__lazy__ = {
    "TypedLocalObjectReference": "windlass.kinds.core.v1.typed_local_object_reference",
}


class ServiceBackendPort(Model):
    name: str | None = None
    number: int | None = None


class IngressServiceBackend(Model):
    name: str
    port: ServiceBackendPort | None = None


class IngressBackend(Model):
    resource: "TypedLocalObjectReference | None" = None
    service: IngressServiceBackend | None = None


class HTTPIngressPath(Model):
    backend: IngressBackend
    path: str | None = None
    path_type: str


class HTTPIngressRuleValue(Model):
    paths: list[HTTPIngressPath]


class IngressRule(Model):
    host: str | None = None
    http: HTTPIngressRuleValue | None = None


class IngressTLS(Model):
    hosts: list[str] = []
    secret_name: str | None = None


class IngressSpec(Model):
    default_backend: IngressBackend | None = None
    ingress_class_name: str | None = None
    rules: list[IngressRule] = []
    tls: list[IngressTLS] = []


class IngressPortStatus(Model):
    error: str = ""
    port: int = 0
    protocol: str = ""


class IngressLoadBalancerIngress(Model):
    hostname: str | None = None
    ip: str | None = None
    ports: list[IngressPortStatus] = []


class IngressLoadBalancerStatus(Model):
    ingress: list[IngressLoadBalancerIngress] = []


class IngressStatus(Model):
    load_balancer: IngressLoadBalancerStatus | None = None


class Ingress(Resource, group="networking.k8s.io", version="v1", plural="ingresses", subresources=('status',)):
    spec: IngressSpec = Field(default_factory=IngressSpec)
    status: IngressStatus = Field(default_factory=IngressStatus)
