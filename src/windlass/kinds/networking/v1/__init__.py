"""The kinds of networking/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.networking.v1.ingress import HTTPIngressPath as HTTPIngressPath
    from windlass.kinds.networking.v1.ingress import HTTPIngressRuleValue as HTTPIngressRuleValue
    from windlass.kinds.networking.v1.ip_address import IPAddress as IPAddress
    from windlass.kinds.networking.v1.ip_address import IPAddressSpec as IPAddressSpec
    from windlass.kinds.networking.v1.network_policy import IPBlock as IPBlock
    from windlass.kinds.networking.v1.ingress import Ingress as Ingress
    from windlass.kinds.networking.v1.ingress import IngressBackend as IngressBackend
    from windlass.kinds.networking.v1.ingress_class import IngressClass as IngressClass
    from windlass.kinds.networking.v1.ingress_class import IngressClassParametersReference as IngressClassParametersReference
    from windlass.kinds.networking.v1.ingress_class import IngressClassSpec as IngressClassSpec
    from windlass.kinds.networking.v1.ingress import IngressLoadBalancerIngress as IngressLoadBalancerIngress
    from windlass.kinds.networking.v1.ingress import IngressLoadBalancerStatus as IngressLoadBalancerStatus
    from windlass.kinds.networking.v1.ingress import IngressPortStatus as IngressPortStatus
    from windlass.kinds.networking.v1.ingress import IngressRule as IngressRule
    from windlass.kinds.networking.v1.ingress import IngressServiceBackend as IngressServiceBackend
    from windlass.kinds.networking.v1.ingress import IngressSpec as IngressSpec
    from windlass.kinds.networking.v1.ingress import IngressStatus as IngressStatus
    from windlass.kinds.networking.v1.ingress import IngressTLS as IngressTLS
    from windlass.kinds.networking.v1.network_policy import NetworkPolicy as NetworkPolicy
    from windlass.kinds.networking.v1.network_policy import NetworkPolicyEgressRule as NetworkPolicyEgressRule
    from windlass.kinds.networking.v1.network_policy import NetworkPolicyIngressRule as NetworkPolicyIngressRule
    from windlass.kinds.networking.v1.network_policy import NetworkPolicyPeer as NetworkPolicyPeer
    from windlass.kinds.networking.v1.network_policy import NetworkPolicyPort as NetworkPolicyPort
    from windlass.kinds.networking.v1.network_policy import NetworkPolicySpec as NetworkPolicySpec
    from windlass.kinds.networking.v1.ip_address import ParentReference as ParentReference
    from windlass.kinds.networking.v1.ingress import ServiceBackendPort as ServiceBackendPort
    from windlass.kinds.networking.v1.service_cidr import ServiceCIDR as ServiceCIDR
    from windlass.kinds.networking.v1.service_cidr import ServiceCIDRSpec as ServiceCIDRSpec
    from windlass.kinds.networking.v1.service_cidr import ServiceCIDRStatus as ServiceCIDRStatus

__lazy__ = {
    "HTTPIngressPath": "windlass.kinds.networking.v1.ingress",
    "HTTPIngressRuleValue": "windlass.kinds.networking.v1.ingress",
    "IPAddress": "windlass.kinds.networking.v1.ip_address",
    "IPAddressSpec": "windlass.kinds.networking.v1.ip_address",
    "IPBlock": "windlass.kinds.networking.v1.network_policy",
    "Ingress": "windlass.kinds.networking.v1.ingress",
    "IngressBackend": "windlass.kinds.networking.v1.ingress",
    "IngressClass": "windlass.kinds.networking.v1.ingress_class",
    "IngressClassParametersReference": "windlass.kinds.networking.v1.ingress_class",
    "IngressClassSpec": "windlass.kinds.networking.v1.ingress_class",
    "IngressLoadBalancerIngress": "windlass.kinds.networking.v1.ingress",
    "IngressLoadBalancerStatus": "windlass.kinds.networking.v1.ingress",
    "IngressPortStatus": "windlass.kinds.networking.v1.ingress",
    "IngressRule": "windlass.kinds.networking.v1.ingress",
    "IngressServiceBackend": "windlass.kinds.networking.v1.ingress",
    "IngressSpec": "windlass.kinds.networking.v1.ingress",
    "IngressStatus": "windlass.kinds.networking.v1.ingress",
    "IngressTLS": "windlass.kinds.networking.v1.ingress",
    "NetworkPolicy": "windlass.kinds.networking.v1.network_policy",
    "NetworkPolicyEgressRule": "windlass.kinds.networking.v1.network_policy",
    "NetworkPolicyIngressRule": "windlass.kinds.networking.v1.network_policy",
    "NetworkPolicyPeer": "windlass.kinds.networking.v1.network_policy",
    "NetworkPolicyPort": "windlass.kinds.networking.v1.network_policy",
    "NetworkPolicySpec": "windlass.kinds.networking.v1.network_policy",
    "ParentReference": "windlass.kinds.networking.v1.ip_address",
    "ServiceBackendPort": "windlass.kinds.networking.v1.ingress",
    "ServiceCIDR": "windlass.kinds.networking.v1.service_cidr",
    "ServiceCIDRSpec": "windlass.kinds.networking.v1.service_cidr",
    "ServiceCIDRStatus": "windlass.kinds.networking.v1.service_cidr",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
