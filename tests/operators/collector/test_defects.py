"""What was wrong with the first operator of this kind, one test for each number; C10 and C11 have more beside."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from chart_archives import ServedWeb, repository
from polling import until
from tenants import (
    MAPS,
    RELEASE,
    collector,
    condition,
    deployed,
    encoded,
    left,
    maps,
    reason,
    release_in,
    serving,
    unhurried,
)
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta
from windlass.client import MergePatch, Request
from windlass.errors import Invalid
from windlass.helm import ReleaseRecord
from windlass.helm.source import Sources
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Service, ServicePort, ServiceSpec
from windlass.operators.collector import ClusterSource, Collector

if TYPE_CHECKING:
    from tenants import Collecting
    from windlass.testing import Starter, Trial

IN_THE_WAY = f"{RELEASE}-private"


async def block(trial: Trial) -> None:
    """Have an object of somebody else's stand where the release wants its own."""
    spec = ServiceSpec(ports=[ServicePort(port=1)])
    await trial.client.create(Service(metadata=ObjectMeta(name=IN_THE_WAY), spec=spec))


async def test_C01_a_failed_install_is_tried_again_by_itself(collecting: Collecting) -> None:
    clock = ManualClock()
    async with collecting(clock=clock) as trial:
        await block(trial)
        await trial.client.create(collector("amp", trial.namespace))
        await trial.until(Collector, "amp", lambda each: reason(each) == "ApplyFailed")
        await trial.client.delete(Service, IN_THE_WAY)

        async def recovered() -> bool:
            await clock.advance(timedelta(seconds=5))
            return condition(await trial.client.get(Collector, "amp"), "Available") == "True"

        await until(recovered)


async def test_C02_a_failed_install_is_never_said_to_be_available(collecting: Collecting) -> None:
    async with collecting() as trial:
        await block(trial)
        await trial.client.create(collector("amp", trial.namespace))
        seen: list[str] = []

        def failed(each: Collector) -> bool:
            seen.append(condition(each, "Available"))
            return condition(each, "Degraded") == "True"

        told = await trial.until(Collector, "amp", failed)

        assert "True" not in seen
        assert (condition(told, "Available"), reason(told)) == ("False", "ApplyFailed")
        assert IN_THE_WAY in next(each.message for each in told.status.conditions if each.type == "Available")


async def test_C03_a_deletion_removes_what_lies_in_the_namespace_of_the_tenant(
    collecting: Collecting,
) -> None:
    async with collecting() as trial:
        tenant = f"{trial.namespace}-tenant"
        await block(trial)  # the same name, in the namespace of the Collector
        await trial.client.create(collector("amp", tenant.upper()))
        await trial.ready(Collector, "amp")
        before = await left(trial, Key(tenant, RELEASE))
        await trial.client.delete(Collector, "amp")
        await trial.gone(Collector, "amp")

        assert {each.split()[0] for each in before} >= {"Deployment", "Secret", "Service"}
        assert await left(trial, Key(tenant, RELEASE)) == []
        assert (await trial.client.get(Service, IN_THE_WAY)).metadata.name == IN_THE_WAY
        await trial.client.delete(Namespace, tenant)


async def test_C04_a_deletion_goes_on_although_something_is_gone_already(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        trial.network.partition()  # so that nothing is put back
        await trial.client.delete(Deployment, RELEASE)
        await trial.client.delete(Collector, "amp")
        trial.network.heal()
        await trial.gone(Collector, "amp")

        assert await left(trial, release_in(trial)) == []


async def test_C05_a_deletion_while_the_operator_is_down_is_caught_up_with(
    collecting: Collecting, operator: Starter
) -> None:
    async with operator() as bare:
        async with serving(bare, collecting):
            await bare.client.create(collector("amp", bare.namespace))
            await bare.ready(Collector, "amp")
        await bare.client.delete(Collector, "amp")
        there = await left(bare, release_in(bare))
        async with serving(bare, collecting):
            await bare.gone(Collector, "amp")

        assert there != []
        assert await left(bare, release_in(bare)) == []


async def test_C06_a_collector_that_vanishes_unseen_harms_nobody(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        trial.network.partition()
        await trial.client.delete(Collector, "amp")
        await trial.client.patch(Collector, "amp", MergePatch({"metadata": {"finalizers": None}}))
        await trial.gone(Collector, "amp")
        trial.network.heal()
        await trial.client.create(collector("okta", trial.namespace, instance="other"))
        await trial.ready(Collector, "okta")

        await trial.client.create(collector("again", trial.namespace))  # takes the release that was left
        await trial.ready(Collector, "again")


async def test_C07_what_was_there_before_the_operator_is_deployed_once(
    collecting: Collecting, operator: Starter
) -> None:
    async with operator() as bare:
        async with serving(bare, collecting):
            pass  # the kind is installed
        await bare.client.create(collector("amp", bare.namespace))
        async with serving(bare, collecting) as manager:
            await bare.ready(Collector, "amp")

            async def installs() -> list[str]:
                runs = manager.journal.runs("collector", Key(bare.namespace, "amp"))
                told = [each.what for run in runs for each in run.effects]
                return [each for each in told if each.startswith("helm install")]

            made = await until(installs)  # a run is noted when it has ended
            await bare.client.delete(Collector, "amp")
            await bare.gone(Collector, "amp")

        assert len(made) == 1


async def test_C08_what_a_new_chart_drops_is_removed_and_the_history_is_kept(collecting: Collecting) -> None:
    web = ServedWeb(repository("https://c.example.com", MAPS))
    options = unhurried(otherwise=ClusterSource(url="https://c.example.com"))
    collecting.parts["maps"] = maps
    async with collecting(options, Sources(web=web)) as trial:
        chart = {"name": "maps", "version": "1.0.0"}
        await trial.client.create(collector("amp", trial.namespace, chart=chart))
        await trial.ready(Collector, "amp")
        first = {each.metadata.name for each in await trial.client.list(ConfigMap, trial.namespace)}
        chart["version"] = "2.0.0"
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"chart": chart}}))
        told = await trial.until(
            Collector, "amp", lambda each: bool(each.status.release and each.status.release.revision == 2)
        )
        second = {each.metadata.name for each in await trial.client.list(ConfigMap, trial.namespace)}
        records = await trial.client.list(ReleaseRecord, trial.namespace, labels="owner=helm")

        assert first - second == {"dropped"}
        assert second >= {"kept"}
        assert sorted(each.state for each in records) == ["deployed", "superseded"]
        assert [each.name for each in told.status.resources] == ["kept"]
        assert told.status.release
        assert told.status.release.chart_version == "2.0.0"


async def test_C09_a_floating_version_stays_until_the_collector_changes(collecting: Collecting) -> None:
    base = "https://c.example.com"
    web = ServedWeb(repository(base, {key: MAPS[key] for key in [("maps", "1.0.0")]}))
    options = unhurried(otherwise=ClusterSource(url=base))
    collecting.parts["maps"] = maps
    async with collecting(options, Sources(web=web)) as trial:
        await trial.client.create(collector("amp", trial.namespace, chart={"name": "maps"}))
        first = await trial.ready(Collector, "amp")
        web.files |= repository(base, MAPS)
        await trial.client.patch(Collector, "amp", MergePatch({"metadata": {"labels": {"a": "b"}}}))
        await trial.settled()  # every Collector is looked at again
        second = await trial.client.get(Collector, "amp")
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"cluster": "another"}}))
        third = await trial.until(
            Collector, "amp", lambda each: bool(each.status.chart and each.status.chart.version == "2.0.0")
        )

        assert [each.status.chart.version for each in (first, second) if each.status.chart] == ["1.0.0"] * 2
        assert third.metadata.generation != second.metadata.generation


async def test_C10_the_tag_of_an_image_survives(collecting: Collecting) -> None:
    unmonitored = {"serviceMonitor": {"enabled": False}}
    options = unhurried(otherwise=ClusterSource(images="hub.example.com/c", values=unmonitored))
    async with collecting(options) as trial:
        made = collector(
            "amp", trial.namespace, collector={"configuration": encoded({"image": {"tag": "7"}})}
        )
        await trial.client.create(made)
        await trial.ready(Collector, "amp")
        found = await deployed(trial, release_in(trial))

        assert found
        assert found.spec.template.spec
        assert found.spec.template.spec.containers[0].image == "hub.example.com/c/cisco-amp-collector:7"


@pytest.mark.parametrize("configuration", ["YQ", "LSBhCg==", "YTogWw=="])
async def test_C11_a_bad_configuration_is_said_to_be_bad(collecting: Collecting, configuration: str) -> None:
    async with collecting() as trial:
        await trial.client.create(
            collector("amp", trial.namespace, collector={"configuration": configuration})
        )
        told = await trial.until(Collector, "amp", lambda each: bool(each.status.conditions))
        await trial.rest()
        good = {"spec": {"collector": {"configuration": encoded({"replicaCount": 3})}}}
        await trial.client.patch(Collector, "amp", MergePatch(good))
        await trial.ready(Collector, "amp")

        assert (condition(told, "Available"), reason(told)) == ("False", "ConfigurationInvalid")
        assert (condition(told, "Degraded"), condition(told, "Stalled")) == ("True", "True")


async def test_C11_what_is_not_base64_at_all_is_refused_by_the_server(collecting: Collecting) -> None:
    async with collecting() as trial:
        with pytest.raises(Invalid, match="configuration"):
            await trial.client.create(
                collector("amp", trial.namespace, collector={"configuration": "not: base64"})
            )
        await trial.settled()


@pytest.mark.parametrize("change", ["instance", "reference", "name"])
async def test_C12_a_collector_that_moves_leaves_nothing_behind(collecting: Collecting, change: str) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        tenant = trial.namespace if change != "reference" else f"{trial.namespace}-new"
        spec = {
            "instance": {"tenant": {"instance": "second"}},
            "reference": {"tenant": {"reference": tenant}},
            "name": {"collector": {"name": "okta"}},
        }[change]
        await trial.client.patch(Collector, "amp", MergePatch({"spec": spec}))
        moved = await trial.ready(Collector, "amp")
        assert moved.status.release
        new = Key(moved.status.release.namespace, moved.status.release.name)

        assert new != release_in(trial)
        assert await left(trial, release_in(trial)) == []
        assert await deployed(trial, new) is not None
        if change == "reference":
            await trial.client.delete(Namespace, tenant)


async def test_C13_the_column_tells_the_reason_of_the_moment(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        first = await columns(trial)
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"values": {"replicaCount": 2}}}))
        await trial.until(Collector, "amp", lambda each: reason(each) == "UpgradeSucceeded")
        second = await columns(trial)

        assert first == {
            "Name": "amp",
            "Collector": "cisco-amp-collector",
            "Version": "latest",
            "Tenant": trial.namespace,
            "Ready": "True",
            "Available": "True",
            "Reason": "InstallSucceeded",
        }
        assert second["Reason"] == "UpgradeSucceeded"


async def columns(trial: Trial) -> dict[str, object]:
    """What `kubectl get` shows of the only Collector."""
    path = f"/apis/example.com/v1alpha/namespaces/{trial.namespace}/collectors"
    accept = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
    table = await trial.client.json(Request(method="GET", path=path, headers=accept))
    names = [each["name"] for each in table["columnDefinitions"]]
    (row,) = table["rows"]
    return {name: cell for name, cell in zip(names, row["cells"], strict=True) if name != "Age"}


async def test_C14_what_others_change_or_delete_is_put_back(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        await trial.client.delete(Service, IN_THE_WAY)
        await trial.client.patch(Deployment, RELEASE, MergePatch({"spec": {"replicas": 7}}))

        def restored(each: Deployment) -> bool:
            return each.spec.replicas == 1

        await trial.until(Deployment, RELEASE, restored)
        await trial.until(Service, IN_THE_WAY, lambda _: True)
        await trial.settled()
        told = await trial.client.get(Collector, "amp")
        assert told.status.release
        assert told.status.release.revision == 1


async def test_C16_of_two_that_want_one_release_the_older_has_it(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("older", trial.namespace))
        await trial.ready(Collector, "older")
        late = collector("younger", trial.namespace, values={"replicaCount": 5})
        await trial.client.create(late)
        told = await trial.until(Collector, "younger", lambda each: reason(each) == "Conflict")
        await trial.rest()
        found = await deployed(trial, release_in(trial))
        await trial.client.delete(Collector, "older")
        await trial.gone(Collector, "older")
        await trial.ready(Collector, "younger")
        after = await deployed(trial, release_in(trial))

        assert found
        assert after
        assert (found.spec.replicas, after.spec.replicas) == (1, 5)
        assert condition(told, "Available") == "False"
        assert f"{trial.namespace}/older" in next(each.message for each in told.status.conditions)


async def test_C16_one_that_lost_takes_nothing_with_it(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("older", trial.namespace))
        await trial.ready(Collector, "older")
        await trial.client.create(collector("younger", trial.namespace))
        await trial.until(Collector, "younger", lambda each: reason(each) == "Conflict")
        await trial.client.delete(Collector, "younger")
        await trial.gone(Collector, "younger")

        assert await deployed(trial, release_in(trial)) is not None
