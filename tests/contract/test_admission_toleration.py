"""tolerations: every pod bears it for a while that its node is lost, unless it says otherwise."""

import pytest

from contract import Api, Object, pod

NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"


@pytest.mark.parametrize(
    ("given", "added"),
    [
        ({"key": NOT_READY, "operator": "Exists", "effect": "NoExecute"}, [UNREACHABLE]),
        ({"key": NOT_READY, "operator": "Exists"}, [UNREACHABLE]),
        ({"key": UNREACHABLE, "operator": "Exists", "effect": "NoSchedule"}, [NOT_READY, UNREACHABLE]),
        ({"operator": "Exists"}, []),
        ({"operator": "Exists", "effect": "NoExecute"}, []),
        ({"operator": "Exists", "effect": "NoSchedule"}, [NOT_READY, UNREACHABLE]),
        ({"key": "other", "operator": "Exists"}, [NOT_READY, UNREACHABLE]),
    ],
)
async def test_what_a_pod_does_not_say_is_added(api: Api, pods: str, given: Object, added: list[str]) -> None:
    spec = (await api.create(pods, pod("a", tolerations=[given]))).ok()["spec"]

    assert spec["tolerations"] == [
        given,
        *(
            {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
            for key in added
        ),
    ]
