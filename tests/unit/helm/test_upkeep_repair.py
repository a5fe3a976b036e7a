"""Edits by hand that server-side apply cannot take back, and what of them is announced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from typing_extensions import override

from polling import until
from shop_release import Shop, Shops, chart_folder, deployed, shop, templates
from windlass.api import find_condition
from windlass.client import JsonPatch, MergePatch
from windlass.helm import HelmController
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.kinds.events.v1 import Event
from windlass.kinds.policy.v1 import PodDisruptionBudget
from windlass.kinds.rbac.v1 import RoleBinding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from windlass.api import Json, Resource
    from windlass.helm import HelmStatus
    from windlass.reconcile import Context, Result
    from windlass.testing import Starter, Trial

LABELS = {"app": "web"}
ROLE_GROUP = "rbac.authorization.k8s.io"
CHART = "helm.sdk.operatorframework.io/chart"


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


def rendering(*objects: Json) -> Callable[[Any, int], Sequence[Json]]:
    return lambda blueprint, number: [*objects, *templates(blueprint, number)]


def named(api: str, kind: str, name: str = "web", **content: Any) -> Json:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name}, **content}


def workload(**spec: Any) -> Json:
    container = {"name": "web", "image": "web:1", "resources": {"limits": {"cpu": "1000m"}}}
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [container]}}
    return named(
        "apps/v1", "Deployment", spec={"selector": {"matchLabels": LABELS}, "template": template, **spec}
    )


BUDGET = named(
    "policy/v1", "PodDisruptionBudget", spec={"minAvailable": 1, "selector": {"matchLabels": LABELS}}
)
SERVICE = named("v1", "Service", spec={"selector": LABELS, "ports": [{"name": "http", "port": 80}]})
BINDING = named(
    f"{ROLE_GROUP}/v1",
    "RoleBinding",
    roleRef={"apiGroup": ROLE_GROUP, "kind": "ClusterRole", "name": "view"},
    subjects=[{"kind": "ServiceAccount", "name": "default", "namespace": "default"}],
)


def strategy(found: Deployment) -> Json:
    wire: Json = found.to_wire()["spec"]["strategy"]
    return wire


def containers(found: Deployment) -> list[Json]:
    wire: list[Json] = found.to_wire()["spec"]["template"]["spec"]["containers"]
    return wire


async def start(trial: Trial) -> None:
    await trial.client.create(shop("web"))
    await trial.until(Shop, "web", deployed)
    await trial.settled()


async def repairs(trial: Trial) -> list[str]:
    found = await trial.client.list(Event, trial.namespace)
    return [
        (each.note or "").removeprefix("Repaired ").replace(f"{trial.namespace}/", "")
        for each in found
        if each.reason == "Repaired"
    ]


async def are_announced(trial: Trial, *notes: str) -> None:
    await until(lambda: repairs(trial), lambda found: sorted(found) == sorted(notes))
    found = await trial.until(Shop, "web", deployed)
    assert find_condition(found.status.conditions, "Irreconcilable") is None


async def is_irreconcilable(trial: Trial, words: str) -> None:
    def is_so(found: Shop) -> bool:
        condition = find_condition(found.status.conditions, "Irreconcilable")
        return condition is not None and words in condition.message

    await trial.until(Shop, "web", is_so)


async def test_the_other_field_of_two_that_exclude_each_other_is_removed(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart, templates=rendering(BUDGET))) as trial:
        await start(trial)
        other = MergePatch({"spec": {"minAvailable": None, "maxUnavailable": 1}})
        await trial.client.patch(PodDisruptionBudget, "web", other)
        await trial.until(
            PodDisruptionBudget,
            "web",
            lambda found: (found.spec.min_available, found.spec.max_unavailable) == (1, None),
        )
        await are_announced(trial, "PodDisruptionBudget web: .spec")
        entries = (await trial.client.get(PodDisruptionBudget, "web")).to_wire()["metadata"]["managedFields"]
        assert {each["manager"] for each in entries} == {"helm", "windlass-owner"}


async def test_what_a_strategy_left_behind_is_removed_and_an_added_container_stays(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart, templates=rendering(workload(strategy={"type": "Recreate"})))) as trial:
        await start(trial)
        sidecar = {
            "op": "add",
            "path": "/spec/template/spec/containers/-",
            "value": {"name": "s", "image": "s"},
        }
        rolling = {"op": "replace", "path": "/spec/strategy/type", "value": "RollingUpdate"}
        await trial.client.patch(Deployment, "web", JsonPatch([sidecar, rolling]))
        found = await trial.until(Deployment, "web", lambda found: strategy(found) == {"type": "Recreate"})
        assert [each["name"] for each in containers(found)] == ["web", "s"]
        await are_announced(trial, "Deployment web: .spec.strategy")


async def test_an_object_whose_content_was_made_immutable_is_created_again(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await start(trial)
        await trial.client.patch(
            ConfigMap, "web-main", MergePatch({"data": {"size": "9"}, "immutable": True})
        )
        found = await trial.until(ConfigMap, "web-main", lambda found: found.data == {"size": "1"})
        assert not found.immutable
        await are_announced(trial, "ConfigMap web-main: .data.size, deleted and created again")


async def test_an_object_that_was_created_by_hand_with_another_role_is_created_again(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart, templates=rendering(BINDING))) as trial:
        await start(trial)
        await trial.manager.remove(trial.manager.controllers[0])
        await trial.client.delete(RoleBinding, "web")
        other = {**BINDING, "roleRef": {**BINDING["roleRef"], "name": "admin"}}
        await trial.client.create(RoleBinding.from_wire(other))
        Shops(chart, templates=rendering(BINDING))(trial.manager)
        await trial.until(RoleBinding, "web", lambda found: found.role_ref.name == "view")


@pytest.mark.parametrize(
    "edit",
    [
        {"data": {"size": "9", "added": "by hand"}, "immutable": True},
        {
            "data": {"size": "9"},
            "immutable": True,
            "metadata": {"annotations": {"helm.sh/resource-policy": "keep"}},
        },
    ],
)
async def test_an_immutable_object_that_has_more_or_is_to_be_kept_is_not_deleted(
    operator: Starter, chart: Path, edit: Json
) -> None:
    async with operator(Shops(chart)) as trial:
        await start(trial)
        before = await trial.client.patch(ConfigMap, "web-main", MergePatch(edit))
        await is_irreconcilable(trial, "immutable")
        assert (await trial.client.get(ConfigMap, "web-main")).metadata.uid == before.metadata.uid


async def test_nothing_is_deleted_for_the_selector_of_a_deployment(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, templates=rendering(workload()))) as trial:
        await start(trial)
        await trial.manager.remove(trial.manager.controllers[0])
        await trial.client.delete(Deployment, "web")
        other = workload(minReadySeconds=5)
        other["spec"] |= {
            "selector": {"matchLabels": {"app": "other"}},
            "template": {**other["spec"]["template"], "metadata": {"labels": {"app": "other"}}},
        }
        made = await trial.client.create(Deployment.from_wire(other))
        Shops(chart, templates=rendering(workload()))(trial.manager)
        await is_irreconcilable(trial, "immutable")
        found = await trial.client.get(Deployment, "web")
        assert found.metadata.uid == made.metadata.uid
        assert found.spec.min_ready_seconds == 5


async def test_an_entry_that_was_renamed_counts_as_an_addition(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, templates=rendering(workload()))) as trial:
        await start(trial)
        rename = {"op": "replace", "path": "/spec/template/spec/containers/0/name", "value": "evil"}
        await trial.client.patch(Deployment, "web", JsonPatch([rename]))
        await trial.until(
            Deployment,
            "web",
            lambda found: {each["name"] for each in containers(found)} == {"web", "evil"},
        )
        await are_announced(trial, "Deployment web: .spec.template.spec.containers[name=web]")


async def test_a_list_that_was_replaced_is_announced_by_its_path(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, templates=rendering(SERVICE))) as trial:
        await start(trial)
        port = JsonPatch([{"op": "replace", "path": "/spec/ports/0/port", "value": 81}])
        await trial.client.patch(Service, "web", port)
        await trial.until(Service, "web", lambda found: [each.port for each in found.spec.ports] == [80])
        await are_announced(trial, "Service web: .spec.ports")


async def test_labels_that_were_removed_are_announced(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, templates=rendering(SERVICE))) as trial:
        await start(trial)
        await trial.client.patch(ConfigMap, "web-main", MergePatch({"metadata": {"labels": None}}))
        await trial.client.patch(Service, "web", MergePatch({"metadata": {"labels": {CHART: None}}}))
        await trial.until(ConfigMap, "web-main", lambda found: len(found.metadata.labels) == 2)
        await are_announced(
            trial, "ConfigMap web-main: .metadata.labels", f"Service web: .metadata.labels[{CHART}]"
        )


async def test_nothing_is_announced_or_written_where_nothing_was_edited(
    operator: Starter, chart: Path
) -> None:
    secret = named("v1", "Secret", stringData={"word": "secret"})
    policy = named(
        "networking.k8s.io/v1",
        "NetworkPolicy",
        spec={"podSelector": {"matchLabels": LABELS}, "ingress": [{"ports": [{"port": 80}]}]},
    )
    shops = Shops(chart, templates=rendering(workload(), policy, secret))
    async with operator(shops) as trial:
        await start(trial)
        ready = {"replicas": 1, "readyReplicas": 1, "updatedReplicas": 1, "availableReplicas": 1}
        await trial.client.status.patch(Deployment, "web", MergePatch({"status": ready}))
        await trial.client.patch(Secret, "web", MergePatch({"metadata": {"annotations": {"note": "mine"}}}))
        await trial.client.patch(Shop, "web", MergePatch({"spec": {"size": 2}}))
        await trial.until(ConfigMap, "web-main", lambda found: found.data["size"] == "2")
        await trial.settled()
        version = (await trial.client.get(Deployment, "web")).metadata.resource_version

        await trial.manager.remove(trial.manager.controllers[0])
        Shops(chart, templates=rendering(workload(), policy, secret))(trial.manager)
        await trial.settled()

        assert (await trial.client.get(Deployment, "web")).metadata.resource_version == version
        assert await repairs(trial) == []


async def test_a_secret_that_was_edited_is_announced_by_its_key_alone(operator: Starter, chart: Path) -> None:
    secret = named("v1", "Secret", stringData={"word": "secret", "other": "same"})
    async with operator(Shops(chart, templates=rendering(secret))) as trial:
        await start(trial)
        await trial.client.patch(Secret, "web", MergePatch({"data": {"word": "b3RoZXI="}}))
        await trial.until(Secret, "web", lambda found: found.data["word"] == b"secret")
        await are_announced(trial, "Secret web: .data.word")


class Racing:
    """A context in which someone else writes before each of the first patches."""

    def __init__(self, ctx: Context, races: list[int]) -> None:
        self._ctx = ctx
        self._races = races

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ctx, name)

    async def patch(self, kind: Any, name: str, patch: Any, namespace: str = "", **said: Any) -> Resource:
        if self._races:
            note = {"metadata": {"annotations": {"race": str(self._races.pop())}}}
            await self._ctx.patch(kind, name, MergePatch(note), namespace)
        found: Resource = await self._ctx.patch(kind, name, patch, namespace, **said)
        return found


async def test_a_replacement_that_meets_another_write_is_repeated_in_the_same_pass(
    operator: Starter, chart: Path
) -> None:
    races: list[int] = []

    class Raced(HelmController):
        @override
        async def reconcile(self, resource: Any, ctx: Context) -> Result[HelmStatus]:
            return await super().reconcile(resource, cast("Context", Racing(ctx, races)))

    async with operator(Shops(chart, templates=rendering(SERVICE), controller=Raced)) as trial:
        await start(trial)
        races += [3, 2, 1]
        port = JsonPatch([{"op": "replace", "path": "/spec/ports/0/port", "value": 81}])
        await trial.client.patch(Service, "web", port)
        await trial.until(Service, "web", lambda found: [each.port for each in found.spec.ports] == [80])
        await trial.settled()
        assert races == []
        assert "failed" not in {run.outcome for run in trial.runs("web")}
