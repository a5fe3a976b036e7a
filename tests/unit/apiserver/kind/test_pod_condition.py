from typing import Any

from windlass.apiserver.kind.pod_condition import set_pod_condition

THEN, NOW = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"


def ready(status: str, since: str, **more: Any) -> dict[str, Any]:
    return {"type": "Ready", "status": status, "lastProbeTime": None, "lastTransitionTime": since, **more}


def test_a_new_condition_comes_last() -> None:
    pod: dict[str, Any] = {"status": {"conditions": [ready("True", THEN)]}}

    set_pod_condition(pod, {"type": "Other", "status": "True"}, NOW)

    assert [each["type"] for each in pod["status"]["conditions"]] == ["Ready", "Other"]
    assert pod["status"]["conditions"][1]["lastTransitionTime"] == NOW


def test_the_time_of_a_condition_moves_with_its_status_only() -> None:
    pod: dict[str, Any] = {"status": {"conditions": [ready("True", THEN)]}}

    set_pod_condition(pod, {"type": "Ready", "status": "True", "reason": "Still"}, NOW)
    assert pod["status"]["conditions"] == [ready("True", THEN, reason="Still")]

    set_pod_condition(pod, {"type": "Ready", "status": "False"}, NOW)
    assert pod["status"]["conditions"] == [ready("False", NOW)]
