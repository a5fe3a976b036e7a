"""Which pods a set parts with first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import format_time
from windlass.cluster.controller.replica_set.desired import doomed, pod_of
from windlass.kinds.apps.v1 import ReplicaSet
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from windlass.api import Json

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
COST = "controller.kubernetes.io/pod-deletion-cost"


def ago(**past: int) -> str:
    return format_time(NOON - timedelta(**past))


def pod(name: str, **said: Any) -> Pod:
    """A pod that runs on node `a`, ready for an hour, made a day ago, but for what is said."""
    ready: Json = {"type": "Ready", "status": "True", "lastTransitionTime": said.get("ready", ago(hours=1))}
    containers = [{"name": "main", "restartCount": said.get("restarts", 0), "image": "", "imageID": ""}]
    return Pod.from_wire(
        {
            "metadata": {
                "name": name,
                "uid": said.get("uid", name),
                "creationTimestamp": said.get("created", ago(days=1)),
                "annotations": {COST: said["cost"]} if "cost" in said else {},
            },
            "spec": {
                "nodeName": said.get("node", "a"),
                "containers": [{"name": "main"}],
                "initContainers": [{"name": "side", "restartPolicy": "Always"}],
            },
            "status": {
                "phase": said.get("phase", "Running"),
                "conditions": [ready] if said.get("ready") != "" else [],
                "containerStatuses": containers,
                "initContainerStatuses": [{"name": "side", "restartCount": said.get("sidecar", 0)}],
            },
        }
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Each rule is stronger than all that follow, which here speak for the second.
        ({"node": "", "cost": "9"}, {"phase": "Pending", "ready": "", "restarts": 9}),
        ({"phase": "Pending", "cost": "9"}, {"phase": "Unknown", "ready": ""}),
        ({"phase": "Unknown"}, {"ready": "", "restarts": 9}),
        ({"ready": "", "cost": "9"}, {"cost": "-9"}),
        ({"cost": "-9", "ready": ago(days=1)}, {"cost": "0", "ready": ago(minutes=1)}),
        ({"cost": "-1", "ready": ago(days=1)}, {"ready": ago(minutes=1)}),
        ({"ready": ago(days=1)}, {"node": "b", "ready": ago(minutes=1), "restarts": 9}),
        ({"ready": ago(minutes=1)}, {"ready": ago(hours=5), "restarts": 9}),
        ({"restarts": 2}, {"restarts": 1, "sidecar": 9, "created": ago(hours=1)}),
        ({"sidecar": 2}, {"sidecar": 1, "created": ago(hours=1)}),
        ({"created": ago(hours=1)}, {"created": ago(days=1)}),
        # Ages of one order of magnitude are as good as equal: the uid decides, as by chance.
        ({"ready": ago(minutes=61), "uid": "1"}, {"ready": ago(minutes=60), "uid": "2"}),
        ({"cost": "not a number", "created": ago(hours=1)}, {"cost": "0"}),
    ],
)
def test_of_two_pods_the_one_that_is_missed_less_goes(first: dict[str, Any], second: dict[str, Any]) -> None:
    goes, stays = pod("goes", **first), pod("stays", **second)
    neighbour = pod("neighbour")
    related = [goes, stays, neighbour]

    for pods in ([goes, stays], [stays, goes]):
        assert doomed(pods, related, 1, NOON) == [goes]


def test_where_all_go_there_is_nothing_to_choose() -> None:
    pods = [pod("a"), pod("b")]

    assert doomed(pods, (), 2, NOON) == pods


def test_a_pod_is_made_as_the_template_says() -> None:
    metadata = {"labels": {"app": "web"}, "annotations": {"a": "b"}, "finalizers": ["example.com/held"]}
    template = {"metadata": metadata, "spec": {"containers": [{"name": "main", "image": "web:1"}]}}
    made = ReplicaSet.from_wire({"spec": {"selector": {}, "template": template}}).spec.template
    assert made

    assert pod_of("web", made).to_wire() == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": "web-", **metadata},
        "spec": template["spec"],
    }
    assert pod_of("w" * 253, made).metadata.generate_name == "w" * 253
