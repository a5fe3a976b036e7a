"""Ranges of addresses, and addresses, that a server refuses."""

from __future__ import annotations

from typing import Final

from broken import ABSENT, Sample

SERVICE_CIDR: Final = Sample(
    valid={
        "apiVersion": "networking.k8s.io/v1",
        "kind": "ServiceCIDR",
        "metadata": {"name": "a"},
        "spec": {"cidrs": ["192.0.2.0/24"]},
    },
    refused={
        "no ranges": {"/spec/cidrs": ABSENT},
        "an empty list of ranges": {"/spec/cidrs": []},
        "three ranges": {"/spec/cidrs": ["192.0.2.0/24", "2001:db8::/64", "198.51.100.0/24"]},
        "two ranges of one family": {"/spec/cidrs": ["192.0.2.0/24", "198.51.100.0/24"]},
        "two ranges of the newer family": {"/spec/cidrs": ["2001:db8::/64", "2001:db8:1::/64"]},
        "what is no range": {"/spec/cidrs": ["x"]},
        "an address": {"/spec/cidrs": ["192.0.2.0"]},
        "an address within": {"/spec/cidrs": ["192.0.2.1/24"]},
        "leading zeros": {"/spec/cidrs": ["192.0.02.0/24"]},
        "leading zeros of the length": {"/spec/cidrs": ["192.0.2.0/024"]},
        "capitals": {"/spec/cidrs": ["2001:DB8::/64"]},
        "zeros that could be left out": {"/spec/cidrs": ["2001:db8:0::/64"]},
        "an older address in a newer one": {"/spec/cidrs": ["::ffff:192.0.2.0/120"]},
        "two that are none": {"/spec/cidrs": ["x", "y"]},
        "a range that is a number": {"/spec/cidrs": [1]},
        "a name in capitals": {"/metadata/name": "Upper"},
        "a name with a colon": {"/metadata/name": "a:b"},
    },
    frozen={
        "another range": {"/spec/cidrs/0": "198.51.100.0/24"},
        "another range and one more": {"/spec/cidrs": ["198.51.100.0/24", "2001:db8::/64"]},
        "one more of the family": {"/spec/cidrs/-": "198.51.100.0/24"},
        "one more in capitals": {"/spec/cidrs/-": "2001:DB8::/64"},
        "two more": {"/spec/cidrs": ["192.0.2.0/24", "2001:db8::/64", "198.51.100.0/24"]},
        "none any more": {"/spec/cidrs": ABSENT},
    },
    accepted={
        "two families": {"/spec/cidrs/-": "2001:db8::/64"},
        "a name that is an address": {"/metadata/name": "192.0.2.1"},
    },
    changed={
        "one more of the other family": {"/spec/cidrs/-": "2001:db8::/64"},
    },
    namespaced=False,
)

IP_ADDRESS: Final = Sample(
    valid={
        "apiVersion": "networking.k8s.io/v1",
        "kind": "IPAddress",
        "metadata": {"name": "192.0.2.1"},
        "spec": {"parentRef": {"resource": "services", "namespace": "b", "name": "c"}},
    },
    refused={
        "no parent": {"/spec/parentRef": ABSENT},
        "no spec": {"/spec": ABSENT},
        "an empty parent": {"/spec/parentRef": {}},
        "no resource": {"/spec/parentRef/resource": ""},
        "no name of the parent": {"/spec/parentRef/name": ABSENT},
        "a group in capitals": {"/spec/parentRef/group": "Upper"},
        "a resource with a slash": {"/spec/parentRef/resource": "a/b"},
        "a parent with a slash": {"/spec/parentRef/name": "a/b"},
        "a parent that is a dot": {"/spec/parentRef/name": "."},
        "a namespace with a percent sign": {"/spec/parentRef/namespace": "a%b"},
        "a name that is no address": {"/metadata/name": "a"},
        "a name with leading zeros": {"/metadata/name": "192.0.02.1"},
        "a name in capitals": {"/metadata/name": "2001:DB8::1"},
        "a name that is a range": {"/metadata/name": "192.0.2.0-24"},
        "a name and a parent": {"/metadata/name": "a", "/spec/parentRef/name": ""},
    },
    accepted={
        "an address of the newer family": {"/metadata/name": "2001:db8::1"},
        "a parent of a group": {"/spec/parentRef/group": "example.com"},
        "a parent in no namespace": {"/spec/parentRef/namespace": ABSENT},
    },
    namespaced=False,
    plural="ipaddresses",
)


SAMPLES: Final = (SERVICE_CIDR, IP_ADDRESS)
