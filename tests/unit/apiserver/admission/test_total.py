from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission.total import pod_total


def container(cpu: str, **more: Any) -> dict[str, Any]:
    return {"resources": {"requests": {"cpu": cpu}}, **more}


@pytest.mark.parametrize(
    ("spec", "cpu"),
    [
        ({"containers": [container("1"), container("2")]}, "3"),
        ({"containers": [container("1")], "initContainers": [container("5"), container("4")]}, "5"),
        ({"containers": [container("1")], "initContainers": [container("2", restartPolicy="Always")]}, "3"),
        (
            {
                "containers": [container("1")],
                "initContainers": [container("2", restartPolicy="Always"), container("6")],
            },
            "8",
        ),
        ({"containers": [container("1")], "resources": {"requests": {"cpu": "9"}}}, "9"),
    ],
    ids=["all together", "the largest start", "a sidecar stays", "a start beside a sidecar", "the pod says"],
)
def test_a_pod_needs_what_it_needs_at_most_at_once(spec: dict[str, Any], cpu: str) -> None:
    assert {name: str(amount) for name, amount in pod_total(spec, "requests").items()} == {"cpu": cpu}
