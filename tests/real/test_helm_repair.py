"""What is repaired, and what is not, after edits by hand, with the real `helm` on both control planes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from servers import embedded_fixture
from stalls import OFTEN, WITHIN, Stall, Stalls, config_map, stalls_fixture
from windlass.client import JsonPatch, MergePatch
from windlass.kinds.apps.v1 import Deployment, StatefulSet
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.kinds.events.v1 import Event
from windlass.kinds.networking.v1 import NetworkPolicy
from windlass.kinds.policy.v1 import PodDisruptionBudget
from windlass.kinds.rbac.v1 import RoleBinding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json, Resource

embedded = embedded_fixture
stalls = stalls_fixture
pytestmark = pytest.mark.timeout(180)

MAP = config_map('{size: "1"}')
BUDGET = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: "{{ .Release.Name }}"}
spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}
"""
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  strategy: {type: Recreate}
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}, annotations: null}
    spec:
      affinity: {podAffinity: null}
      hostNetwork: false
      containers:
        - name: web
          image: web:1
          resources: {limits: {cpu: 1000m}, requests: {cpu: 0.5}}
          env: [{name: A, value: ""}, {name: B, value: "1"}]
          volumeMounts: [{name: tmp, mountPath: /scratch}]
      volumes: [{name: tmp, emptyDir: {}}]
"""
SET = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Release.Name }}"}
spec:
  serviceName: a
  selector: {matchLabels: {app: a}}
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: web, image: "web:1"}]}}
"""
BINDING = """
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: "{{ .Release.Name }}"}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: default, namespace: default}]
"""
SERVICE = """
apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}"}
spec: {selector: {app: a}, ports: [{name: http, port: 80, nodePort: null}]}
"""
POLICY = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: "{{ .Release.Name }}"}
spec: {podSelector: {matchLabels: {app: a}}, egress: [{}], ingress: [{ports: [{port: 80}]}]}
"""
SECRET = """
apiVersion: v1
kind: Secret
metadata: {name: "{{ .Release.Name }}"}
stringData: {word: secret}
"""
_MOUNT = "/spec/template/spec/containers/0/volumeMounts/0/mountPath"


def strategy(found: Deployment) -> Json:
    wire: Json = found.to_wire()["spec"]["strategy"]
    return wire


def containers(found: Deployment) -> list[Json]:
    wire: list[Json] = found.to_wire()["spec"]["template"]["spec"]["containers"]
    return wire


async def repairs(stall: Stall) -> list[str]:
    found = await stall.trial.client.list(Event, stall.trial.namespace)
    named = [(each.note or "").removeprefix("Repaired ") for each in found if each.reason == "Repaired"]
    return [each.replace(f"{stall.trial.namespace}/", "") for each in named]


async def passes(stall: Stall) -> None:
    """Wait until the operator has looked at the object some times more; at first it may not have at all."""

    async def has_run() -> bool:
        return bool(stall.trial.runs("a"))

    await stall.eventually(has_run)
    await stall.passes("a", 3)


async def are_announced(stall: Stall, *notes: str) -> None:
    await stall.eventually(lambda: repairs(stall), lambda found: sorted(found) == sorted(notes))
    await stall.deployed("a")


async def replace_by_hand(stall: Stall, kind: type[Resource], change: Mapping[str, Json]) -> Resource:
    """Delete an object and create it otherwise, as the operator finds it when it comes back."""
    manager = stall.trial.manager
    controller = manager.controllers[0]
    found = (await stall.trial.client.get(kind, "a")).to_wire()
    await manager.remove(controller)
    await stall.trial.client.delete(kind, "a")
    await stall.trial.gone(kind, "a", within=WITHIN)
    metadata = {"name": "a", "labels": found["metadata"]["labels"]}
    return await stall.trial.client.create(kind.from_wire({**found, "metadata": metadata, **change}))


async def test_fields_that_exclude_each_other_and_fields_left_behind_are_put_back(stalls: Stalls) -> None:
    stalls.write(budget=BUDGET, main=DEPLOYMENT)
    async with stalls.operator() as stall:
        await stall.create("a")
        client, until = stall.trial.client, stall.trial.until
        other = MergePatch({"spec": {"minAvailable": None, "maxUnavailable": 1}})
        await client.patch(PodDisruptionBudget, "a", other)
        await until(
            PodDisruptionBudget,
            "a",
            lambda found: (found.spec.min_available, found.spec.max_unavailable) == (1, None),
            within=WITHIN,
        )
        rolling = MergePatch({"spec": {"strategy": {"type": "RollingUpdate"}, "minReadySeconds": 5}})
        await client.patch(Deployment, "a", rolling)
        found = await until(
            Deployment, "a", lambda found: strategy(found) == {"type": "Recreate"}, within=WITHIN
        )
        assert found.spec.min_ready_seconds == 5  # which is beside a map that is replaced, not in it
        await are_announced(stall, "PodDisruptionBudget a: .spec", "Deployment a: .spec.strategy")


async def test_a_map_that_was_made_immutable_is_created_again(stalls: Stalls) -> None:
    stalls.write(main=MAP)
    async with stalls.operator() as stall:
        await stall.create("a")
        edit = MergePatch({"data": {"size": "9"}, "immutable": True})
        await stall.trial.client.patch(ConfigMap, "a", edit)
        assert not (await stall.says("a", size="1")).immutable
        await are_announced(stall, "ConfigMap a: .data.size, deleted and created again")


async def test_a_binding_to_another_role_is_created_again_and_a_stateful_set_never_is(
    stalls: Stalls,
) -> None:
    stalls.write(binding=BINDING, main=SET)
    async with stalls.operator() as stall:
        await stall.create("a")
        before = await stall.trial.client.get(StatefulSet, "a")
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"}
        await replace_by_hand(stall, RoleBinding, {"roleRef": role})
        spec = {**before.to_wire()["spec"], "serviceName": "other", "minReadySeconds": 5}
        await stall.trial.client.delete(StatefulSet, "a")
        await stall.trial.gone(StatefulSet, "a", within=WITHIN)
        made = await stall.trial.client.create(
            StatefulSet.from_wire({"metadata": {"name": "a"}, "spec": spec})
        )

        stalls.part()(stall.trial.manager)
        await stall.trial.until(RoleBinding, "a", lambda found: found.role_ref.name == "view", within=WITHIN)
        await stall.failed("a", "StatefulSet a", "Irreconcilable")
        found = await stall.trial.client.get(StatefulSet, "a")
        assert (found.metadata.uid, found.spec.service_name) == (made.metadata.uid, "other")
        assert found.spec.min_ready_seconds == 5


async def test_an_entry_whose_key_was_changed_stays_beside_the_rendered_one(stalls: Stalls) -> None:
    stalls.write(main=DEPLOYMENT)
    async with stalls.operator() as stall:
        await stall.create("a")
        mount = {"op": "replace", "path": _MOUNT, "value": "/evil"}
        await stall.trial.client.patch(Deployment, "a", JsonPatch([mount]))

        def mounts(found: Deployment) -> set[str]:
            return {each["mountPath"] for each in containers(found)[0]["volumeMounts"]}

        await stall.trial.until(
            Deployment,
            "a",
            lambda found: mounts(found) == {"/scratch", "/evil"},
            within=WITHIN,
        )
        name = {"op": "replace", "path": "/spec/template/spec/containers/0/name", "value": "evil"}
        await stall.trial.client.patch(Deployment, "a", JsonPatch([name]))
        found = await stall.trial.until(
            Deployment, "a", lambda found: len(containers(found)) == 2, within=WITHIN
        )
        assert {each["name"] for each in containers(found)} == {"web", "evil"}


async def test_another_order_of_entries_that_have_keys_is_not_put_back(stalls: Stalls) -> None:
    stalls.write(main=DEPLOYMENT)
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a")
        move = {
            "op": "move",
            "from": "/spec/template/spec/containers/0/env/1",
            "path": "/spec/template/spec/containers/0/env/0",
        }
        await stall.trial.client.patch(Deployment, "a", JsonPatch([move]))
        await passes(stall)
        found = await stall.trial.client.get(Deployment, "a")
        assert [each["name"] for each in containers(found)[0]["env"]] == ["B", "A"]
        assert await repairs(stall) == []


async def test_a_replaced_list_and_removed_labels_are_announced(stalls: Stalls) -> None:
    stalls.write(main=SERVICE, map=MAP)
    async with stalls.operator() as stall:
        await stall.create("a")
        client = stall.trial.client
        port = JsonPatch([{"op": "replace", "path": "/spec/ports/0/port", "value": 81}])
        await client.patch(Service, "a", port)
        await client.patch(ConfigMap, "a", MergePatch({"metadata": {"labels": None}}))
        await stall.trial.until(
            Service, "a", lambda found: [each.port for each in found.spec.ports] == [80], within=WITHIN
        )
        await are_announced(stall, "Service a: .spec.ports", "ConfigMap a: .metadata.labels")


async def test_no_repair_is_announced_where_nothing_was_edited(stalls: Stalls) -> None:
    stalls.write(main=DEPLOYMENT, set=SET, policy=POLICY, service=SERVICE, secret=SECRET, map=MAP)
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a")
        await passes(stall)
        ready = MergePatch({"status": {"replicas": 1, "readyReplicas": 1, "observedGeneration": 1}})
        await stall.trial.client.status.patch(Deployment, "a", ready)
        await stall.edit("a", size=2)
        await passes(stall)
        kinds = (Deployment, StatefulSet, NetworkPolicy, Service, Secret, ConfigMap)
        before = [(await stall.trial.client.get(kind, "a")).metadata.resource_version for kind in kinds]
        await stall.trial.manager.remove(stall.trial.manager.controllers[0])
        stalls.part(period=OFTEN)(stall.trial.manager)
        await passes(stall)
        after = [(await stall.trial.client.get(kind, "a")).metadata.resource_version for kind in kinds]
        assert after == before
        assert await repairs(stall) == []
