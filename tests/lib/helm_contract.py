"""What `windlass.helm.Helm` promises, as tests: of the helm program, and of the stand-in for simulations."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from meddling import Meddling
from windlass.api import Key, ObjectMeta
from windlass.client import Client, ListOptions, MergePatch
from windlass.errors import ConnectionFailedError, HelmError, NotFound, NotLeadingError
from windlass.helm import Blueprint, Capabilities, Chart, Deploying, ReleaseRecord, Retreat, read_manifest
from windlass.helm.record import read_record, with_state
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from windlass.api import Json
    from windlass.client import Request
    from windlass.helm import Helm
    from windlass.helm.record import State

CHART = Chart(
    path=Path(__file__).parents[1] / "charts" / "ledger",
    name="ledger",
    version="0.1.0",
    app_version="7",
    digest="none",
)
PENDING = "another operation (install/upgrade/rollback) is in progress"


def ledger(blueprint: Blueprint, revision: int) -> Sequence[Json]:
    """What the chart renders, for the stand-in."""
    name, values = blueprint.release.name, blueprint.values
    objects = [_config_map(name, data={"text": values.get("text", "hello")})]
    if values.get("extra"):
        objects.append(_config_map(f"{name}-extra"))
    if values.get("kept"):
        objects.append(_config_map(f"{name}-kept", {"helm.sh/resource-policy": "keep"}))
    if values.get("bad"):
        objects.append(_config_map("Not_A_Name"))
    if values.get("hook"):
        hook = {"helm.sh/hook": "pre-install,pre-upgrade"}
        objects.append(_config_map(f"{name}-hook", hook, data={"revision": str(revision)}))
    return objects


def _config_map(name: str, annotations: Json | None = None, **fields: Any) -> Json:
    metadata = {"name": name, **({"annotations": annotations} if annotations else {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, **fields}


@dataclass(frozen=True)
class Site:
    """A place to deploy to: a Helm, made anew for each client, and a namespace that is the test's alone."""

    make: Callable[[Client], Helm]
    client: Client
    namespace: str

    @property
    def helm(self) -> Helm:
        """The Helm that nobody meddles with."""
        return self.make(self.client)

    def meddled(self, before: Callable[[Request], Awaitable[None]]) -> Helm:
        """A Helm whose requests can be stopped."""
        return self.make(Client(Meddling(self.client.transport, before), self.client.options))

    def blueprint(self, **values: Any) -> Blueprint:
        """The release `web`, with these values."""
        release = Key(self.namespace, "web")
        capabilities = Capabilities(kube_version="v1.36.3")
        return Blueprint(release=release, chart=CHART, values=values, capabilities=capabilities)

    async def records(self) -> list[ReleaseRecord]:
        """The records of all releases, by their numbers."""
        found = await self.client.list(ReleaseRecord, self.namespace, labels="owner=helm")
        return sorted(found, key=lambda record: record.number)

    async def states(self) -> list[tuple[int, str]]:
        """Number and state of every revision."""
        return [(record.number, record.state) for record in await self.records()]

    async def names(self) -> set[str]:
        """The config maps, but for the one that each namespace is given."""
        found = await self.client.list(ConfigMap, self.namespace)
        return {each.metadata.name for each in found} - {"kube-root-ca.crt"}

    async def text(self) -> str:
        """What the release says."""
        return (await self.client.get(ConfigMap, "web", self.namespace)).data["text"]


class HelmContract:
    """The promises. A module that tests a Helm gives a `site` as a fixture and a class that inherits this."""

    async def test_a_first_deployment_is_an_install_whose_record_has_the_labels(self, site: Site) -> None:
        how = Deploying(labels={"windlass.dev/input": "abc.1"}, description="because")
        revision = await site.helm.deploy(site.blueprint(text="one"), how)
        (record,) = await site.records()

        assert (revision.number, revision.state, revision.chart) == (1, "deployed", "ledger")
        assert (revision.chart_version, revision.app_version) == ("0.1.0", "7")
        assert revision.description == "because"
        assert revision.release == Key(site.namespace, "web")
        assert record.metadata.name == "sh.helm.release.v1.web.v1"
        assert record.type == "helm.sh/release.v1"
        assert {"name": "web", "owner": "helm", "status": "deployed", "version": "1"}.items() <= (
            record.metadata.labels.items()
        )
        assert record.metadata.labels["windlass.dev/input"] == "abc.1"
        assert revision.labels["windlass.dev/input"] == "abc.1"

    async def test_objects_belong_to_the_manager_helm_and_to_their_release(self, site: Site) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        options = ListOptions(managed_fields=True)
        found = await site.client.list(ConfigMap, site.namespace, fields="metadata.name=web", options=options)
        (made,) = found

        assert [(each["manager"], each["operation"]) for each in made.metadata.managed_fields] == [
            ("helm", "Apply")
        ]
        assert made.metadata.labels == {"app.kubernetes.io/managed-by": "Helm"}
        assert made.metadata.annotations == {
            "meta.helm.sh/release-name": "web",
            "meta.helm.sh/release-namespace": site.namespace,
        }

    async def test_an_upgrade_supersedes_the_revision_before_and_removes_what_is_dropped(
        self, site: Site
    ) -> None:
        await site.helm.deploy(site.blueprint(extra=True, kept=True), Deploying(labels={"a": "1", "b": "1"}))
        revision = await site.helm.deploy(site.blueprint(text="two"), Deploying(labels={"b": "2"}))
        newest = (await site.records())[-1]

        assert revision.number == 2
        assert await site.states() == [(1, "superseded"), (2, "deployed")]
        assert (newest.metadata.labels["a"], newest.metadata.labels["b"]) == ("1", "2")
        assert await site.names() == {"web", "web-kept"}
        assert await site.text() == "two"

    async def test_what_is_rendered_is_what_is_deployed_and_has_no_hooks(self, site: Site) -> None:
        blueprint = site.blueprint(extra=True, kept=True, hook=True)
        rendered = await site.helm.render(blueprint, is_upgrade=False)
        revision = await site.helm.deploy(blueprint, Deploying())

        assert [each["metadata"]["name"] for each in rendered] == ["web", "web-extra", "web-kept"]
        assert read_manifest(revision.manifest) == rendered
        assert [hook["name"] for hook in revision.hooks] == ["web-hook"]

    async def test_rendering_changes_nothing(self, site: Site) -> None:
        await site.helm.render(site.blueprint(extra=True), is_upgrade=True)

        assert await site.names() == set()
        assert await site.records() == []

    async def test_so_many_records_are_kept(self, site: Site) -> None:
        for number in range(5):
            await site.helm.deploy(site.blueprint(text=str(number)), Deploying(history=3))

        assert await site.states() == [(3, "superseded"), (4, "superseded"), (5, "deployed")]

    async def test_a_failing_upgrade_is_told_and_the_revision_before_stays_deployed(self, site: Site) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        with pytest.raises(HelmError, match="Not_A_Name") as caught:
            await site.helm.deploy(site.blueprint(bad=True), Deploying())
        failed = await site.states()
        await site.helm.deploy(site.blueprint(text="better"), Deploying())

        assert "UPGRADE FAILED" not in str(caught.value)
        assert failed == [(1, "deployed"), (2, "failed")]
        assert await site.states() == [(1, "superseded"), (2, "failed"), (3, "deployed")]
        assert await site.text() == "better"

    async def test_a_failed_revision_does_not_push_the_deployed_one_out_of_the_history(
        self, site: Site
    ) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        for _ in range(4):
            with pytest.raises(HelmError):
                await site.helm.deploy(site.blueprint(bad=True), Deploying(history=2))

        assert await site.states() == [(1, "deployed"), (5, "failed")]

    async def test_a_failed_install_is_upgraded_by_the_next_deployment(self, site: Site) -> None:
        with pytest.raises(HelmError, match="Not_A_Name"):
            await site.helm.deploy(site.blueprint(bad=True), Deploying())
        failed = await site.states()
        revision = await site.helm.deploy(site.blueprint(), Deploying())

        assert failed == [(1, "failed")]
        assert revision.number == 2
        assert await site.states() == [(1, "superseded"), (2, "deployed")]

    @pytest.mark.parametrize("state", ["pending-install", "pending-upgrade", "pending-rollback"])
    async def test_a_release_left_pending_is_not_deployed_but_can_be_uninstalled(
        self, site: Site, state: State
    ) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        await self._tell(site, state)
        with pytest.raises(HelmError) as caught:
            await site.helm.deploy(site.blueprint(text="two"), Deploying())
        refused = await site.states()
        await site.helm.uninstall(Key(site.namespace, "web"), Retreat())

        assert str(caught.value) == PENDING
        assert refused == [(1, state)]
        assert await site.records() == []
        assert await site.names() == set()

    async def test_a_release_left_half_uninstalled_is_not_deployed_but_can_be_uninstalled(
        self, site: Site
    ) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        await self._tell(site, "uninstalling")
        with pytest.raises(HelmError) as caught:
            await site.helm.deploy(site.blueprint(text="two"), Deploying())
        await site.helm.uninstall(Key(site.namespace, "web"), Retreat())

        assert str(caught.value) == '"web" has no deployed releases'
        assert await site.records() == []
        assert await site.names() == set()

    async def test_an_upgrade_left_pending_can_be_rolled_back(self, site: Site) -> None:
        await site.helm.deploy(site.blueprint(text="one"), Deploying())
        await site.helm.deploy(site.blueprint(text="two", extra=True), Deploying())
        await self._tell(site, "deployed", "pending-upgrade")
        await site.helm.rollback(Key(site.namespace, "web"), 1, Retreat(description="because"))
        newest = (await site.records())[-1]

        assert await site.states() == [(1, "superseded"), (2, "pending-upgrade"), (3, "deployed")]
        assert read_record(newest).description == "because"
        assert await site.text() == "one"
        assert await site.names() == {"web"}

    async def test_uninstalling_leaves_nothing_but_what_is_to_be_kept(self, site: Site) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        await site.helm.deploy(site.blueprint(extra=True, kept=True), Deploying())
        await site.helm.uninstall(Key(site.namespace, "web"), Retreat())

        assert await site.names() == {"web-kept"}
        assert await site.records() == []

    async def test_uninstalling_what_is_not_there_is_no_fault(self, site: Site) -> None:
        await site.helm.uninstall(Key(site.namespace, "web"), Retreat())

        assert await site.records() == []

    async def test_uninstalling_does_not_take_a_failure_for_a_release_that_is_gone(self, site: Site) -> None:
        async def cut(request: Request) -> None:
            if "/secrets" in request.path:
                raise ConnectionFailedError("the line is cut")

        await site.helm.deploy(site.blueprint(), Deploying())
        with pytest.raises(HelmError, match="the line is cut"):
            await site.meddled(cut).uninstall(Key(site.namespace, "web"), Retreat())

        assert await site.states() == [(1, "deployed")]

    async def test_an_old_revision_is_deployed_again_as_a_new_one(self, site: Site) -> None:
        await site.helm.deploy(site.blueprint(text="one", extra=True), Deploying(labels={"a": "1"}))
        await site.helm.deploy(site.blueprint(text="two"), Deploying(labels={"a": "2"}))
        await site.helm.rollback(Key(site.namespace, "web"), 1, Retreat())
        newest = (await site.records())[-1]

        assert await site.states() == [(1, "superseded"), (2, "superseded"), (3, "deployed")]
        assert newest.metadata.labels["a"] == "1"
        assert await site.text() == "one"
        assert await site.names() == {"web", "web-extra"}

    async def test_a_revision_that_never_was_cannot_be_deployed_again(self, site: Site) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())

        with pytest.raises(HelmError, match="release has no 7 version"):
            await site.helm.rollback(Key(site.namespace, "web"), 7, Retreat())

    async def test_a_change_sees_what_is_rendered_and_decides_what_is_deployed(self, site: Site) -> None:
        seen: list[Json] = []

        def change(objects: Sequence[Json]) -> Sequence[Json]:
            seen.extend(objects)
            return [
                {**each, "data": {"text": "changed", "date": "2026-01-01", "big": "1e3"}} for each in objects
            ]

        revision = await site.helm.deploy(site.blueprint(text="plain"), Deploying(change=change))
        made = await site.client.get(ConfigMap, "web", site.namespace)

        assert seen == [_config_map("web", data={"text": "plain"})]
        assert made.data == {"text": "changed", "date": "2026-01-01", "big": "1e3"}
        assert read_manifest(revision.manifest) == [_config_map("web", data=made.data)]

    async def test_a_hook_stays_a_hook_when_it_is_changed(self, site: Site) -> None:
        def change(objects: Sequence[Json]) -> Sequence[Json]:
            return [{**each, "data": {"text": "changed"}} for each in objects]

        revision = await site.helm.deploy(site.blueprint(hook=True), Deploying(change=change))
        hook = await site.client.get(ConfigMap, "web-hook", site.namespace)

        assert hook.data == {"text": "changed"}
        assert [each["metadata"]["name"] for each in read_manifest(revision.manifest)] == ["web"]

    async def test_what_a_change_raises_is_raised_and_nothing_is_deployed(self, site: Site) -> None:
        def change(objects: Sequence[Json]) -> Sequence[Json]:
            raise ArithmeticError(f"{len(objects)} is too many")

        with pytest.raises(ArithmeticError, match="1 is too many"):
            await site.helm.deploy(site.blueprint(), Deploying(change=change))

        assert await site.names() == set()
        assert await site.records() == []

    async def test_hooks_are_run_unless_they_are_not_wanted(self, site: Site) -> None:
        blueprint = site.blueprint(hook=True)
        await site.helm.deploy(blueprint, Deploying())
        await site.helm.deploy(blueprint, Deploying())
        second = await site.client.get(ConfigMap, "web-hook", site.namespace)
        await site.helm.deploy(blueprint, Deploying(hooks=False))
        third = await site.client.get(ConfigMap, "web-hook", site.namespace)

        assert second.data == {"revision": "2"}
        assert third.data == {"revision": "2"}
        assert "app.kubernetes.io/managed-by" not in third.metadata.labels

    async def test_what_belongs_to_somebody_else_is_not_taken_over(self, site: Site) -> None:
        mine = ConfigMap(metadata=ObjectMeta(name="web", namespace=site.namespace), data={"text": "mine"})
        await site.client.create(mine)

        with pytest.raises(HelmError, match="exists and cannot be imported into the current release"):
            await site.helm.deploy(site.blueprint(), Deploying())

        assert await site.text() == "mine"
        assert await site.records() == []

    @pytest.mark.parametrize("force", [False, True])
    async def test_an_upgrade_takes_back_what_others_have_changed(self, site: Site, *, force: bool) -> None:
        await site.helm.deploy(site.blueprint(), Deploying())
        patch = MergePatch({"data": {"text": "theirs"}})
        await site.client.patch(ConfigMap, "web", patch, site.namespace)
        await site.helm.deploy(site.blueprint(text="ours"), Deploying(force=force))

        assert await site.text() == "ours"

    async def test_a_lost_lease_is_told_as_such(self, site: Site) -> None:
        async def fence(request: Request) -> None:
            if request.method != "GET":
                raise NotLeadingError("refused: this process does not lead")

        with pytest.raises(NotLeadingError, match="this process does not lead"):
            await site.meddled(fence).deploy(site.blueprint(), Deploying())

        assert await site.records() == []

    async def test_a_cancelled_deployment_makes_no_further_request(self, site: Site) -> None:
        reached, later = asyncio.Event(), []

        async def hold(request: Request) -> None:
            if reached.is_set():
                later.append(str(request))
            elif request.method != "GET" and "/configmaps" in request.path:
                reached.set()
                await asyncio.Event().wait()

        deploying = asyncio.create_task(site.meddled(hold).deploy(site.blueprint(), Deploying()))
        await reached.wait()
        deploying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await deploying
        after = len(later)

        with pytest.raises(NotFound):
            await site.text()
        assert await site.states() == [(1, "pending-install")]
        assert len(later) == after

    async def _tell(self, site: Site, *states: State) -> None:
        """Let the records tell other ends than those that the revisions had."""
        for record, state in zip(await site.records(), states, strict=True):
            patch = MergePatch(with_state(record, state, "by a test"))
            await site.client.patch(ReleaseRecord, record.metadata.name, patch, site.namespace)
