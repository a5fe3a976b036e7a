from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission import taint, tolerate

NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"


@pytest.mark.parametrize(
    ("given", "added"),
    [
        ([], [NOT_READY, UNREACHABLE]),
        ([{"key": NOT_READY, "effect": "NoExecute"}], [UNREACHABLE]),
        ([{"key": NOT_READY, "effect": "NoSchedule"}], [NOT_READY, UNREACHABLE]),
        ([{"operator": "Exists"}], []),
    ],
    ids=["nothing", "one of them", "another effect", "everything"],
)
def test_a_pod_bears_five_minutes_of_what_it_does_not_speak_of(given: list[Any], added: list[str]) -> None:
    pod = {"spec": {"tolerations": list(given)}}

    tolerate(pod)

    assert [each["key"] for each in pod["spec"]["tolerations"][len(given) :]] == added
    assert all(each["tolerationSeconds"] == 300 for each in pod["spec"]["tolerations"][len(given) :])


def test_a_new_node_is_not_ready_once() -> None:
    node: dict[str, Any] = {"spec": {"taints": [{"key": NOT_READY, "effect": "NoExecute"}]}}

    taint(node)
    taint(node)

    assert node["spec"]["taints"] == [
        {"key": NOT_READY, "effect": "NoExecute"},
        {"key": NOT_READY, "effect": "NoSchedule"},
    ]
