from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.allocation.family import settle_families

Spec = dict[str, Any]


@pytest.mark.parametrize(
    ("given", "policy", "families"),
    [
        ({}, "SingleStack", ["IPv4"]),
        ({"ipFamilyPolicy": "PreferDualStack"}, "PreferDualStack", ["IPv4"]),
        ({"clusterIP": "10.96.0.9", "clusterIPs": ["10.96.0.9"]}, "SingleStack", ["IPv4"]),
        ({"clusterIP": "None", "clusterIPs": ["None"]}, "RequireDualStack", ["IPv4", "IPv6"]),
        (
            {"clusterIP": "None", "clusterIPs": ["None"], "ipFamilies": ["IPv6"]},
            "RequireDualStack",
            ["IPv6", "IPv4"],
        ),
        ({"clusterIP": "None", "clusterIPs": ["None"], "selector": {"a": "b"}}, "SingleStack", ["IPv4"]),
    ],
)
def test_what_a_new_service_leaves_open_is_settled(given: Spec, policy: str, families: list[str]) -> None:
    spec = {"type": "ClusterIP", **given}

    assert settle_families(spec, None) == []
    assert (spec["ipFamilyPolicy"], spec["ipFamilies"]) == (policy, families)


@pytest.mark.parametrize(
    ("given", "field", "detail"),
    [
        (
            {"ipFamilyPolicy": "RequireDualStack"},
            "spec.ipFamilyPolicy",
            "this cluster is not configured for dual-stack services",
        ),
        ({"ipFamilies": ["IPv6"]}, "spec.ipFamilies[0]", "not configured on this cluster"),
        (
            {"ipFamilyPolicy": "SingleStack", "ipFamilies": ["IPv4", "IPv6"]},
            "spec.ipFamilyPolicy",
            "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
        ),
        (
            {"clusterIP": "fd00::1", "clusterIPs": ["fd00::1"]},
            "spec.clusterIPs[0]",
            "IPv6 is not configured on this cluster",
        ),
    ],
)
def test_a_family_that_the_cluster_does_not_serve_is_a_fault(given: Spec, field: str, detail: str) -> None:
    (fault,) = settle_families({"type": "ClusterIP", **given}, None)

    assert fault.field == field
    assert str(fault).endswith(detail)


def test_an_external_name_has_no_families() -> None:
    spec: Spec = {"type": "ExternalName"}

    assert settle_families(spec, None) == []
    assert spec == {"type": "ExternalName"}


def test_an_update_keeps_the_policy_that_it_leaves_out() -> None:
    old = {"type": "ClusterIP", "ipFamilyPolicy": "PreferDualStack", "ipFamilies": ["IPv4"]}
    spec: Spec = {"type": "NodePort"}

    assert settle_families(spec, old) == []
    assert (spec["ipFamilyPolicy"], spec["ipFamilies"]) == ("PreferDualStack", ["IPv4"])


def test_a_second_address_is_only_given_up_by_saying_so() -> None:
    both = {
        "type": "ClusterIP",
        "ipFamilyPolicy": "PreferDualStack",
        "clusterIP": "10.96.0.9",
        "clusterIPs": ["10.96.0.9", "fd00::1"],
        "ipFamilies": ["IPv4", "IPv6"],
    }
    single = {**both, "ipFamilyPolicy": "SingleStack"}
    fewer = {**both, "clusterIPs": ["10.96.0.9"], "ipFamilies": ["IPv4"]}

    assert settle_families(single, both) == []
    assert (single["clusterIPs"], single["ipFamilies"]) == (["10.96.0.9"], ["IPv4"])
    assert [str(fault).rpartition(": ")[2] for fault in settle_families(fewer, both)] == [
        "must be 'SingleStack' to release the secondary cluster IP",
        "must be 'SingleStack' to release the secondary IP family",
    ]
