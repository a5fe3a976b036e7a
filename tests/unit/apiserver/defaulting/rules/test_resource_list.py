from __future__ import annotations

import pytest

from windlass.apiserver.defaulting import fill, fill_definition
from windlass.apiserver.defaulting.rules.resource_list import thousandths


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1n", "1m"),
        ("1u", "1m"),
        ("1000u", "1m"),
        ("1001u", "2m"),
        ("-1u", "-1m"),
        ("0.0001", "1m"),
        ("1.5", "1500m"),
        ("1e-6", "1e-3"),
        ("0.0001Ki", "103m"),
        ("1.5Gi", "1536Mi"),
    ],
)
def test_an_amount_is_rounded_up_to_thousandths(given: str, expected: str) -> None:
    assert thousandths(given) == expected


@pytest.mark.parametrize("amount", ["1", "500m", "1Gi", "1e3", "100E", 2])
def test_a_coarse_amount_stays_as_it_is(amount: object) -> None:
    quota = {"spec": {"hard": {"cpu": amount}}}

    fill("v1/ResourceQuota", quota)

    assert quota["spec"]["hard"] == {"cpu": amount}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("ResourceRequirements", "limits"),
        ("ResourceRequirements", "requests"),
        ("VolumeResourceRequirements", "requests"),
        ("PersistentVolumeSpec", "capacity"),
        ("PodSpec", "overhead"),
        ("LimitRangeItem", "maxLimitRequestRatio"),
        ("NodeStatus", "capacity"),
        ("ContainerStatus", "allocatedResources"),
    ],
)
def test_amounts_are_rounded_wherever_they_stand(name: str, field: str) -> None:
    structure = {field: {"cpu": "1u"}}

    fill_definition(f"io.k8s.api.core.v1.{name}", structure)

    assert structure[field] == {"cpu": "1m"}


def test_the_overhead_of_a_runtime_class_is_not_rounded() -> None:
    runtime = {"overhead": {"podFixed": {"cpu": "1u"}}}

    fill("node.k8s.io/v1/RuntimeClass", runtime)

    assert runtime == {"overhead": {"podFixed": {"cpu": "1u"}}}
