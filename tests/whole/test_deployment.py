"""Rollouts: which sets there are and how large, what is reported and told, as on a real cluster."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from by_hand import PATIENCE, pods_when, template
from deploying import (
    LABELS,
    change,
    deployment,
    reason,
    replica_sets,
    reported,
    rolling,
    serve,
    serving,
    set_image,
    sizes,
)
from polling import until
from telling import is_told, told
from windlass.client import DeleteOptions, MergePatch
from windlass.cluster.controller.template_hash import template_hash
from windlass.kinds.apps.v1 import Deployment, ReplicaSet
from windlass.kinds.core.v1 import Pod, ResourceQuota

if TYPE_CHECKING:
    from typing import Any

    from windlass.client import Client

REVISION = "deployment.kubernetes.io/revision"
HISTORY = "deployment.kubernetes.io/revision-history"
DESIRED = "deployment.kubernetes.io/desired-replicas"
MOST = "deployment.kubernetes.io/max-replicas"
RICH: dict[str, Any] = {
    "terminationGracePeriodSeconds": 0,
    "nodeSelector": {"b": "2", "a": "1"},
    "securityContext": {"runAsUser": 1000, "fsGroup": 0},
    "tolerations": [{"key": "x", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
    "topologySpreadConstraints": [
        {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
    ],
    "volumes": [
        {"name": "config", "configMap": {"name": "web", "defaultMode": 256}},
        {"name": "scratch", "emptyDir": {"sizeLimit": "16Gi"}},
        {"name": "token", "projected": {"sources": [{"serviceAccountToken": {"path": "token"}}]}},
    ],
    "initContainers": [{"name": "beside", "image": "beside:1", "restartPolicy": "Always"}],
    "containers": [
        {
            "name": "main",
            "image": "web:v1",
            "command": ["sh", "-c", "echo ü"],
            "ports": [{"containerPort": 80, "name": "http"}],
            "env": [
                {"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
                {"name": "B", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
            ],
            "resources": {
                "requests": {"cpu": "100m", "memory": "128Mi", "example.com/gpu": "3"},
                "limits": {"cpu": "1.5", "memory": "1.5Gi", "example.com/gpu": "3"},
            },
            "livenessProbe": {"httpGet": {"path": "/", "port": "http"}, "periodSeconds": 3},
            "readinessProbe": {"tcpSocket": {"port": 80}},
            "lifecycle": {"preStop": {"exec": {"command": ["true"]}}},
            "securityContext": {"capabilities": {"drop": ["ALL"]}, "privileged": False},
        }
    ],
}
ODD: dict[str, Any] = {
    "containers": [
        {
            "name": "main",
            "image": "web:v1",
            "resources": {
                "requests": {"cpu": "10000", "memory": "123456789"},
                "limits": {"cpu": "20000.5", "memory": "1e9"},
            },
        }
    ]
}


def v1(**spec: Any) -> dict[str, Any]:
    return template(LABELS, **{"containers": [{"name": "main", "image": "web:v1"}], **spec})


@pytest.mark.parametrize("spec", [{}, RICH, ODD], ids=["plain", "rich", "odd"])
async def test_a_set_is_named_by_the_hash_of_the_template(client: Client, spec: dict[str, Any]) -> None:
    made = await client.create(deployment(0, v1(**spec)))
    found = (await until(lambda: replica_sets(client), patience=PATIENCE))["web:v1"]
    digest = template_hash(made.spec.template.to_wire())
    live = await until(
        lambda: client.get(Deployment, "web"),
        lambda live: REVISION in live.metadata.annotations,
        patience=PATIENCE,
    )

    assert found.metadata.name == f"web-{digest}"
    assert found.metadata.labels == {**LABELS, "pod-template-hash": digest}
    assert found.spec.selector.match_labels == {**LABELS, "pod-template-hash": digest}
    assert found.spec.template
    assert found.spec.template.metadata.labels == {**LABELS, "pod-template-hash": digest}
    assert found.metadata.annotations == {
        "example.com/why": "first",
        REVISION: "1",
        DESIRED: "0",
        MOST: "0",
    }
    assert found.metadata.owner_references == [made.owner_reference()]
    assert live.metadata.generation == 1
    assert live.metadata.annotations == {"example.com/why": "first", REVISION: "1"}


async def test_a_rolling_update_keeps_to_its_limits_and_can_be_undone(client: Client) -> None:
    await client.create(deployment(4, v1(), strategy=rolling("25%", "25%")))
    first = (await sizes(client, v1=4))["web:v1"].metadata.name
    begun = await reported(client, lambda status: status.get("replicas") == 4)
    await serve(client, "web:v1")
    done = await reported(client, lambda status: status.get("availableReplicas") == 4)
    assert begun == {
        "observedGeneration": 1,
        "replicas": 4,
        "updatedReplicas": 4,
        "unavailableReplicas": 4,
        "terminatingReplicas": 0,
        "conditions": {
            "Available": (
                "False",
                "MinimumReplicasUnavailable",
                "Deployment does not have minimum availability.",
            ),
            "Progressing": ("True", "ReplicaSetUpdated", f'ReplicaSet "{first}" is progressing.'),
        },
    }
    assert done == {
        "observedGeneration": 1,
        "replicas": 4,
        "updatedReplicas": 4,
        "readyReplicas": 4,
        "availableReplicas": 4,
        "terminatingReplicas": 0,
        "conditions": {
            "Available": ("True", "MinimumReplicasAvailable", "Deployment has minimum availability."),
            "Progressing": (
                "True",
                "NewReplicaSetAvailable",
                f'ReplicaSet "{first}" has successfully progressed.',
            ),
        },
    }

    await set_image(client, "web:v2")
    second = (await sizes(client, v1=3, v2=2))["web:v2"].metadata.name
    halfway = await reported(client, lambda status: status.get("updatedReplicas") == 2)
    assert {name: count for name, count in halfway.items() if name != "conditions"} == {
        "observedGeneration": 2,
        "replicas": 5,
        "updatedReplicas": 2,
        "readyReplicas": 3,
        "availableReplicas": 3,
        "unavailableReplicas": 2,
        "terminatingReplicas": 0,
    }
    assert reason(halfway) == "ReplicaSetUpdated"
    async with serving(client):
        await sizes(client, v1=0, v2=4)
        await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")
    for scaled in (
        f"Scaled up replica set {first} from 0 to 4",
        f"Scaled up replica set {second} from 0 to 1",
        f"Scaled down replica set {first} from 4 to 3",
        f"Scaled up replica set {second} from 1 to 2",
    ):
        await is_told(client, "web", "ScalingReplicaSet", scaled)

    await set_image(client, "web:v1")
    async with serving(client):
        back = (await sizes(client, v1=4, v2=0))["web:v1"]
    live = await until(
        lambda: client.get(Deployment, "web"),
        lambda live: live.metadata.annotations[REVISION] == "3",
        patience=PATIENCE,
    )
    assert back.metadata.name == first
    assert back.metadata.annotations[REVISION] == "3"
    assert back.metadata.annotations[HISTORY] == "1"
    assert live.metadata.generation == 3


async def test_a_recreated_deployment_has_no_old_pods_when_the_first_new_one_comes(client: Client) -> None:
    bound = v1(nodeName="nowhere")  # so that a pod that is deleted waits for a kubelet
    await client.create(deployment(2, bound, strategy={"type": "Recreate"}))
    old = await pods_when(client, "app=web", lambda found: len(found) == 2)
    await serve(client, "web:v1")
    await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")
    await set_image(client, "web:v2")
    ending = await reported(client, lambda status: status.get("terminatingReplicas") == 2)
    assert "replicas" not in ending
    assert set(await replica_sets(client)) == {"web:v1"}

    for pod in old:
        await client.delete(Pod, pod.metadata.name, options=DeleteOptions(grace_period=timedelta()))
    await sizes(client, v1=0, v2=2)
    assert reason(await reported(client, lambda status: status.get("replicas") == 2)) == "ReplicaSetUpdated"


async def test_a_rollout_that_is_scaled_keeps_its_proportions(client: Client) -> None:
    await client.create(deployment(10, v1(), strategy=rolling(3, 2)))
    await sizes(client, v1=10)
    await serve(client, "web:v1")
    await reported(client, lambda status: status.get("availableReplicas") == 10)
    await set_image(client, "web:broken")
    await sizes(client, v1=8, broken=5)
    await change(client, replicas=15)
    grown = await sizes(client, v1=11, broken=7)
    assert {each.metadata.annotations[DESIRED] for each in grown.values()} == {"15"}
    assert {each.metadata.annotations[MOST] for each in grown.values()} == {"18"}
    await change(client, replicas=0)
    await sizes(client, v1=0, broken=0)


async def test_what_is_paused_scales_but_rolls_nothing_out_until_it_is_resumed(client: Client) -> None:
    await client.create(deployment(2, v1(), strategy=rolling(1, 0)))
    await sizes(client, v1=2)
    await serve(client, "web:v1")
    await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")
    await change(client, paused=True)
    await set_image(client, "web:v2")
    await change(client, replicas=3)
    await sizes(client, v1=3)
    paused = await reported(client, lambda status: status.get("replicas") == 3)
    assert set(await replica_sets(client)) == {"web:v1"}
    assert paused["conditions"]["Progressing"] == ("Unknown", "DeploymentPaused", "Deployment is paused")
    assert "updatedReplicas" not in paused

    await change(client, paused=False)
    async with serving(client):
        await sizes(client, v1=0, v2=3)
        await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")


async def test_a_rollout_without_progress_is_told_after_its_deadline_and_may_yet_succeed(
    client: Client,
) -> None:
    await client.create(deployment(1, v1(), progressDeadlineSeconds=1))
    late = await reported(client, lambda status: reason(status) == "ProgressDeadlineExceeded")
    name = (await replica_sets(client))["web:v1"].metadata.name
    assert late["conditions"]["Progressing"] == (
        "False",
        "ProgressDeadlineExceeded",
        f'ReplicaSet "{name}" has timed out progressing.',
    )
    await serve(client, "web:v1")
    await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")


async def test_as_many_old_sets_are_kept_as_the_history_may_have(client: Client) -> None:
    await client.create(deployment(1, v1(), revisionHistoryLimit=1))
    async with serving(client):
        for tag in ("v2", "v3", "v4"):
            await set_image(client, f"web:{tag}")
            await sizes(client, **{tag: 1})
        left = await until(
            lambda: replica_sets(client), lambda found: set(found) == {"web:v3", "web:v4"}, patience=PATIENCE
        )
    assert {each.metadata.annotations[REVISION] for each in left.values()} == {"3", "4"}


async def test_what_keeps_a_set_from_its_pods_is_told_of_the_deployment(client: Client) -> None:
    await client.create(
        ResourceQuota.from_wire({"metadata": {"name": "none"}, "spec": {"hard": {"pods": "0"}}})
    )
    await until(
        lambda: client.get(ResourceQuota, "none"),
        lambda found: "pods" in found.status.hard,
        patience=PATIENCE,
    )
    await client.create(deployment(1, v1()))
    refused = await reported(client, lambda status: "ReplicaFailure" in status["conditions"])
    assert refused["conditions"]["ReplicaFailure"][:2] == ("True", "FailedCreate")
    await client.delete(ResourceQuota, "none")
    await reported(
        client,
        lambda status: status.get("replicas") == 1 and "ReplicaFailure" not in status["conditions"],
    )


async def test_a_set_that_is_there_already_is_adopted_or_stepped_aside_for(client: Client) -> None:
    wanted = deployment(2, v1())
    plain = {"apiVersion": "apps/v1", "kind": "ReplicaSet"}
    selector = {"matchLabels": LABELS}
    orphan = {"replicas": 1, "selector": selector, "template": wanted.spec.template.to_wire()}
    await client.create(
        ReplicaSet.from_wire({**plain, "metadata": {"name": "orphan", "labels": LABELS}, "spec": orphan})
    )
    await client.create(wanted)
    adopted = (await sizes(client, v1=2))["web:v1"]
    owner = await client.get(Deployment, "web")
    assert (adopted.metadata.name, adopted.metadata.owner_references) == ("orphan", [owner.owner_reference()])
    begun = await reported(client, lambda status: status.get("replicas") == 2)
    assert reason(begun) in ("FoundNewReplicaSet", "ReplicaSetUpdated")

    stranger = {"app": "other"}
    body = {"selector": {"matchLabels": stranger}, "template": template(stranger), "replicas": 0}
    second = v1()
    second["spec"]["containers"][0]["image"] = "web:v2"
    live = owner.spec.template.to_wire()
    live["spec"]["containers"][0]["image"] = "web:v2"
    name = f"web-{template_hash(live)}"
    await client.create(
        ReplicaSet.from_wire({**plain, "metadata": {"name": name, "labels": stranger}, "spec": body})
    )
    await client.patch(
        Deployment,
        "web",
        MergePatch({"spec": {"template": {"spec": {"containers": live["spec"]["containers"]}}}}),
    )
    found = await until(lambda: replica_sets(client), lambda found: "web:v2" in found, patience=PATIENCE)
    assert found["web:v2"].metadata.name == f"web-{template_hash(live, 1)}"
    assert (await reported(client, lambda status: "collisionCount" in status))["collisionCount"] == 1


async def test_events_tell_each_step_of_a_rollout_once(client: Client) -> None:
    await client.create(deployment(1, v1(), strategy=rolling(1, 0)))
    first = (await sizes(client, v1=1))["web:v1"].metadata.name
    async with serving(client):
        await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")
        await set_image(client, "web:v2")
        second = (await sizes(client, v1=0, v2=1))["web:v2"].metadata.name
        await reported(client, lambda status: reason(status) == "NewReplicaSetAvailable")
    events = await until(lambda: told(client, "web"), lambda found: len(found) >= 3, patience=PATIENCE)
    assert events == [
        ("Normal", "ScalingReplicaSet", f"Scaled down replica set {first} from 1 to 0"),
        *sorted(
            [
                ("Normal", "ScalingReplicaSet", f"Scaled up replica set {first} from 0 to 1"),
                ("Normal", "ScalingReplicaSet", f"Scaled up replica set {second} from 0 to 1"),
            ]
        ),
    ]
