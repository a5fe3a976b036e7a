"""Ingresses, their classes and network policies that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

INGRESS: Final = Sample(
    valid={
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {"name": "a"},
        "spec": {
            "ingressClassName": "b",
            "tls": [{"hosts": ["host.example.com"], "secretName": "c"}],
            "rules": [
                {
                    "host": "host.example.com",
                    "http": {
                        "paths": [
                            {
                                "path": "/",
                                "pathType": "Prefix",
                                "backend": {"service": {"name": "d", "port": {"number": 80}}},
                            }
                        ]
                    },
                }
            ],
        },
    },
    refused={
        "nothing": {"/spec/rules": ABSENT},
        "a host in capitals": {"/spec/rules/0/http": ABSENT, "/spec/rules/0/host": "Host"},
        "an address as host": {"/spec/rules/0/http": ABSENT, "/spec/rules/0/host": "192.0.2.1"},
        "two wildcards": {"/spec/rules/0/http": ABSENT, "/spec/rules/0/host": "*.*.com"},
        "a wildcard alone": {"/spec/rules/0/http": ABSENT, "/spec/rules/0/host": "*"},
        "no paths": {"/spec/rules/0/host": ABSENT, "/spec/rules/0/http/paths": []},
        "a path without a type": {
            "/spec/rules/0/host": ABSENT,
            "/spec/rules/0/http/paths/0/pathType": ABSENT,
        },
        "a path of an unknown type": {
            "/spec/rules/0/host": ABSENT,
            "/spec/rules/0/http/paths/0/pathType": "Unknown",
        },
        "a relative path": {
            "/spec/rules/0/host": ABSENT,
            "/spec/rules/0/http/paths/0/path": "x",
            "/spec/rules/0/http/paths/0/pathType": "Exact",
        },
        "no path": {
            "/spec/rules/0/host": ABSENT,
            "/spec/rules/0/http/paths/0/path": ABSENT,
            "/spec/rules/0/http/paths/0/pathType": "Exact",
        },
        "a path with two slashes": {"/spec/rules/0/host": ABSENT, "/spec/rules/0/http/paths/0/path": "/a//b"},
        "a path that leads back": {"/spec/rules/0/host": ABSENT, "/spec/rules/0/http/paths/0/path": "/a/.."},
        "a path with an encoded slash": {
            "/spec/rules/0/host": ABSENT,
            "/spec/rules/0/http/paths/0/path": "/a%2fb",
        },
        "a relative path of some implementation": {
            "/spec/rules/0/host": ABSENT,
            "/spec/rules/0/http/paths/0/path": "x",
            "/spec/rules/0/http/paths/0/pathType": "ImplementationSpecific",
        },
        "no backend": {"/spec/rules/0/host": ABSENT, "/spec/rules/0/http/paths/0/backend/service": ABSENT},
        "two backends": {
            "/spec/defaultBackend": {
                "service": {"name": "d", "port": {"number": 80}},
                "resource": {"kind": "E", "name": "e"},
            }
        },
        "a service without a name": {
            "/spec/defaultBackend": {"service": {"name": "", "port": {"number": 80}}}
        },
        "a service in capitals": {
            "/spec/defaultBackend": {"service": {"name": "Upper", "port": {"number": 80}}}
        },
        "a service without a port": {"/spec/defaultBackend": {"service": {"name": "d"}}},
        "a service of two ports": {
            "/spec/defaultBackend": {"service": {"name": "d", "port": {"number": 80, "name": "web"}}}
        },
        "a port beyond 65535": {
            "/spec/defaultBackend": {"service": {"name": "d", "port": {"number": 65536}}}
        },
        "a port name in capitals": {
            "/spec/defaultBackend": {"service": {"name": "d", "port": {"name": "Web"}}}
        },
        "a resource without a kind": {"/spec/defaultBackend": {"resource": {"kind": "", "name": "e"}}},
        "a resource of a malformed group": {
            "/spec/defaultBackend": {"resource": {"apiGroup": "Upper", "kind": "E", "name": "e/f"}}
        },
        "an encrypted host in capitals": {"/spec/tls/0/secretName": ABSENT, "/spec/tls/0/hosts": ["Host"]},
        "an encrypted wildcard alone": {"/spec/tls/0/secretName": ABSENT, "/spec/tls/0/hosts": ["*"]},
        "a secret in capitals": {"/spec/tls/0/hosts": ABSENT, "/spec/tls/0/secretName": "Upper"},
        "a class in capitals": {"/spec/ingressClassName": "Upper"},
        "two classes": {"/metadata/annotations": {"kubernetes.io/ingress.class": "other"}},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "nothing": {"/spec/rules": []},
        "a host in capitals": {"/spec/rules/0/http": ABSENT, "/spec/rules/0/host": "Host"},
        "a secret in capitals": {"/spec/tls/0/hosts": ABSENT, "/spec/tls/0/secretName": "Upper"},
    },
    status={
        "a malformed address": {"/status": {"loadBalancer": {"ingress": [{"ip": "here"}]}}},
        "an address as a name": {"/status": {"loadBalancer": {"ingress": [{"hostname": "192.0.2.1"}]}}},
        "a name in capitals": {"/status": {"loadBalancer": {"ingress": [{"hostname": "Host"}]}}},
    },
    accepted={
        "a default alone": {
            "/spec/rules": ABSENT,
            "/spec/defaultBackend": {"service": {"name": "1d", "port": {"name": "web"}}},
        },
        "a wildcard": {"/spec/rules/0/host": "*.example.com", "/spec/tls/0/hosts": ["*.example.com"]},
        "no path for some implementation": {
            "/spec/rules/0/http/paths/0/path": ABSENT,
            "/spec/rules/0/http/paths/0/pathType": "ImplementationSpecific",
        },
        "a resource": {"/spec/rules/0/http/paths/0/backend": {"resource": {"kind": "E", "name": "e"}}},
    },
    changed={
        "another host": {"/spec/rules/0/host": "other.example.com"},
    },
)

INGRESS_CLASS: Final = Sample(
    valid={
        "apiVersion": "networking.k8s.io/v1",
        "kind": "IngressClass",
        "metadata": {"name": "a"},
        "spec": {
            "controller": "example.com/controller",
            "parameters": {"apiGroup": "example.com", "kind": "Parameters", "name": "b", "scope": "Cluster"},
        },
    },
    refused={
        "no controller": {"/spec/controller": ABSENT},
        "a controller without a domain": {"/spec/controller": "controller"},
        "a controller without a path": {"/spec/controller": "example.com/"},
        "a controller of a malformed domain": {"/spec/controller": "Upper/controller"},
        "a controller with a blank": {"/spec/controller": "example.com/a b"},
        "a controller beyond 250 characters": {"/spec/controller": "example.com/" + "a" * 248},
        "parameters without a kind": {"/spec/parameters/kind": ""},
        "parameters without a name": {"/spec/parameters/name": ""},
        "parameters of a malformed group": {"/spec/parameters/apiGroup": "Upper"},
        "parameters of a malformed kind": {"/spec/parameters/kind": "a/b"},
        "parameters of an unknown scope": {"/spec/parameters/scope": "Unknown"},
        "parameters of no namespace": {"/spec/parameters/scope": "Namespace"},
        "parameters of a namespace in capitals": {
            "/spec/parameters/scope": "Namespace",
            "/spec/parameters/namespace": "Upper",
        },
        "parameters of the cluster in a namespace": {"/spec/parameters/namespace": "c"},
        "a name in capitals": {"/metadata/name": "Upper"},
    },
    frozen={
        "another controller": {"/spec/controller": "example.com/other"},
        "parameters of an unknown scope": {"/spec/parameters/scope": "Unknown"},
    },
    accepted={
        "parameters of a namespace": {
            "/spec/parameters/scope": "Namespace",
            "/spec/parameters/namespace": "c",
        },
        "no parameters": {"/spec/parameters": ABSENT},
    },
    changed={
        "other parameters": {"/spec/parameters/name": "c"},
    },
    namespaced=False,
)

NETWORK_POLICY: Final = Sample(
    valid={
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "a"},
        "spec": {"podSelector": {"matchLabels": {"app": "a"}}, "policyTypes": ["Ingress"]},
    },
    refused={
        "an unknown type": {"/spec/policyTypes": ["Unknown"]},
        "three types": {"/spec/policyTypes": ["Ingress", "Egress", "Ingress"]},
        "a selector with a blank": {"/spec/podSelector/matchLabels/app": "a b"},
        "a selector of an unknown operator": {
            "/spec/podSelector/matchExpressions": [{"key": "a", "operator": "Unknown"}]
        },
        "no peer": {"/spec/ingress": [{"from": [{}]}]},
        "a block beside pods": {
            "/spec/ingress": [{"from": [{"podSelector": {}, "ipBlock": {"cidr": "192.0.2.0/24"}}]}]
        },
        "a malformed block": {"/spec/ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.1"}}]}]},
        "no block": {"/spec/egress": [{"to": [{"ipBlock": {"cidr": ""}}]}]},
        "a block with bits beyond its prefix": {
            "/spec/egress": [{"to": [{"ipBlock": {"cidr": "192.0.2.1/24"}}]}]
        },
        "a block with leading zeros": {"/spec/egress": [{"to": [{"ipBlock": {"cidr": "192.0.2.0/024"}}]}]},
        "a mapped block": {"/spec/egress": [{"to": [{"ipBlock": {"cidr": "::ffff:192.0.2.0/120"}}]}]},
        "an exception from outside": {
            "/spec/ingress": [
                {"from": [{"ipBlock": {"cidr": "192.0.2.0/24", "except": ["198.51.100.0/25"]}}]}
            ]
        },
        "an exception from all": {
            "/spec/ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.0/24", "except": ["192.0.2.0/24"]}}]}]
        },
        "a malformed exception": {
            "/spec/ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.0/24", "except": ["here"]}}]}]
        },
        "an unknown protocol": {"/spec/ingress": [{"ports": [{"port": 80, "protocol": "ICMP"}]}]},
        "a port of zero": {"/spec/ingress": [{"ports": [{"port": 0, "protocol": "TCP"}]}]},
        "a port name in capitals": {"/spec/ingress": [{"ports": [{"port": "Web", "protocol": "TCP"}]}]},
        "a range that ends before it begins": {
            "/spec/ingress": [{"ports": [{"port": 80, "endPort": 79, "protocol": "TCP"}]}]
        },
        "a range beyond 65535": {
            "/spec/ingress": [{"ports": [{"port": 80, "endPort": 65536, "protocol": "TCP"}]}]
        },
        "a range of a named port": {
            "/spec/egress": [{"ports": [{"port": "web", "endPort": 80, "protocol": "TCP"}]}]
        },
        "a range without a beginning": {"/spec/egress": [{"ports": [{"endPort": 80, "protocol": "TCP"}]}]},
        "a namespace with a blank": {
            "/spec/ingress": [{"from": [{"namespaceSelector": {"matchLabels": {"app": "a b"}}}]}]
        },
        "a name in capitals": {"/metadata/name": "Upper"},
        "an exception of the other family": {
            "/spec/ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.0/24", "except": ["2001:db8::/64"]}}]}]
        },
    },
    frozen={
        "an unknown type": {"/spec/policyTypes": ["Unknown"]},
        "a malformed block": {"/spec/ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.1"}}]}]},
    },
    accepted={
        "a range of ports": {"/spec/ingress": [{"ports": [{"port": 80, "endPort": 90, "protocol": "TCP"}]}]},
        "an exception": {
            "/spec/ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.0/24", "except": ["192.0.2.128/25"]}}]}]
        },
        "pods of other namespaces": {
            "/spec/egress": [{"to": [{"podSelector": {}, "namespaceSelector": {}}]}]
        },
    },
)


SAMPLES: Final = (
    INGRESS,
    INGRESS_CLASS,
    NETWORK_POLICY,
)
