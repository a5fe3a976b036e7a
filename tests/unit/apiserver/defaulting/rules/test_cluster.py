from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill


def filled(kind: str, obj: dict[str, Any]) -> dict[str, Any]:
    fill(kind, obj)
    return obj


def test_a_namespace_is_labelled_with_its_name() -> None:
    made = filled("v1/Namespace", {"metadata": {"name": "a", "labels": {"x": "y"}}})

    assert made["metadata"]["labels"] == {"x": "y", "kubernetes.io/metadata.name": "a"}
    assert made["status"] == {"phase": "Active"}


def test_a_namespace_that_has_no_name_yet_has_no_label() -> None:
    assert "labels" not in filled("v1/Namespace", {"metadata": {"generateName": "a"}})["metadata"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"capacity": {"cpu": "2"}}, {"cpu": "2"}),
        ({"capacity": {"cpu": "2"}, "allocatable": {"cpu": "1"}}, {"cpu": "1"}),
        ({}, None),
    ],
    ids=["capacity", "both", "neither"],
)
def test_all_of_a_nodes_capacity_is_allocatable(given: dict[str, Any], expected: object) -> None:
    assert filled("v1/Node", {"status": given})["status"].get("allocatable") == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"podCIDR": "a"}, ("a", ["a"])),
        ({"podCIDRs": ["a", "b"]}, ("a", ["a", "b"])),
        ({"podCIDR": "c", "podCIDRs": ["a"]}, ("c", ["c"])),
        ({}, (None, None)),
    ],
    ids=["old", "new", "different", "neither"],
)
def test_the_range_of_a_node_is_the_first_of_its_ranges(
    given: dict[str, Any], expected: tuple[object, object]
) -> None:
    spec = filled("v1/Node", {"spec": given})["spec"]

    assert (spec.get("podCIDR"), spec.get("podCIDRs")) == expected


@pytest.mark.parametrize(
    ("given", "default", "request_"),
    [
        ({"max": {"cpu": "2"}}, {"cpu": "2"}, {"cpu": "2"}),
        ({"min": {"cpu": "1"}}, None, {"cpu": "1"}),
        ({"max": {"cpu": "2"}, "min": {"cpu": "1"}}, {"cpu": "2"}, {"cpu": "2"}),
        ({"default": {"cpu": "1"}, "max": {"cpu": "2"}}, {"cpu": "1"}, {"cpu": "1"}),
        ({"default": {"cpu": "2"}, "defaultRequest": {"cpu": "1"}}, {"cpu": "2"}, {"cpu": "1"}),
        ({}, None, None),
    ],
)
def test_the_limit_of_a_container_is_the_maximum_and_its_request_the_limit(
    given: dict[str, Any], default: object, request_: object
) -> None:
    (item,) = filled("v1/LimitRange", {"spec": {"limits": [{"type": "Container", **given}]}})["spec"][
        "limits"
    ]

    assert (item.get("default"), item.get("defaultRequest")) == (default, request_)


def test_the_limits_of_pods_have_no_defaults() -> None:
    (item,) = filled("v1/LimitRange", {"spec": {"limits": [{"type": "Pod", "max": {"cpu": "2"}}]}})["spec"][
        "limits"
    ]

    assert item == {"type": "Pod", "max": {"cpu": "2"}}


def test_text_in_a_secret_becomes_data_and_wins() -> None:
    given = {"stringData": {"a": "é", "b": ""}, "data": {"a": "eA==", "c": "eA=="}}

    assert filled("v1/Secret", given) == {"type": "Opaque", "data": {"a": "w6k=", "b": "", "c": "eA=="}}


def test_of_the_secrets_of_a_service_account_the_names_are_kept() -> None:
    given = {"secrets": [{"name": "a", "namespace": "b", "kind": "Secret"}, {"kind": "Secret"}]}

    assert filled("v1/ServiceAccount", given) == {"secrets": [{"name": "a"}, {}]}
