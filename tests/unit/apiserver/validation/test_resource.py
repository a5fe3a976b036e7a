from __future__ import annotations

import pytest

from windlass.apiserver.validation.resource import (
    container_resource,
    is_extended,
    standard_resource,
    validate_amount,
    validate_requirements,
)
from windlass.schema import Path

AT = Path("r")


@pytest.mark.parametrize("name", ["cpu", "hugepages-2Mi", "example.com/gpu", "kubernetes.io/x"])
def test_a_container_may_ask_for(name: str) -> None:
    assert not container_resource(name)


@pytest.mark.parametrize("name", ["storage", "pods", "gpu", "a b", "requests.example.com/gpu", ""])
def test_a_container_may_not_ask_for(name: str) -> None:
    assert container_resource(name)


def test_resources_of_quotas_are_standard_too() -> None:
    assert not standard_resource("requests.storage")
    assert not standard_resource("requests.hugepages-2Mi")
    assert standard_resource("gpu") == ["must be a standard resource type or fully qualified"]


def test_only_what_others_define_is_extended() -> None:
    assert is_extended("example.com/gpu")
    assert not is_extended("cpu")
    assert not is_extended("kubernetes.io/x")
    assert not is_extended("requests.example.com/gpu")


@pytest.mark.parametrize(
    ("name", "value", "messages"),
    [
        ("cpu", "1500m", []),
        ("cpu", "-1", ['Invalid value: "-1": must be greater than or equal to 0']),
        ("pods", "1500m", ['Invalid value: "1500m": must be an integer']),
        ("example.com/gpu", "2", []),
        ("example.com/gpu", "0.5", ['Invalid value: "500m": must be an integer']),
    ],
)
def test_an_amount_is_not_negative_and_whole_where_things_are_counted(
    name: str, value: str, messages: list[str]
) -> None:
    assert [fault.message for fault in validate_amount(name, value, AT)] == messages


def test_huge_pages_come_in_their_size() -> None:
    limits = {"cpu": "1", "hugepages-2Mi": "3Mi"}

    (fault,) = validate_requirements({"limits": limits}, AT, ())

    assert str(fault) == (
        'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi'
    )


def test_a_claim_is_named_once_and_declared() -> None:
    claims = [{"name": "a"}, {"name": "a", "request": "x"}, {"name": "b", "request": "y"}, {"name": "b"}, {}]

    assert [str(fault) for fault in validate_requirements({"claims": claims}, AT, ("a", "c"))] == [
        'r.claims[1]: Duplicate value: "a"',
        'r.claims[2]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a, c',
        'r.claims[3]: Duplicate value: "b"',
        'r.claims[3]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a, c',
        "r.claims[4]: Required value",
    ]
