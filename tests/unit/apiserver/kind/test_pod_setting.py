from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.apparmor import PROFILE
from windlass.apiserver.kind.pod_setting import merge_label_keys, read_profiles

Object = dict[str, Any]


def test_label_keys_become_requirements_on_the_values_of_the_pod() -> None:
    term = {"labelSelector": {}, "matchLabelKeys": ["a", "missing"], "mismatchLabelKeys": ["b"]}
    weighted = {"labelSelector": {"matchLabels": {"x": "y"}}, "matchLabelKeys": ["a"]}
    pod: Object = {
        "metadata": {"labels": {"a": "1", "b": "2"}},
        "spec": {
            "affinity": {
                "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]},
                "podAntiAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": weighted}]
                },
            },
            "topologySpreadConstraints": [
                {"labelSelector": {}, "matchLabelKeys": ["b"]},
                {"matchLabelKeys": ["b"]},
            ],
        },
    }

    merge_label_keys(pod)

    assert term["labelSelector"] == {
        "matchExpressions": [
            {"key": "a", "operator": "In", "values": ["1"]},
            {"key": "b", "operator": "NotIn", "values": ["2"]},
        ]
    }
    assert weighted["labelSelector"] == {
        "matchLabels": {"x": "y"},
        "matchExpressions": [{"key": "a", "operator": "In", "values": ["1"]}],
    }
    merged, loose = pod["spec"]["topologySpreadConstraints"]
    assert merged["labelSelector"]["matchExpressions"] == [{"key": "b", "operator": "In", "values": ["2"]}]
    assert "labelSelector" not in loose


def profiled(**spec: Any) -> Object:
    return {
        "metadata": {"annotations": {f"{PROFILE}main": "runtime/default"}},
        "spec": {"containers": [{"name": "main"}, {"name": "other"}], **spec},
    }


def test_a_profile_moves_from_its_annotation_into_the_container() -> None:
    pod = profiled()

    read_profiles(pod)

    assert pod["spec"]["containers"] == [
        {"name": "main", "securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}},
        {"name": "other"},
    ]


@pytest.mark.parametrize(
    "spec",
    [
        {"os": {"name": "windows"}},
        {"securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}},
        {"containers": [{"name": "main", "securityContext": {"appArmorProfile": {"type": "Unconfined"}}}]},
    ],
    ids=["a pod without AppArmor", "the pod has it already", "the container has another"],
)
def test_a_profile_stays_out_where_it_adds_nothing(spec: Object) -> None:
    pod = profiled(**spec)
    before = [dict(each) for each in pod["spec"]["containers"]]

    read_profiles(pod)

    assert pod["spec"]["containers"] == before
