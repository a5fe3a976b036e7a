# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Field, IntOrString, LabelSelector, Model, Resource, Wire


class IPBlock(Model):
    cidr: str
    except_: Annotated[list[str], Wire("except")] = []


class NetworkPolicyPeer(Model):
    ip_block: IPBlock | None = None
    namespace_selector: LabelSelector | None = None
    pod_selector: LabelSelector | None = None


class NetworkPolicyPort(Model):
    end_port: int | None = None
    port: IntOrString | None = None
    protocol: str | None = None


class NetworkPolicyEgressRule(Model):
    ports: list[NetworkPolicyPort] = []
    to: list[NetworkPolicyPeer] = []


class NetworkPolicyIngressRule(Model):
    from_: Annotated[list[NetworkPolicyPeer], Wire("from")] = []
    ports: list[NetworkPolicyPort] = []


class NetworkPolicySpec(Model):
    egress: list[NetworkPolicyEgressRule] = []
    ingress: list[NetworkPolicyIngressRule] = []
    pod_selector: LabelSelector | None = None
    policy_types: list[str] = []


class NetworkPolicy(Resource, group="networking.k8s.io", version="v1", plural="networkpolicies"):
    spec: NetworkPolicySpec = Field(default_factory=NetworkPolicySpec)
