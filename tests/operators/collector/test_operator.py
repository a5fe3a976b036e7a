"""What a Collector can do, beyond what was wrong before."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chart_archives import ServedWeb, repository
from monitored import monitoring
from polling import until
from tenants import (
    MAPS,
    RELEASE,
    WHO,
    collector,
    condition,
    deployed,
    encoded,
    left,
    maps,
    reason,
    release_in,
    standing_in,
    unhurried,
)
from windlass.aio import ManualClock
from windlass.api import Key, ObjectMeta, find_condition, read_yaml, write_yaml
from windlass.client import MergePatch, find_kind
from windlass.controller import ControllerOptions
from windlass.errors import HelmError, NotFound
from windlass.helm import ReleaseRecord
from windlass.helm.source import Answer, Sources
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret, Service
from windlass.kinds.events.v1 import Event
from windlass.operators.collector import ClusterSource, Collector, Tenancy
from windlass.testing.helm import StandInHelm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tenants import Collecting
    from windlass.client import Client
    from windlass.helm import Helm, Retreat
    from windlass.manager import Manager
    from windlass.testing import Trial
    from windlass.testing.helm import Template


async def config(trial: Trial) -> Any:
    """The configuration that the release of the test's own tenant has."""
    (found,) = read_yaml((await trial.client.get(Secret, RELEASE)).data["config.yaml"])
    return found


@pytest.mark.parametrize(("version", "tag"), [("1.0.0+build", "1.0.0_build"), ("*", "latest")])
async def test_a_version_is_the_tag_of_the_image(collecting: Collecting, version: str, tag: str) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace, collector={"version": version}))
        await trial.ready(Collector, "amp")
        made = await deployed(trial, release_in(trial))

    assert made
    assert made.spec.template.spec
    assert made.spec.template.spec.containers[0].image == f"cisco-amp-collector:{tag}"


async def test_a_constraint_that_nothing_satisfies_is_told_and_a_corrected_one_is_deployed(
    collecting: Collecting,
) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace, collector={"version": "^1.2"}))
        told = await trial.until(Collector, "amp", lambda each: reason(each) == "ConfigurationInvalid")
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"collector": {"version": "1.2.3"}}}))
        await trial.ready(Collector, "amp")

    found = next(each for each in told.status.conditions if each.type == "Available")
    assert found.message.startswith("spec.collector.version: ^1.2 is not satisfied by the chart that ships")


@pytest.mark.parametrize(
    ("values", "where"), [({"replicaCount": "many"}, "/replicaCount"), ({"config": [1, 2]}, "/config")]
)
async def test_a_value_of_another_type_is_told_and_what_runs_stays(
    collecting: Collecting, values: dict[str, Any], where: str
) -> None:
    if collecting.program is None:
        pytest.skip("needs helm, which validates values")
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"values": values}}))
        told = await trial.until(Collector, "amp", lambda each: reason(each) == "RenderFailed")
        made = await deployed(trial, release_in(trial))

    assert made
    assert made.spec.replicas == 1
    assert any(f"'{where}'" in each.message for each in told.status.conditions)


@pytest.mark.parametrize("length", [64, 253])
async def test_a_collector_may_have_any_name_that_kubernetes_takes(
    collecting: Collecting, length: int
) -> None:
    name = "x" * length
    async with collecting() as trial:
        await trial.client.create(collector(name, trial.namespace))
        await trial.ready(Collector, name)
        bad = {"spec": {"collector": {"version": "^9"}}}
        await trial.client.patch(Collector, name, MergePatch(bad))
        await trial.until(Collector, name, lambda each: reason(each) == "ConfigurationInvalid")

        async def told() -> list[str | None]:
            events = await trial.client.list(Event, trial.namespace)
            return [each.reason or "" for each in events if each.regarding and each.regarding.name == name]

        await until(told, lambda found: "ConfigurationInvalid" in found)
        await trial.client.delete(Collector, name)
        await trial.gone(Collector, name)

        assert await left(trial, release_in(trial)) == []


async def test_values_come_from_everywhere_and_the_nearest_wins(collecting: Collecting) -> None:
    config_of_all = {"from": "operator", "operator": True}
    source = ClusterSource(values={"config": config_of_all, "serviceMonitor": {"enabled": False}})
    async with collecting(unhurried(otherwise=source)) as trial:
        texts = {"values.yaml": "config: {from: secret, secret: true}"}
        await trial.client.create(Secret(metadata=ObjectMeta(name="first"), string_data=texts))
        data = {"more": "config: {from: map, map: true}"}
        await trial.client.create(ConfigMap(metadata=ObjectMeta(name="second"), data=data))
        configuration = encoded({"config": {"from": "configuration", "configuration": True}})
        references = [
            {"kind": "Secret", "name": "first"},
            {"kind": "ConfigMap", "name": "second", "key": "more"},
            {"kind": "Secret", "name": "absent", "optional": True},
        ]
        await trial.client.create(
            collector(
                "amp",
                trial.namespace,
                collector={"configuration": configuration},
                values={"config": {"from": "values"}},
                valuesFrom=references,
            )
        )
        await trial.ready(Collector, "amp")

        assert await config(trial) == {
            "from": "values",
            "operator": True,
            "secret": True,
            "map": True,
            "configuration": True,
        }
        await trial.settled()


@pytest.mark.parametrize("kind", ["Secret", "ConfigMap"])
async def test_a_change_of_referred_values_is_rolled_out(collecting: Collecting, kind: str) -> None:
    made: type[Secret | ConfigMap] = Secret if kind == "Secret" else ConfigMap
    field = "stringData" if kind == "Secret" else "data"
    async with collecting() as trial:
        reference = {"kind": kind, "name": "more"}
        await trial.client.create(collector("amp", trial.namespace, valuesFrom=[reference]))
        missing = await trial.until(Collector, "amp", lambda each: reason(each) == "ValuesMissing")
        body = {"metadata": {"name": "more"}, field: {"values.yaml": "replicaCount: 2"}}
        await trial.client.create(made.from_wire(body))
        await trial.ready(Collector, "amp")
        first = await deployed(trial, release_in(trial))
        await trial.client.patch(made, "more", MergePatch({field: {"values.yaml": "replicaCount: 3"}}))
        await trial.until(Collector, "amp", lambda each: reason(each) == "UpgradeSucceeded")
        second = await deployed(trial, release_in(trial))

        assert "valuesFrom" in str(missing.status.conditions)
        assert first
        assert second
        assert (first.spec.replicas, second.spec.replicas) == (2, 3)


async def test_the_content_of_secrets_that_nobody_refers_to_is_not_even_transferred(
    collecting: Collecting,
) -> None:
    async with collecting() as trial:
        await trial.client.create(
            Secret(metadata=ObjectMeta(name="private"), string_data={"password": "hunter2"})
        )
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        await trial.rest()
        open_ended = [
            each
            for each in trial._sent.watches
            if each.path.endswith("/secrets") and "labelSelector" not in dict(each.query)
        ]

        assert open_ended
        assert all("PartialObjectMetadata" in str(each.headers) for each in open_ended)
        assert not [each for each in trial.requests if each.path.endswith("/secrets/private")]


async def test_a_second_pass_over_an_unchanged_collector_asks_nobody(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")

        await trial.settled()


async def test_the_namespace_of_a_tenant_is_made_and_stays(collecting: Collecting) -> None:
    async with collecting() as trial:
        tenant = f"{trial.namespace}-tenant"
        await trial.client.create(collector("amp", tenant))
        await trial.ready(Collector, "amp")
        made = await trial.client.get(Namespace, tenant)
        await trial.client.delete(Collector, "amp")
        await trial.gone(Collector, "amp")
        kept = await trial.client.get(Namespace, tenant)
        await trial.client.delete(Namespace, tenant)

        assert made.metadata.labels["example.com/tenant-id"] == "4711"
        assert kept.metadata.deletion_timestamp is None


async def test_the_namespace_goes_with_the_last_collector_where_that_is_wanted(
    collecting: Collecting,
) -> None:
    async with collecting(unhurried(delete_namespaces=True)) as trial:
        tenant = f"{trial.namespace}-tenant"
        for name in ("one", "two"):
            await trial.client.create(collector(name, tenant, instance=name))
            await trial.ready(Collector, name)
        await trial.client.create(collector("own", trial.namespace))
        await trial.ready(Collector, "own")
        states = []
        for name in ("one", "two", "own"):
            await trial.client.delete(Collector, name)
            await trial.gone(Collector, name)
            states.append((await is_leaving(trial, tenant), await is_leaving(trial, trial.namespace)))

        assert states == [(False, False), (True, False), (True, False)]


async def test_a_move_within_a_namespace_does_not_remove_it(collecting: Collecting) -> None:
    async with collecting(unhurried(delete_namespaces=True)) as trial:
        tenant = f"{trial.namespace}-tenant"
        await trial.client.create(collector("amp", tenant))
        await trial.ready(Collector, "amp")
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"tenant": {"instance": "new"}}}))
        await trial.ready(Collector, "amp")
        leaves = await is_leaving(trial, tenant)
        await trial.client.patch(
            Collector, "amp", MergePatch({"spec": {"tenant": {"reference": trial.namespace}}})
        )
        await trial.ready(Collector, "amp")

        assert not leaves
        assert await is_leaving(trial, tenant)


async def test_what_helm_has_forgotten_is_removed_all_the_same(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        trial.network.partition()  # else it would be installed again
        for record in await trial.client.list(ReleaseRecord, trial.namespace, labels="owner=helm"):
            await trial.client.delete(ReleaseRecord, record.metadata.name)
        await trial.client.delete(Collector, "amp")
        trial.network.heal()
        await trial.gone(Collector, "amp")

        assert await left(trial, release_in(trial)) == []


async def is_leaving(trial: Trial, namespace: str) -> bool:
    try:
        return (await trial.client.get(Namespace, namespace)).metadata.deletion_timestamp is not None
    except NotFound:
        return True


@pytest.mark.xdist_group("monitoring")  # its kind comes and goes, for the whole cluster
async def test_a_service_monitor_is_made_when_its_kind_appears(collecting: Collecting) -> None:
    async with collecting(unhurried(otherwise=ClusterSource())) as trial:
        await trial.client.create(collector("amp", trial.namespace))
        before = await trial.ready(Collector, "amp")
        async with monitoring(trial.client) as monitor:
            after = await trial.until(
                Collector, "amp", lambda each: "ServiceMonitor" in str(each.status.resources)
            )
            found = await trial.client.get(monitor, RELEASE)
            await trial.client.delete(Collector, "amp")
            await trial.gone(Collector, "amp")
            with pytest.raises(NotFound):
                await trial.client.get(monitor, RELEASE)

        assert "ServiceMonitor" not in str(before.status.resources)
        assert found.metadata.name == RELEASE
        assert after.status.release
        assert after.status.release.revision == 2


@pytest.mark.parametrize("meanwhile", ["deleted", "changed"])
@pytest.mark.xdist_group("monitoring")  # its kind comes and goes, for the whole cluster
async def test_a_kind_that_goes_away_again_holds_nothing_up(collecting: Collecting, meanwhile: str) -> None:
    async with collecting(unhurried(otherwise=ClusterSource())) as trial:
        async with monitoring(trial.client):
            await trial.client.create(collector("amp", trial.namespace))
            await trial.until(Collector, "amp", lambda each: "ServiceMonitor" in str(each.status.resources))
        if meanwhile == "changed":
            await trial.client.patch(Collector, "amp", MergePatch({"spec": {"values": {"replicaCount": 2}}}))
            await trial.until(
                Collector, "amp", lambda each: "ServiceMonitor" not in str(each.status.resources)
            )
        await trial.client.delete(Collector, "amp")
        await trial.gone(Collector, "amp")

        assert await left(trial, release_in(trial)) == []


class StubbornHelm(StandInHelm):
    """A Helm that cannot uninstall until it is mended, and notes each attempt in its record, as Helm does."""

    def __init__(self, client: Client, charts: Mapping[str, Template]) -> None:
        super().__init__(client, charts)
        self.faults = ["failed to delete release"]  # lists, so that who acts as another user shares them
        self.attempts: list[str] = []

    @override
    async def uninstall(self, release: Key, how: Retreat) -> bool:
        self.attempts.append(release.name)
        if not self.faults:
            return await super().uninstall(release, how)
        for record in await self.client.list(ReleaseRecord, release.namespace, labels="owner=helm"):
            note = MergePatch({"metadata": {"labels": {"attempt": str(len(self.attempts))}}})
            await self.client.patch(ReleaseRecord, record.metadata.name, note, release.namespace)
        raise HelmError(self.faults[0])


async def test_an_uninstall_that_fails_is_not_tried_over_and_over(collecting: Collecting) -> None:
    clock, made = ManualClock(), list[StubbornHelm]()

    def stubborn(manager: Manager) -> Helm:
        made.append(StubbornHelm(manager.client, {"collector": standing_in}))
        return made[-1]

    collecting.make = stubborn
    async with collecting(clock=clock) as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        await trial.client.delete(Collector, "amp")
        await trial.until(Collector, "amp", lambda each: reason(each) == "ApplyFailed")
        await trial.rest()
        early = len(made[-1].attempts)
        made[-1].faults.clear()

        async def is_gone() -> bool:
            await clock.advance(timedelta(seconds=5))
            return not (await trial.client.list(Collector, trial.namespace)).items

        await until(is_gone)

        assert early == 1
        assert len(made[-1].attempts) == 2


async def test_an_annotation_lets_a_version_float(collecting: Collecting) -> None:
    base, clock = "https://c.example.com", ManualClock()
    web = ServedWeb(repository(base, {("maps", "1.0.0"): MAPS["maps", "1.0.0"]}))
    options = unhurried(otherwise=ClusterSource(url=base))
    collecting.parts["maps"] = maps
    async with collecting(options, Sources(web=web), clock=clock) as trial:
        made = collector("amp", trial.namespace, chart={"name": "maps", "version": ">=1.0"})
        made.metadata.annotations = {"example.com/check-for-updates": "30s"}
        await trial.client.create(made)
        await trial.ready(Collector, "amp")
        web.files |= repository(base, MAPS)

        async def floated() -> bool:
            await clock.advance(timedelta(seconds=10))
            told = (await trial.client.get(Collector, "amp")).status
            return told.release is not None and told.release.chart_version == "2.0.0"

        await until(floated)


class HeldWeb(ServedWeb):
    """Answers nothing unless it may."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.go = asyncio.Event()
        self.go.set()
        self.waiting = 0

    @override
    async def get(self, url: str, *args: Any) -> Answer:
        self.waiting += 1
        await self.go.wait()
        self.waiting -= 1
        return await super().get(url, *args)


async def test_a_repository_that_does_not_answer_holds_no_worker_and_ends_with_the_operator(
    collecting: Collecting,
) -> None:
    web = HeldWeb({})
    web.go.clear()
    one = ControllerOptions(workers=1)
    async with collecting(unhurried(), Sources(web=web), controller=one) as trial:
        chart = {"name": "maps", "repository": "https://c.example.com"}
        await trial.client.create(collector("slow", trial.namespace, instance="slow", chart=chart))
        told = await trial.until(Collector, "slow", lambda each: reason(each) == "Queued")
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        await trial.client.patch(Deployment, RELEASE, MergePatch({"spec": {"replicas": 0}}))
        await trial.until(Deployment, RELEASE, lambda each: each.spec.replicas == 1)
        running = [each for each in asyncio.all_tasks() if each.get_name() == "fetch maps"]

    assert len(running) == 1
    await asyncio.wait(running, timeout=5)
    assert running[0].cancelled()
    found = find_condition(told.status.conditions, "Ready")
    assert found
    assert found.message == "the chart maps is being fetched"


async def test_while_a_newer_chart_is_looked_for_the_one_that_was_chosen_is_in_effect(
    collecting: Collecting,
) -> None:
    base, clock = "https://c.example.com", ManualClock()
    web = HeldWeb(repository(base, {("maps", "1.0.0"): MAPS["maps", "1.0.0"]}))
    options = unhurried(otherwise=ClusterSource(url=base))
    collecting.parts["maps"] = maps
    async with collecting(options, Sources(web=web), clock=clock) as trial:
        made = collector("amp", trial.namespace, chart={"name": "maps", "version": ">=1.0"})
        made.metadata.annotations = {"example.com/check-for-updates": "2m"}
        await trial.client.create(made)
        await trial.ready(Collector, "amp")
        web.files |= repository(base, MAPS)
        web.go.clear()

        async def is_asked() -> bool:
            await clock.advance(timedelta(seconds=10))
            return web.waiting > 0

        await until(is_asked)
        await trial.client.delete(ConfigMap, "dropped")

        async def is_repaired() -> bool:
            return any(each.metadata.name == "dropped" for each in await trial.client.list(ConfigMap))

        await until(is_repaired)
        told = await trial.client.get(Collector, "amp")
        assert (reason(told), condition(told, "Ready")) == ("InstallSucceeded", "True")
        web.go.set()
        await trial.until(
            Collector, "amp", lambda each: bool(each.status.chart and each.status.chart.version == "2.0.0")
        )


async def test_a_repository_is_entered_with_the_credentials_of_a_secret(collecting: Collecting) -> None:
    base = "https://c.example.com"
    web = ServedWeb(repository(base, MAPS), authorization="Bearer t0ken")
    collecting.parts["maps"] = maps
    async with collecting(charts=Sources(web=web)) as trial:
        chart = {"name": "maps", "repository": base, "secretRef": {"name": "login"}}
        await trial.client.create(collector("amp", trial.namespace, chart=chart))
        missing = await trial.until(Collector, "amp", lambda each: reason(each) == "ChartFetchFailed")
        login = Secret(metadata=ObjectMeta(name="login"), string_data={"token": "t0ken"})
        await trial.client.create(login)
        await trial.ready(Collector, "amp")

        assert "login" in str(missing.status.conditions)


async def test_a_chart_that_cannot_be_fetched_leaves_the_last_good_revision(collecting: Collecting) -> None:
    base = "https://c.example.com"
    web = ServedWeb(repository(base, MAPS))
    collecting.parts["maps"] = maps
    async with collecting(charts=Sources(web=web)) as trial:
        chart = {"name": "maps", "repository": base, "version": "1.0.0"}
        await trial.client.create(collector("amp", trial.namespace, chart=chart))
        await trial.ready(Collector, "amp")
        await trial.client.patch(Collector, "amp", MergePatch({"spec": {"chart": {"version": "3.x"}}}))
        told = await trial.until(Collector, "amp", lambda each: reason(each) == "ChartFetchFailed")

        assert told.status.release
        assert (told.status.release.revision, told.status.release.chart_version) == (1, "1.0.0")
        assert (condition(told, "Ready"), condition(told, "Degraded")) == ("False", "True")
        told = await trial.until(Collector, "amp", lambda each: condition(each, "Available") == "True")
        assert (await trial.client.get(ConfigMap, "dropped")).metadata.name == "dropped"


async def test_drift_is_repaired_while_an_upgrade_is_refused(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace))
        await trial.ready(Collector, "amp")
        refused = {"spec": {"values": {"replicaCount": -1}}}
        await trial.client.patch(Collector, "amp", MergePatch(refused))
        await trial.until(Collector, "amp", lambda each: condition(each, "Ready") == "False")
        await trial.client.patch(Deployment, RELEASE, MergePatch({"spec": {"replicas": 0}}))
        await trial.until(Deployment, RELEASE, lambda each: each.spec.replicas == 1)
        before = await trial.client.get(Service, f"{RELEASE}-private")
        await trial.client.delete(Service, f"{RELEASE}-private")
        await trial.until(
            Service, f"{RELEASE}-private", lambda each: each.metadata.uid != before.metadata.uid
        )

        told = await trial.until(Collector, "amp", lambda each: condition(each, "Degraded") == "True")
        assert condition(told, "Ready") == "False"
        assert told.status.release
        assert told.status.release.revision == 1


async def test_the_longest_names_that_are_allowed_do_work(collecting: Collecting) -> None:
    async with collecting() as trial:
        made = collector("amp", trial.namespace, instance="i" * 26, collector={"name": "c" * 26})
        await trial.client.create(made)
        told = await trial.ready(Collector, "amp")

        assert told.status.release
        assert len(told.status.release.name) == 53


def samples() -> list[str]:
    folder = files("windlass.operators.collector") / "samples"
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.parametrize("sample", samples())
async def test_a_sample_works_as_it_is(collecting: Collecting, sample: str) -> None:
    text = (files("windlass.operators.collector") / "samples" / sample).read_bytes()
    documents = read_yaml(text)
    (tenant,) = (each["metadata"]["name"] for each in documents if each["kind"] == "Namespace")
    locked = unhurried(tenancy=Tenancy())
    async with collecting(locked) as trial:
        names = []
        for each in documents:
            if each["kind"] == "Namespace":  # the test has one
                continue
            kind = await find_kind(trial.client, each["apiVersion"], each["kind"])
            moved = read_yaml(write_yaml([each]).replace(tenant, trial.namespace))[0]
            moved["metadata"]["labels"] = {"served-by": WHO}
            if kind.__kind__.name == "Collector":
                moved["spec"]["tenant"]["reference"] = trial.namespace
                names.append(moved["metadata"]["name"])
            await trial.client.create(kind.from_wire(moved))
        for name in names:
            told = await trial.ready(Collector, name)
            assert told.status.release
            found = await deployed(trial, Key(told.status.release.namespace, told.status.release.name))
            assert found
