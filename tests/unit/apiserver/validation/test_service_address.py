from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.service_address import validate_cluster_addresses, validate_same_addresses

V4, V6 = "10.96.0.9", "2001:db8::9"


def spec(*addresses: str, **fields: Any) -> dict[str, Any]:
    families = ["IPv6" if ":" in address else "IPv4" for address in addresses]
    policy = "RequireDualStack" if len(addresses) > 1 else "SingleStack"
    first = {"clusterIP": addresses[0], "clusterIPs": list(addresses)} if addresses else {}
    return {"type": "ClusterIP", **first, "ipFamilies": families, "ipFamilyPolicy": policy, **fields}


def same(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    return [str(fault) for fault in validate_same_addresses(new, old)]


def test_a_second_address_may_be_added_and_given_up() -> None:
    assert same(spec(V4, V6), spec(V4)) == []
    assert same(spec(V4), spec(V4, V6)) == []


def test_the_second_address_is_given_up_on_purpose() -> None:
    assert same(spec(V4, ipFamilyPolicy="PreferDualStack"), spec(V4, V6)) == [
        'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": '
        f"must be set to 'SingleStack' when releasing the secondary {what}"
        for what in ("clusterIP", "ipFamily")
    ]


def test_the_first_address_is_never_given_up() -> None:
    found = same({"type": "ClusterIP", "ipFamilies": ["IPv4"]}, spec(V4))

    assert found == ["spec.clusterIPs[0]: Invalid value: []: primary clusterIP can not be unset"]


def test_a_second_address_does_not_replace_the_first() -> None:
    found = same(spec(V6, V4), spec(V4))

    assert found == [
        f'spec.clusterIPs[0]: Invalid value: ["{V6}","{V4}"]: may not change once set',
        f'spec.ipFamilies[0]: Invalid value: ["{V6}","{V4}"]: may not change once set',
    ]


def test_headless_services_and_external_names_may_change_what_they_do_not_use() -> None:
    headless = {"type": "ClusterIP", "clusterIP": "None", "clusterIPs": ["None"]}

    assert same({**headless, "ipFamilies": ["IPv6"]}, {**headless, "ipFamilies": ["IPv4"]}) == []
    assert same({"type": "ExternalName"}, spec(V4)) == []
    assert same(spec(V4), {"type": "ExternalName"}) == []


def test_the_two_fields_of_the_address_agree() -> None:
    alone = {"type": "ClusterIP", "clusterIP": V4}
    without = {"type": "ClusterIP", "clusterIPs": [V4]}

    assert [str(fault) for fault in validate_cluster_addresses(alone, {})] == [
        "spec.clusterIPs: Required value"
    ]
    assert [str(fault) for fault in validate_cluster_addresses(without, {})] == [
        f'spec.clusterIPs: Invalid value: ["{V4}"]: must be empty when `clusterIP` is not specified'
    ]


def test_an_address_that_an_old_server_took_may_stay() -> None:
    odd = spec("010.96.0.9")

    assert list(validate_cluster_addresses(odd, odd)) == []
    assert len(list(validate_cluster_addresses(odd, {}))) == 1
