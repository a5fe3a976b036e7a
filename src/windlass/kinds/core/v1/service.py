# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Condition, Field, IntOrString, Model, Resource, Wire


class ClientIPConfig(Model):
    timeout_seconds: int | None = None


class PortStatus(Model):
    error: str = ""
    port: int = 0
    protocol: str = ""


class LoadBalancerIngress(Model):
    hostname: str | None = None
    ip: str | None = None
    ip_mode: str | None = None
    ports: list[PortStatus] = []


class LoadBalancerStatus(Model):
    ingress: list[LoadBalancerIngress] = []


class ServicePort(Model):
    app_protocol: str | None = None
    name: str | None = None
    node_port: int | None = None
    port: int
    protocol: str | None = None
    target_port: IntOrString | None = None


class SessionAffinityConfig(Model):
    client_ip: Annotated[ClientIPConfig | None, Wire("clientIP")] = None


class ServiceSpec(Model):
    allocate_load_balancer_node_ports: bool | None = None
    cluster_ip: Annotated[str | None, Wire("clusterIP")] = None
    cluster_ips: Annotated[list[str], Wire("clusterIPs")] = []
    external_ips: Annotated[list[str], Wire("externalIPs")] = []
    external_name: str | None = None
    external_traffic_policy: str | None = None
    health_check_node_port: int | None = None
    internal_traffic_policy: str | None = None
    ip_families: list[str] = []
    ip_family_policy: str | None = None
    load_balancer_class: str | None = None
    load_balancer_ip: Annotated[str | None, Wire("loadBalancerIP")] = None
    load_balancer_source_ranges: list[str] = []
    ports: list[ServicePort] = []
    publish_not_ready_addresses: bool | None = None
    selector: dict[str, str] = {}
    session_affinity: str | None = None
    session_affinity_config: SessionAffinityConfig | None = None
    traffic_distribution: str | None = None
    type: str | None = None


class ServiceStatus(Model):
    conditions: list[Condition] = []
    load_balancer: LoadBalancerStatus | None = None


class Service(Resource, group="", version="v1", plural="services", subresources=('proxy', 'status')):
    spec: ServiceSpec = Field(default_factory=ServiceSpec)
    status: ServiceStatus = Field(default_factory=ServiceStatus)
