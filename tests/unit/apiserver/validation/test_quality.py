from typing import Any

import pytest

from windlass.apiserver.validation.quality import quality_of

BOTH = {"cpu": "1", "memory": "1Gi"}
EQUAL = {"requests": BOTH, "limits": BOTH}


def spec(*resources: dict[str, Any], **pod: Any) -> dict[str, Any]:
    return {"containers": [{"name": "c", "resources": each} for each in resources], **pod}


@pytest.mark.parametrize(
    ("pod", "quality"),
    [
        pytest.param(spec({}), "BestEffort", id="nothing"),
        pytest.param(spec({"requests": {"cpu": "0"}}), "BestEffort", id="zero"),
        pytest.param(spec({"limits": {"example.com/gpu": "1"}}), "BestEffort", id="neither-cpu-nor-memory"),
        pytest.param(spec(EQUAL), "Guaranteed", id="equal"),
        pytest.param(
            spec({"requests": {"cpu": "1000m", "memory": "1024Mi"}, "limits": BOTH}),
            "Guaranteed",
            id="equal-in-other-words",
        ),
        pytest.param(spec({"requests": BOTH}), "Burstable", id="no-limits"),
        pytest.param(spec({"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}), "Burstable", id="cpu-only"),
        pytest.param(spec(EQUAL, {}), "Burstable", id="one-without"),
        pytest.param(
            spec(EQUAL, initContainers=[{"name": "i", "resources": {}}]), "Burstable", id="init-without"
        ),
        pytest.param(spec({}, resources=EQUAL), "Guaranteed", id="of-the-pod"),
        pytest.param(spec(EQUAL, resources={"limits": {"cpu": "1"}}), "Burstable", id="of-the-pod-in-part"),
    ],
)
def test_the_quality_of_service_follows_from_the_resources(pod: dict[str, Any], quality: str) -> None:
    assert quality_of(pod) == quality
