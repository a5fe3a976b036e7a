"""Services, what is behind them and what is before them that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

SERVICE: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "a"},
        "spec": {
            "type": "ClusterIP",
            "sessionAffinity": "None",
            "internalTrafficPolicy": "Cluster",
            "ports": [{"port": 80, "protocol": "TCP", "targetPort": 80}],
        },
    },
    refused={
        "no ports": {"/spec/ports": ABSENT},
        "a port of zero": {"/spec/ports/0/port": 0},
        "a port beyond 65535": {"/spec/ports/0/port": 65536},
        "a port of an unknown protocol": {"/spec/ports/0/protocol": "ICMP"},
        "a target port beyond 65535": {"/spec/ports/0/targetPort": 70000},
        "a target port with a blank": {"/spec/ports/0/targetPort": "a b"},
        "a target port whose name is too long": {"/spec/ports/0/targetPort": "a-name-of-sixteen"},
        "two ports without names": {"/spec/ports/-": {"port": 81, "protocol": "TCP", "targetPort": 81}},
        "two ports of one name": {
            "/spec/ports": [
                {"name": "x", "port": 80, "protocol": "TCP", "targetPort": 80},
                {"name": "x", "port": 81, "protocol": "TCP", "targetPort": 81},
            ]
        },
        "the same port twice": {
            "/spec/ports": [
                {"name": "x", "port": 80, "protocol": "TCP", "targetPort": 80},
                {"name": "y", "port": 80, "protocol": "TCP", "targetPort": 81},
            ]
        },
        "a port name in capitals": {"/spec/ports/0/name": "Web"},
        "an application protocol with a blank": {"/spec/ports/0/appProtocol": "a b"},
        "a node port without nodes": {"/spec/ports/0/nodePort": 30080},
        "an unknown type": {"/spec/type": "Unknown"},
        "an unknown affinity": {"/spec/sessionAffinity": "Unknown"},
        "a timeout of zero": {
            "/spec/sessionAffinity": "ClientIP",
            "/spec/sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 0}},
        },
        "a timeout of more than a day": {
            "/spec/sessionAffinity": "ClientIP",
            "/spec/sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86401}},
        },
        "an unknown internal policy": {"/spec/internalTrafficPolicy": "Unknown"},
        "an external policy inside": {"/spec/externalTrafficPolicy": "Local"},
        "an unknown external policy": {"/spec/type": "NodePort", "/spec/externalTrafficPolicy": "Unknown"},
        "a health check port inside": {"/spec/healthCheckNodePort": 30080},
        "a balancer's class inside": {"/spec/loadBalancerClass": "example.com/class"},
        "a balancer's class with a blank": {
            "/spec/type": "LoadBalancer",
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/allocateLoadBalancerNodePorts": True,
            "/spec/loadBalancerClass": "a b",
        },
        "a balancer's node ports inside": {"/spec/allocateLoadBalancerNodePorts": True},
        "a balancer's sources inside": {"/spec/loadBalancerSourceRanges": ["192.0.2.0/24"]},
        "a balancer's malformed source": {
            "/spec/type": "LoadBalancer",
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/allocateLoadBalancerNodePorts": True,
            "/spec/loadBalancerSourceRanges": ["192.0.2.0"],
        },
        "a headless balancer": {
            "/spec/type": "LoadBalancer",
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/allocateLoadBalancerNodePorts": True,
            "/spec/clusterIP": "None",
            "/spec/clusterIPs": ["None"],
        },
        "a headless service of nodes": {
            "/spec/type": "NodePort",
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/clusterIP": "None",
            "/spec/clusterIPs": ["None"],
        },
        "an unknown distribution": {"/spec/trafficDistribution": "Unknown"},
        "a selector with a blank": {"/spec/selector": {"app": "a b"}},
        "a malformed external address": {
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/externalIPs": ["here"],
        },
        "an external address with leading zeros": {
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/externalIPs": ["192.0.2.01"],
        },
        "the external address of the machine itself": {
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/externalIPs": ["127.0.0.1"],
        },
        "an external address that is none": {
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/externalIPs": ["0.0.0.0"],  # noqa: S104 - what is refused
        },
        "a link-local external address": {
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/externalIPs": ["169.254.1.1"],
        },
        "a mapped external address": {
            "/spec/externalTrafficPolicy": "Cluster",
            "/spec/externalIPs": ["::ffff:192.0.2.1"],
        },
        "a malformed address": {"/spec/clusterIP": "10.96.1", "/spec/clusterIPs": ["10.96.1"]},
        "two addresses that do not match": {
            "/spec/clusterIP": "10.96.0.200",
            "/spec/clusterIPs": ["10.96.0.201"],
        },
        "None beside an address": {"/spec/clusterIP": "None", "/spec/clusterIPs": ["None", "10.96.0.200"]},
        "three addresses": {
            "/spec/clusterIP": "10.96.0.200",
            "/spec/clusterIPs": ["10.96.0.200", "10.96.0.201", "10.96.0.202"],
        },
        "two addresses of one family": {
            "/spec/clusterIP": "10.96.0.200",
            "/spec/clusterIPs": ["10.96.0.200", "10.96.0.201"],
        },
        "an unknown family": {"/spec/ipFamilies": ["IPv5"]},
        "one family twice": {"/spec/ipFamilies": ["IPv4", "IPv4"]},
        "an unknown family policy": {"/spec/ipFamilyPolicy": "Unknown"},
        "an address of the other family": {
            "/spec/clusterIP": "10.96.0.200",
            "/spec/clusterIPs": ["10.96.0.200"],
            "/spec/ipFamilies": ["IPv6"],
        },
        "an external name left out": {"/spec/ports": ABSENT, "/spec/type": "ExternalName"},
        "an external name in capitals": {
            "/spec/ports": ABSENT,
            "/spec/type": "ExternalName",
            "/spec/externalName": "DB.example.com",
        },
        "an external name with an address": {
            "/spec/ports": ABSENT,
            "/spec/type": "ExternalName",
            "/spec/externalName": "db.example.com",
            "/spec/clusterIP": "10.96.0.200",
            "/spec/clusterIPs": ["10.96.0.200"],
        },
        "an external name with families": {
            "/spec/ports": ABSENT,
            "/spec/type": "ExternalName",
            "/spec/externalName": "db.example.com",
            "/spec/ipFamilies": ["IPv4"],
            "/spec/ipFamilyPolicy": "SingleStack",
        },
        "a name with a dot": {"/metadata/name": "a.b"},
        "annotations that contradict each other": {
            "/metadata/annotations": {
                "service.kubernetes.io/topology-aware-hints": "auto",
                "service.kubernetes.io/topology-mode": "none",
            }
        },
        "sources in an annotation inside": {
            "/metadata/annotations": {
                "service.beta.kubernetes.io/load-balancer-source-ranges": "192.0.2.0/24, here"
            }
        },
    },
    frozen={
        "no ports": {"/spec/ports": []},
        "another address": {"/spec/clusterIP": "10.96.255.254", "/spec/clusterIPs": ["10.96.255.254"]},
        "no address any more": {"/spec/clusterIP": "None", "/spec/clusterIPs": ["None"]},
        "an unknown type": {"/spec/type": "Unknown"},
        "a class for no balancer": {"/spec/loadBalancerClass": "example.com/class"},
    },
    status={
        "the address of no balancer": {
            "/status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1", "ipMode": "VIP"}]}}
        },
    },
    accepted={
        "headless without ports": {
            "/spec/clusterIP": "None",
            "/spec/clusterIPs": ["None"],
            "/spec/ports": ABSENT,
        },
        "one port of two protocols": {
            "/spec/ports": [
                {"name": "x", "port": 53, "protocol": "TCP", "targetPort": 53},
                {"name": "y", "port": 53, "protocol": "UDP", "targetPort": 53},
            ]
        },
        "a target port by its name": {"/spec/ports/0/targetPort": "web"},
        "an external name with a dot at its end": {
            "/spec/type": "ExternalName",
            "/spec/externalName": "db.example.com.",
            "/spec/ports": ABSENT,
        },
        "an external address": {"/spec/externalTrafficPolicy": "Cluster", "/spec/externalIPs": ["192.0.2.1"]},
        "a day of affinity": {
            "/spec/sessionAffinity": "ClientIP",
            "/spec/sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86400}},
        },
        "a nearby distribution": {"/spec/trafficDistribution": "PreferSameZone"},
    },
    changed={
        "another type": {"/spec/type": "NodePort", "/spec/externalTrafficPolicy": "Cluster"},
        "another selector": {"/spec/selector": {"app": "b"}},
    },
)

SERVICE_BALANCER: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "a"},
        "spec": {
            "type": "LoadBalancer",
            "sessionAffinity": "None",
            "internalTrafficPolicy": "Cluster",
            "externalTrafficPolicy": "Cluster",
            "allocateLoadBalancerNodePorts": True,
            "loadBalancerClass": "example.com/class",
            "ports": [{"port": 80, "protocol": "TCP", "targetPort": 80}],
        },
    },
    refused={},
    frozen={
        "another class": {"/spec/loadBalancerClass": "example.com/other"},
        "no class any more": {"/spec/loadBalancerClass": ABSENT},
        "a malformed source": {"/spec/loadBalancerSourceRanges": ["here"]},
    },
    status={
        "a malformed address": {"/status": {"loadBalancer": {"ingress": [{"ip": "here", "ipMode": "VIP"}]}}},
        "an unknown mode": {
            "/status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1", "ipMode": "Unknown"}]}}
        },
        "a mode without an address": {
            "/status": {"loadBalancer": {"ingress": [{"hostname": "a.example.com", "ipMode": "VIP"}]}}
        },
        "an address as a name": {"/status": {"loadBalancer": {"ingress": [{"hostname": "192.0.2.1"}]}}},
        "a name in capitals": {"/status": {"loadBalancer": {"ingress": [{"hostname": "Host"}]}}},
    },
    accepted={
        "sources with blanks around": {"/spec/loadBalancerSourceRanges": [" 192.0.2.0/24 "]},
    },
    variant="balanced",
)

ENDPOINTS: Final = Sample(
    valid={
        "apiVersion": "v1",
        "kind": "Endpoints",
        "metadata": {"name": "a"},
        "subsets": [{"addresses": [{"ip": "192.0.2.1"}], "ports": [{"port": 80, "protocol": "TCP"}]}],
    },
    refused={
        "no addresses": {"/subsets/0/addresses": ABSENT},
        "a malformed address": {"/subsets/0/addresses/0/ip": "here"},
        "no address": {"/subsets/0/addresses/0/ip": ABSENT, "/subsets/0/addresses/0/hostname": "b"},
        "an address with leading zeros": {"/subsets/0/addresses/0/ip": "192.0.2.01"},
        "the address of the machine itself": {"/subsets/0/addresses/0/ip": "127.0.0.1"},
        "an unspecified address": {
            "/subsets/0/addresses": ABSENT,
            "/subsets/0/notReadyAddresses": [{"ip": "0.0.0.0"}],  # noqa: S104 - what is refused
        },
        "a link-local address": {"/subsets/0/addresses/0/ip": "fe80::1"},
        "a link-local multicast address": {"/subsets/0/addresses/0/ip": "224.0.0.1"},
        "a host name with a dot": {"/subsets/0/addresses/0/hostname": "a.b"},
        "a node name in capitals": {"/subsets/0/addresses/0/nodeName": "Node"},
        "a port of zero": {"/subsets/0/ports/0/port": 0},
        "a port of an unknown protocol": {"/subsets/0/ports/0/protocol": "ICMP"},
        "two ports without names": {"/subsets/0/ports/-": {"port": 81, "protocol": "TCP"}},
        "a port name in capitals": {"/subsets/0/ports/0/name": "Web"},
        "an application protocol with a blank": {"/subsets/0/ports/0/appProtocol": "a b"},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "a malformed address": {"/subsets/0/addresses/0/ip": "here"},
        "a port of zero": {"/subsets/0/ports/0/port": 0},
    },
    accepted={
        "addresses without ports": {"/subsets/0/ports": ABSENT},
        "an address in long form": {"/subsets/0/addresses/0/ip": "2001:DB8:0::1"},
    },
    plural="endpoints",
)

ENDPOINT_SLICE: Final = Sample(
    valid={
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {"name": "a"},
        "addressType": "IPv4",
        "endpoints": [{"addresses": ["192.0.2.1"]}],
        "ports": [{"name": "", "port": 80, "protocol": "TCP"}],
    },
    refused={
        "no type of address": {"/addressType": ABSENT},
        "an unknown type of address": {"/addressType": "IPv5"},
        "no addresses": {"/endpoints/0/addresses": []},
        "a malformed address": {"/endpoints/0/addresses": ["here"]},
        "an address of the other family": {"/endpoints/0/addresses": ["2001:db8::1"]},
        "the address of the machine itself": {"/endpoints/0/addresses": ["127.0.0.1"]},
        "an IPv6 address that is IPv4": {"/addressType": "IPv6"},
        "an IPv6 address in long form": {
            "/addressType": "IPv6",
            "/endpoints/0/addresses": ["2001:DB8:0:0::1"],
        },
        "a domain of one segment": {"/addressType": "FQDN", "/endpoints/0/addresses": ["host"]},
        "a domain in capitals": {"/addressType": "FQDN", "/endpoints/0/addresses": ["Host.example.com"]},
        "an empty domain": {"/addressType": "FQDN", "/endpoints/0/addresses": [""]},
        "a node name in capitals": {"/endpoints/0/nodeName": "Node"},
        "a host name with a dot": {"/endpoints/0/hostname": "a.b"},
        "one zone twice": {"/endpoints/0/hints": {"forZones": [{"name": "a"}, {"name": "a"}]}},
        "a zone with a blank": {"/endpoints/0/hints": {"forZones": [{"name": "a b"}]}},
        "nine zones": {
            "/endpoints/0/hints": {
                "forZones": [
                    {"name": "a"},
                    {"name": "b"},
                    {"name": "c"},
                    {"name": "d"},
                    {"name": "e"},
                    {"name": "f"},
                    {"name": "g"},
                    {"name": "h"},
                    {"name": "i"},
                ]
            }
        },
        "a node in capitals as a hint": {"/endpoints/0/hints": {"forNodes": [{"name": "Node"}]}},
        "two ports of one name": {
            "/ports": [
                {"name": "x", "port": 80, "protocol": "TCP"},
                {"name": "x", "port": 81, "protocol": "TCP"},
            ]
        },
        "a port name in capitals": {"/ports/0/name": "Web"},
        "a port of an unknown protocol": {"/ports/0/protocol": "ICMP"},
        "an application protocol with a blank": {"/ports/0/appProtocol": "a b"},
        "a hundred and one addresses": {"/endpoints/0/addresses": ["192.0.2.1"] * 101},
        "a thousand and one endpoints": {"/endpoints": [{"addresses": ["192.0.2.1"]}] * 1001},
        "an address with leading zeros": {"/endpoints/0/addresses": ["192.0.2.01"]},
        "an IPv6 address that is none": {"/addressType": "IPv6", "/endpoints/0/addresses": ["here"]},
        "a label of a domain beyond 63 characters": {
            "/addressType": "FQDN",
            "/endpoints/0/addresses": ["a" * 64 + ".example.com"],
        },
    },
    frozen={
        "another type of address": {"/addressType": "IPv6", "/endpoints/0/addresses": ["2001:db8::1"]},
        "a malformed address": {"/endpoints/0/addresses": ["here"]},
    },
    accepted={
        "a domain with a dot at its end": {
            "/addressType": "FQDN",
            "/endpoints": [{"addresses": ["host.example.com."]}],
        },
        "IPv6": {"/addressType": "IPv6", "/endpoints": [{"addresses": ["2001:db8::1"]}]},
        "hints": {"/endpoints/0/hints": {"forZones": [{"name": "a"}], "forNodes": [{"name": "b"}]}},
    },
)


SAMPLES: Final = (
    SERVICE,
    SERVICE_BALANCER,
    ENDPOINTS,
    ENDPOINT_SLICE,
)
