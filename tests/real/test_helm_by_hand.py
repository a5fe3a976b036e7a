"""What people do to releases, to their records and to their objects, with the real `helm` on both control planes.

The operator is woken by nothing but what it watches: its period is longer than any test.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from free_form import free_form, is_created
from servers import embedded_fixture
from shop_release import Shop
from stalls import WITHIN, Stalls, config_map, job, stalls_fixture
from windlass.api import Kind, ObjectMeta, OwnerReference, Untyped
from windlass.client import MergePatch
from windlass.helm import HelmController, HelmOptions, HelmProgram, ReleaseRecord
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret
from windlass.kinds.rbac.v1 import ClusterRole

if TYPE_CHECKING:
    from windlass.manager import Manager

embedded = embedded_fixture
stalls = stalls_fixture
pytestmark = pytest.mark.timeout(180)

SIZE = config_map('{size: "{{ .Values.size }}"}')
CHART_LABEL = "helm.sdk.operatorframework.io/chart"
OTHER = """
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "{{ .Release.Namespace }}-{{ .Release.Name }}"}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: far, namespace: "{{ .Values.far }}"}
data: {size: "1"}
"""


async def test_a_rollback_and_an_upgrade_by_hand_are_taken_back(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        await stall.edit("a", size=2)
        await stall.says("a", size="2")
        await stall.are("a", "superseded", "deployed")

        await stall.helm("rollback", "a", "1")
        await stall.are("a", "superseded", "superseded", "superseded", "deployed")
        await stall.says("a", size="2")
        await stall.helm("upgrade", "a", str(stalls.chart), "--set", "size=7")
        await stall.are("a", *["superseded"] * 5, "deployed")
        await stall.says("a", size="2")
        await stall.deployed("a")
        await stall.settled("a", *["superseded"] * 5, "deployed")


async def test_who_is_at_work_by_hand_is_not_disturbed_and_then_taken_back(stalls: Stalls) -> None:
    stalls.write(main=SIZE, job="{{ if .Values.slow }}" + job("pre-upgrade") + "{{ end }}")
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        by_hand = asyncio.ensure_future(stall.helm("upgrade", "a", str(stalls.chart), "--set", "slow=yes"))
        await stall.are("a", "deployed", "pending-upgrade")
        await stall.edit("a", size=2)
        await stall.failed("a", "another helm is changing it", "Irreconcilable")
        assert await stall.revisions("a") == {1: "deployed", 2: "pending-upgrade"}

        await stall.complete("a")
        await by_hand
        await stall.are("a", "superseded", "superseded", "deployed")
        await stall.says("a", size="2")
        await stall.deployed("a")


async def test_an_uninstallation_by_hand_is_an_installation_anew(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        before = await stall.trial.client.get(ConfigMap, "a")
        await stall.helm("uninstall", "a")
        await stall.trial.until(
            ConfigMap, "a", lambda found: found.metadata.uid != before.metadata.uid, within=WITHIN
        )
        await stall.are("a", "deployed")


async def test_a_release_whose_only_record_is_deleted_is_deployed_again_without_a_break(
    stalls: Stalls,
) -> None:
    stalls.write(main=SIZE)
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        before = await stall.trial.client.get(ConfigMap, "a")
        record = await stall.trial.client.get(ReleaseRecord, "sh.helm.release.v1.a.v1")
        await stall.trial.client.delete(ReleaseRecord, "sh.helm.release.v1.a.v1")
        await stall.trial.until(
            ReleaseRecord,
            "sh.helm.release.v1.a.v1",
            lambda found: found.metadata.uid != record.metadata.uid and found.state == "deployed",
            within=WITHIN,
        )
        assert (await stall.trial.client.get(ConfigMap, "a")).metadata.uid == before.metadata.uid


async def test_an_object_whose_record_is_gone_takes_what_it_made_with_it(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        await stall.trial.rest(within=WITHIN)
        await stall.trial.manager.remove(stall.trial.manager.controllers[0])
        await stall.trial.client.delete(ReleaseRecord, "sh.helm.release.v1.a.v1")
        await stall.trial.client.delete(Shop, "a")
        stalls.part()(stall.trial.manager)
        await stall.trial.gone(Shop, "a", within=WITHIN)
        assert await stall.maps("a") == set()


async def test_what_is_edited_relabelled_or_deleted_is_put_right_at_once_wherever_it_lies(
    stalls: Stalls,
) -> None:
    stalls.write(main=SIZE, other=OTHER)
    async with stalls.operator(everywhere=True, selector=f"mine={stalls.token}") as stall:
        client, far = stall.trial.client, f"{stall.trial.namespace}-far"
        await client.create(Namespace(metadata=ObjectMeta(name=far)))
        await stall.create("a", {"size": 1, "far": far}, labels={"mine": stalls.token})
        role = f"{stall.trial.namespace}-a"
        await stall.trial.rest(within=WITHIN)

        await client.patch(ConfigMap, "a", MergePatch({"data": {"size": "9", "more": "stays"}}))
        assert (await stall.says("a", size="1")).data["more"] == "stays"
        bare = MergePatch({"metadata": {"labels": {CHART_LABEL: None}, "ownerReferences": None}})
        await client.patch(ConfigMap, "a", bare)
        await stall.trial.until(
            ConfigMap, "a", lambda found: CHART_LABEL in found.metadata.labels, within=WITHIN
        )
        await client.delete(ConfigMap, "a")
        await stall.says("a", size="1")
        await client.patch(ClusterRole, role, MergePatch({"rules": []}))
        await stall.trial.until(ClusterRole, role, lambda found: bool(found.rules), within=WITHIN)
        await client.delete(ClusterRole, role)
        await stall.trial.until(ClusterRole, role, lambda found: bool(found.rules), within=WITHIN)
        await client.patch(ConfigMap, "far", MergePatch({"data": {"size": "9"}}), far)
        await stall.eventually(
            lambda: client.get(ConfigMap, "far", far), lambda found: found.data["size"] == "1"
        )
        await stall.settled("a", "deployed")

        await stall.remove("a")
        await stall.trial.gone(ClusterRole, role, within=WITHIN)
        await client.delete(Namespace, far)


async def test_forced_and_plain_upgrades_and_repairs_meet_no_conflicts(stalls: Stalls) -> None:
    more = '{{ range $name, $value := .Values.more }}, {{ $name }}: "{{ $value }}"{{ end }}'
    stalls.write(main=config_map(f'{{size: "{{{{ .Values.size }}}}"{more}}}'))
    force = "helm.sdk.operatorframework.io/upgrade-force"
    async with stalls.operator() as stall:
        client = stall.trial.client
        await stall.create(
            "a", {"size": 1, "more": {"first": "1", "second": "1"}}, annotations={force: "true"}
        )
        await stall.edit("a", size=2, more={"first": None})
        await stall.says("a", size="2")
        await stall.are("a", "superseded", "deployed")
        await client.patch(ConfigMap, "a", MergePatch({"data": {"size": "9", "second": None}}))
        await stall.says("a", size="2", second="1")
        await client.patch(Shop, "a", MergePatch({"metadata": {"annotations": {force: None}}}))
        await stall.edit("a", size=3, more={"second": None, "third": "1"})
        await stall.says("a", size="3")
        await stall.deployed("a")
        assert (await client.get(ConfigMap, "a")).data == {"size": "3", "third": "1"}
        await stall.settled("a", "superseded", "superseded", "deployed")


async def test_what_is_to_be_kept_outlives_the_release_and_has_no_owner(stalls: Stalls) -> None:
    kept = config_map("{}", "{{ .Release.Name }}-kept", "{helm.sh/resource-policy: keep}")
    stalls.write(main=SIZE, kept="{{ if not .Values.dropped }}" + kept + "{{ end }}")
    async with stalls.operator() as stall:
        for name in ("a", "b"):
            await stall.create(name)
            found = await stall.trial.client.get(ConfigMap, f"{name}-kept")
            assert found.metadata.owner_references == []
        await stall.edit("b", dropped=True)
        await stall.deployed("b", "UpgradeSuccessful")
        await stall.remove("a")
        await stall.remove("b")
        assert await stall.maps() == {"a-kept", "b-kept"}


async def test_a_deletion_that_is_to_wait_does_so_until_the_last_object_is_gone(stalls: Stalls) -> None:
    held = SIZE.replace("metadata: {", "metadata: {finalizers: [example.com/hold], ")
    stalls.write(main=held)
    waits = {"helm.sdk.operatorframework.io/uninstall-wait": "true"}
    async with stalls.operator() as stall:
        await stall.create("a", annotations=waits)
        await stall.trial.client.delete(Shop, "a")
        await stall.trial.until(
            Shop,
            "a",
            lambda found: "waiting until these are gone: ConfigMap" in str(found.status),
            within=WITHIN,
        )
        assert await stall.revisions("a") == {}
        await stall.trial.client.patch(ConfigMap, "a", MergePatch({"metadata": {"finalizers": None}}))
        await stall.trial.gone(Shop, "a", within=WITHIN)


async def test_a_release_of_operator_sdk_is_taken_over_without_a_revision(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    async with stalls.operator(selector="go=yes") as stall:
        client = stall.trial.client
        made = await client.create(Shop(metadata=ObjectMeta(name="a"), spec={"size": 3}))
        await stall.helm("install", "a", str(stalls.chart), "--set", "size=3")
        owner = OwnerReference(
            api_version="example.com/v1", kind="Shop", name="a", uid=made.metadata.uid, controller=True
        )
        owned = MergePatch({"metadata": {"ownerReferences": [owner.to_wire()]}})
        await client.patch(Secret, "sh.helm.release.v1.a.v1", owned)
        await client.patch(Shop, "a", MergePatch({"metadata": {"labels": {"go": "yes"}}}))

        await stall.deployed("a", "InstallSuccessful")
        await stall.settled("a", "deployed")
        assert (await client.get(ConfigMap, "a")).metadata.owner_references[0].uid == made.metadata.uid
        await stall.edit("a", size=4)
        await stall.says("a", size="4")
        await stall.remove("a")
        assert await stall.maps("a") == set()


async def test_two_operators_with_selectors_leave_each_other_alone(stalls: Stalls) -> None:
    stalls.write(main=config_map('{by: "{{ .Values.by }}"}'))

    def second(manager: Manager) -> None:
        options = HelmOptions(selector="side in (right)", overrides={"by": "right"})
        helm = HelmProgram(manager.client)
        controller = HelmController(of=Shop, chart=stalls.chart, helm=helm, options=options)
        controller.name = "other-controller"
        manager.add(controller)

    async with stalls.operator(second, selector="side notin (right)", overrides={"by": "left"}) as stall:
        await stall.create("a", labels={"side": "left"})
        await stall.create("b", labels={"side": "right"})
        await stall.says("a", by="left")
        await stall.says("b", by="right")
        await stall.settled("a", "deployed")
        await stall.settled("b", "deployed")
        await stall.remove("a")
        await stall.remove("b")


async def test_neither_a_bad_annotation_nor_a_spec_that_is_no_map_holds_a_deletion_up(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    kind = Kind(f"{stalls.token}.example.com", "v1", "Barrow", "barrows", subresources=("status",))
    barrows = Untyped.of(kind)

    def add_to(manager: Manager) -> None:
        manager.add(HelmController(of=barrows, chart=stalls.chart, helm=HelmProgram(manager.client)))

    async with stalls.operator(add_to) as stall:
        client = stall.trial.client
        await client.create(free_form(kind))
        made = barrows(
            metadata=ObjectMeta(
                name="a", annotations={"helm.sdk.operatorframework.io/uninstall-wait": "perhaps"}
            )
        )
        made["spec"] = "a text"
        await stall.eventually(lambda: is_created(client, made))
        told_so = await stall.trial.until(
            barrows, "a", lambda found: "Irreconcilable" in str(found.get("status")), within=WITHIN
        )
        assert told_so.metadata.finalizers
        await client.delete(barrows, "a")
        await stall.trial.gone(barrows, "a", within=WITHIN)
        await client.delete(CustomResourceDefinition, f"{kind.plural}.{kind.group}")
