"""A user who may edit Collectors of one namespace, and nothing else, tries to get further.

The operator itself may do everything here: only that it acts as the tenant's ServiceAccount, and what its
configuration allows, hold the attacker back. Each attempt ends in a condition and an event, and leaves nothing.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from aiohttp import web
from typing_extensions import override

from chart_archives import ServedWeb, answering, chart_archive, repository
from polling import until
from tenants import (
    LENIENT,
    RELEASE,
    WHO,
    Collecting,
    collector,
    deployed,
    grant,
    left,
    reason,
    release_in,
    unhurried,
)
from windlass.api import Key, ObjectMeta, find_condition
from windlass.client import Impersonation, MergePatch, Request
from windlass.errors import AlreadyExists, ApiError, ChartError, Forbidden, Invalid, NotFound
from windlass.helm import ReleaseRecord, packed, unpacked
from windlass.helm.source import SourcePolicy, Sources
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret, ServiceAccount
from windlass.kinds.events.v1 import Event
from windlass.kinds.rbac.v1 import ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject
from windlass.operators.collector import ClusterSource, Collector, Tenancy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.api import Resource
    from windlass.client import Client
    from windlass.helm import Chart
    from windlass.helm.source import Wanted
    from windlass.operators.collector import CollectorOptions
    from windlass.testing import Starter, Trial

EVIL = "https://evil.example.com"
RBAC = "rbac.authorization.k8s.io"
EVERYTHING = ("get", "list", "watch", "create", "update", "patch", "delete")


def config_map(name: str, namespace: str = "", data: str = "") -> str:
    where = f"\n  namespace: {namespace}" if namespace else ""
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}{where}\ndata:\n  loot: {data or 'none'}\n"


def looked_up(namespace: str, name: str) -> str:
    return f'{{{{ (lookup "v1" "Secret" "{namespace}" "{name}").data | toJson | quote }}}}'


@dataclass
class Attack:
    """The cluster, the attacker in `team-a`, and the others."""

    trial: Trial
    mallory: Client
    web: ServedWeb

    @property
    def team_a(self) -> str:
        return self.trial.namespace

    @property
    def team_b(self) -> str:
        return f"b-{self.trial.namespace}"

    def serve(self, template: str, *, digests: bool = True) -> dict[str, str]:
        """Put a chart into the attacker's own repository; what a Collector says to get it."""
        archive = chart_archive("evil", "1.0.0", {"evil.yaml": template})
        self.web.files |= repository(EVIL, {("evil", "1.0.0"): archive}, digests=digests)
        return {"name": "evil", "repository": EVIL, "version": "1.0.0"}

    async def attempt(self, expected: str, *, tenant: str = "", **spec: Any) -> str:
        """Create a Collector as the attacker; the message of the refusal that has this reason."""
        await self.mallory.create(collector("amp", tenant or self.team_a, **spec))
        return await self.refused(expected)

    async def refused(self, expected: str) -> str:
        """Wait until the Collector is refused, with a condition and an event; returns the message."""
        found = await self.trial.until(Collector, "amp", lambda each: reason(each) == expected)
        condition = find_condition(found.status.conditions, "Ready")
        assert condition
        assert condition.status == "False"
        await until(partial(self.told, expected), patience=20)
        return condition.message

    async def undecodable(self) -> bool:
        """Whether the Collector, which cannot be read, says so."""
        path = Collector.__kind__.path("amp", self.team_a)
        obj = await self.trial.client.json(Request(method="GET", path=path))
        conditions = obj.get("status", {}).get("conditions", ())
        return any(each["type"] == "Ready" and each["reason"] == "Undecodable" for each in conditions)

    async def told(self, expected: str) -> bool:
        events = await self.trial.client.list(Event, self.team_a)
        return any(
            each.reason == expected and each.type == "Warning" and (each.regarding or {}) for each in events
        )

    async def nothing_left(self, *namespaces: str) -> None:
        """Nothing of the release is anywhere, once the Collector is deleted."""
        for namespace in (self.team_a, self.team_b, *namespaces):
            assert await left(self.trial, Key(namespace, RELEASE)) == []
            for name in ("loot", "kept"):
                with pytest.raises(NotFound):
                    await self.trial.client.get(ConfigMap, name, namespace)


@dataclass
class Attacking:
    """Starts the operator and the attacker."""

    collecting: Collecting

    @asynccontextmanager
    async def __call__(self, sources: Sources | None = None, **options: Any) -> AsyncIterator[Attack]:
        served = ServedWeb({})
        chosen: CollectorOptions = unhurried(**{"tenancy": Tenancy(repositories=(EVIL,)), **options})
        async with self.collecting(chosen, sources or Sources(web=served)) as trial:
            attack = Attack(trial, trial.client, served)
            await trial.client.create(Namespace(metadata=ObjectMeta(name=attack.team_b)))
            await grant(trial.client, attack.team_b)
            secret = Secret(
                metadata=ObjectMeta(name="crown-jewels", namespace=attack.team_b),
                string_data={"username": "queen", "password": "s3cret"},
            )
            await trial.client.create(secret)
            attack.mallory = await mallory(trial)
            yield attack
            await trial.client.delete(Namespace, attack.team_b)


async def mallory(trial: Trial) -> Client:
    """A client of a user who may edit Collectors in the namespace of the test, and do nothing else."""
    name = f"mallory-{trial.namespace}"
    rule = PolicyRule(api_groups=["example.com"], resources=["collectors"], verbs=list(EVERYTHING))
    await trial.client.create(Role(metadata=ObjectMeta(name="editor"), rules=[rule]))
    binding = RoleBinding(
        metadata=ObjectMeta(name="editor"),
        role_ref=RoleRef(api_group=RBAC, kind="Role", name="editor"),
        subjects=[Subject(api_group=RBAC, kind="User", name=name)],
    )
    await trial.client.create(binding)
    client = trial.client.acting_as(Impersonation(user=name))
    await until(partial(may_list, client, Collector, trial.namespace), patience=20)
    assert not await may_list(client, Secret, trial.namespace)
    return client


async def may_list(client: Client, kind: type[Resource], namespace: str) -> bool:
    """Whether a user may list; a server learns of bindings a moment after they are stored."""
    try:
        await client.list(kind, namespace)
    except Forbidden:
        return False
    return True


async def revoke(trial: Trial, binding: str, account: str, kind: type[Resource] = Secret) -> None:
    """Delete a RoleBinding of a ServiceAccount, and wait until the server has noticed."""
    await trial.client.delete(RoleBinding, binding)
    await lost(trial, account, kind)


async def lost(trial: Trial, account: str, kind: type[Resource]) -> None:
    """Wait until a ServiceAccount may no longer list a kind."""
    acting = trial.client.acting_as(Impersonation.service_account(trial.namespace, account))
    await until(lambda: may_list(acting, kind, trial.namespace), lambda may: not may, patience=20)


@pytest.fixture
def attacking(operator: Starter, helm: Path) -> Attacking:
    """The operator with the helm program, and the attacker."""
    return Attacking(Collecting(operator, helm))


async def test_a_repository_that_is_not_allowed_is_not_even_asked(attacking: Attacking) -> None:
    async with attacking(tenancy=Tenancy(repositories=("https://evil.example.com/charts",))) as attack:
        chart = attack.serve(config_map("loot"))
        said = await attack.attempt("ChartRepositoryNotAllowed", chart=chart)

        assert f"spec.chart.repository: {EVIL} is not allowed" in said
        assert "https://evil.example.com/charts" in said
        assert "tenancy.repositories" in said
        assert attack.web.asked == []
        await attack.nothing_left()


async def test_a_template_cannot_look_up_a_secret_of_others(attacking: Attacking) -> None:
    async with attacking() as attack:
        looted = looked_up(attack.team_b, "crown-jewels")
        said = await attack.attempt("Forbidden", chart=attack.serve(config_map("loot", data=looted)))

        assert f'User "system:serviceaccount:{attack.team_a}:default" cannot get resource "secrets"' in said
        assert "s3cret" not in said
        await attack.nothing_left()


async def test_a_template_sees_what_its_service_account_sees(attacking: Attacking) -> None:
    async with attacking() as attack:
        own = Secret(metadata=ObjectMeta(name="own"), string_data={"a": "b"})
        await attack.trial.client.create(own)
        seen = looked_up(attack.team_a, "own")
        await attack.mallory.create(
            collector("amp", attack.team_a, chart=attack.serve(config_map("mine", data=seen)))
        )
        await attack.trial.ready(Collector, "amp")

        assert (await attack.trial.client.get(ConfigMap, "mine")).data == {"loot": '{"a":"Yg=="}'}


@pytest.mark.parametrize("namespace", ["kube-system", "kube-public", "team-b", "default"])
async def test_a_namespace_of_others_is_refused(attacking: Attacking, namespace: str) -> None:
    async with attacking() as attack:
        target = attack.team_b if namespace == "team-b" else namespace
        said = await attack.attempt("TenantNotAllowed", tenant=target.upper())

        assert f"spec.tenant.reference: the namespace {target} is not allowed" in said
        assert "tenancy.namespaces" in said
        await attack.nothing_left(target)


async def test_even_an_allowed_namespace_needs_rights_there(attacking: Attacking) -> None:
    async with attacking(tenancy=Tenancy(namespaces={"*": ("*",)}, namespace_role="admin")) as attack:
        await attack.attempt("Forbidden", tenant=attack.team_b)

        with pytest.raises(NotFound):  # it is not one that the operator has created
            await attack.trial.client.get(RoleBinding, f"collector:{attack.team_a}:default", attack.team_b)
        await attack.nothing_left()
        await attack.mallory.patch(
            Collector, "amp", MergePatch({"spec": {"tenant": {"reference": "kube-system"}}}), attack.team_a
        )
        assert "namespace of the system" in await attack.refused("TenantNotAllowed")
        await attack.mallory.patch(
            Collector, "amp", MergePatch({"spec": {"tenant": {"reference": attack.team_a}}}), attack.team_a
        )
        await attack.trial.ready(Collector, "amp")  # what was never made keeps nobody from moving


async def test_a_chart_cannot_place_objects_elsewhere(attacking: Attacking) -> None:
    async with attacking() as attack:
        await attack.attempt("Forbidden", chart=attack.serve(config_map("loot", attack.team_b)))

        await attack.nothing_left()


async def test_a_chart_cannot_make_anybody_an_administrator(attacking: Attacking) -> None:
    async with attacking() as attack:
        name = f"evil-{attack.team_a}"
        template = f"""
apiVersion: {RBAC}/v1
kind: ClusterRoleBinding
metadata: {{name: {name}}}
roleRef: {{apiGroup: {RBAC}, kind: ClusterRole, name: cluster-admin}}
subjects: [{{kind: ServiceAccount, name: default, namespace: {attack.team_a}}}]
"""
        await attack.attempt("Forbidden", chart=attack.serve(template))

        with pytest.raises(NotFound):
            await attack.trial.client.get(ClusterRoleBinding, name)
        await attack.nothing_left()


async def forge_record(trial: Trial, namespace: str, addition: str) -> ReleaseRecord:
    """Add an object to the record of the release in a namespace, unseen by the operator until it is done."""
    trial.network.partition()  # so that the record is read as a whole, and not from memory
    (record,) = await trial.client.list(ReleaseRecord, namespace, labels="owner=helm")
    content = unpacked(record)
    labels = {**record.metadata.labels}
    await trial.client.delete(ReleaseRecord, record.metadata.name, namespace)
    forged = ReleaseRecord(
        metadata=ObjectMeta(name=record.metadata.name, namespace=namespace, labels=labels),
        type=record.type,
        data=packed({**content, "manifest": f"{content['manifest']}---\n{addition}"}),
    )
    await trial.client.create(forged)
    trial.network.heal()
    return record


async def test_an_edited_record_does_not_make_the_operator_write_elsewhere(attacking: Attacking) -> None:
    async with attacking() as attack:
        chart = attack.serve(config_map("mine"))
        await attack.mallory.create(collector("amp", attack.team_a, chart=chart))
        await attack.trial.ready(Collector, "amp")
        trial = attack.trial
        record = await forge_record(trial, attack.team_a, config_map("loot", attack.team_b))

        said = await attack.refused("Forbidden")
        assert f"system:serviceaccount:{attack.team_a}:default" in said
        with pytest.raises(NotFound):
            await trial.client.get(ConfigMap, "loot", attack.team_b)
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await attack.refused("Forbidden")
        await trial.client.delete(ReleaseRecord, record.metadata.name)  # then it is removed by its status
        await trial.gone(Collector, "amp")
        with pytest.raises(NotFound):
            await trial.client.get(ConfigMap, "mine")


async def test_an_edited_record_of_a_release_elsewhere_reaches_no_further(attacking: Attacking) -> None:
    """Who may edit Secrets where a Collector of another namespace deploys gets no rights in that namespace."""
    async with attacking(tenancy=Tenancy(namespaces={"*": ("b-*",)}, repositories=(EVIL,))) as attack:
        trial = attack.trial
        await grant_across(trial, attack.team_b)
        chart = attack.serve(config_map("mine"))
        await attack.mallory.create(collector("amp", attack.team_b, chart=chart))
        await trial.ready(Collector, "amp")
        record = await forge_record(trial, attack.team_b, config_map("loot", attack.team_a))

        assert f"may write in namespace {attack.team_b} only" in await attack.refused("Forbidden")
        with pytest.raises(NotFound):
            await trial.client.get(ConfigMap, "loot", attack.team_a)
        await trial.client.delete(ReleaseRecord, record.metadata.name, attack.team_b)
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await trial.gone(Collector, "amp")
        with pytest.raises(NotFound):
            await trial.client.get(ConfigMap, "mine", attack.team_b)


@pytest.mark.parametrize(
    "addition",
    [
        "[" * 1000,
        "apiVersion: v1\nkind: ConfigMap\n",
        "apiVersion: [v1]\nkind: {a: b}\nmetadata: {name: x}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: bogus\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ../../../vault/secrets/crown}\n",
    ],
)
async def test_a_record_that_cannot_be_read_is_reported_and_holds_nothing_up(
    attacking: Attacking, addition: str
) -> None:
    async with attacking() as attack:
        trial = attack.trial
        await attack.mallory.create(collector("amp", attack.team_a))
        await trial.ready(Collector, "amp")
        await forge_record(trial, attack.team_a, addition)

        await attack.mallory.patch(  # any pass over it
            Collector, "amp", MergePatch({"spec": {"values": {"a": 1}}}), attack.team_a
        )
        assert "cannot be read" in await attack.refused("Undecodable")
        await attack.mallory.create(collector("other", attack.team_a, instance="other"))
        await trial.ready(Collector, "other")
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await trial.gone(Collector, "amp")
        assert await left(trial, release_in(trial)) == []


async def grant_across(trial: Trial, namespace: str) -> None:
    """Let the ServiceAccount `default` of the test's namespace do in another one what `admin` allows."""
    binding = RoleBinding(
        metadata=ObjectMeta(name="across", namespace=namespace),
        role_ref=RoleRef(api_group=RBAC, kind="ClusterRole", name="admin"),
        subjects=[Subject(kind="ServiceAccount", name="default", namespace=trial.namespace)],
    )
    await trial.client.create(binding)


INNER = [
    "http://charts.example.com",
    "https://127.0.0.1:6443",
    "https://localhost:6443",
    "https://169.254.169.254/latest",
    "https://10.96.0.1",
    "https://[::1]",
    "oci://127.0.0.1:5000/charts",
    "bucket+https://192.168.0.1",
]


@pytest.mark.parametrize("origin", INNER)
async def test_addresses_of_the_inside_are_refused_although_listed(attacking: Attacking, origin: str) -> None:
    async with attacking(Sources(), tenancy=Tenancy(repositories=(origin,))) as attack:
        said = await attack.attempt("ChartSourceNotAllowed", chart={"name": "evil", "repository": origin})

        assert "is refused" in said
        await attack.nothing_left()


async def test_a_redirect_to_the_inside_is_refused(attacking: Attacking) -> None:
    asked: list[str] = []

    async def inside(request: web.BaseRequest) -> web.Response:
        asked.append(request.path)
        return web.Response(body=b"crown jewels")

    async with answering(inside) as target:

        async def answer(_: web.BaseRequest) -> web.Response:
            raise web.HTTPFound(f"http://127.0.0.2:{target.rpartition(':')[2]}/latest/meta-data")

        async with answering(answer) as address:
            lenient = SourcePolicy(allow_http=True, allowed_addresses=("127.0.0.1",))
            tenancy = Tenancy(repositories=(f"http://{address}",), sources=lenient)
            async with attacking(Sources(), tenancy=tenancy) as attack:
                chart = {"name": "evil", "repository": f"http://{address}"}
                said = await attack.attempt("ChartSourceNotAllowed", chart=chart)

    assert "127.0.0.2 is refused" in said
    assert asked == []


async def test_an_archive_without_a_digest_is_refused(attacking: Attacking) -> None:
    async with attacking() as attack:
        chart = attack.serve(config_map("loot"), digests=False)
        said = await attack.attempt("ChartSourceNotAllowed", chart=chart)

        assert "no digest" in said
        assert {url for url, _ in attack.web.asked} == {f"{EVIL}/index.yaml"}
        await attack.nothing_left()


@pytest.mark.parametrize(
    "name",
    ["../kube-system/default", "b:admin", "system:serviceaccount:kube-system:x", "a/b", "", "A", "a\nb"],
)
async def test_no_service_account_of_others_can_be_named(attacking: Attacking, name: str) -> None:
    async with attacking() as attack:
        with pytest.raises(Invalid, match="serviceAccountName"):
            await attack.mallory.create(collector("amp", attack.team_a, serviceAccountName=name))


@pytest.mark.parametrize("name", ["../b/crown-jewels", "b/crown-jewels"])
async def test_no_secret_of_others_can_be_named(attacking: Attacking, name: str) -> None:
    async with attacking() as attack:
        for spec in (
            {"chart": {"repository": EVIL, "secretRef": {"name": name}}},
            {"valuesFrom": [{"kind": "Secret", "name": name}]},
        ):
            with pytest.raises(ApiError, match="name"):
                await attack.mallory.create(collector("amp", attack.team_a, **spec))


async def test_credentials_of_the_operator_are_not_sent_to_a_repository_of_the_attacker(
    attacking: Attacking,
) -> None:
    login = Key("default", f"charts-{WHO}")
    source = ClusterSource(url="https://charts.example.com", credentials=login)
    async with attacking(otherwise=source) as attack:
        secret = Secret(
            metadata=ObjectMeta(name=login.name, namespace=login.namespace), string_data={"token": "s3cret"}
        )
        await attack.trial.client.create(secret)
        chart = attack.serve(config_map("mine"))
        await attack.mallory.create(collector("amp", attack.team_a, chart=chart))
        await attack.trial.ready(Collector, "amp")

        assert {sent for _, sent in attack.web.asked} == {""}
        await attack.trial.client.delete(Secret, login.name, login.namespace)


async def test_who_waits_for_what_is_not_allowed_keeps_nobody_from_it(attacking: Attacking) -> None:
    async with attacking() as attack:
        await attack.attempt("TenantNotAllowed", tenant=attack.team_b)
        theirs = collector("theirs", attack.team_b)
        theirs.metadata.namespace = attack.team_b
        await attack.trial.client.create(theirs)

        async def is_ready() -> bool:
            found = await attack.trial.client.get(Collector, "theirs", attack.team_b)
            return reason(found) == "InstallSucceeded"

        await until(is_ready, patience=20)
        await attack.trial.client.delete(Collector, "theirs", attack.team_b)
        await until(partial(is_gone, attack, attack.team_b), patience=20)


class SlowCharts(Sources):
    """Fetches nothing from elsewhere before it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.fetching = self.most = 0

    @override
    async def fetch(self, wanted: Wanted) -> Chart:
        if wanted.origin != EVIL:
            return await super().fetch(wanted)
        self.fetching += 1
        self.most = max(self.most, self.fetching)
        try:
            await self.go.wait()
        finally:
            self.fetching -= 1
        raise ChartError("there is nothing")


async def test_what_is_no_chart_is_told_without_a_path_of_the_operator(attacking: Attacking) -> None:
    async with attacking() as attack:
        attack.web.files |= repository(EVIL, {("evil", "1.0.0"): b"no archive"})
        chart = {"name": "evil", "repository": EVIL, "version": "1.0.0"}
        said = await attack.attempt("ChartFetchFailed", chart=chart)
        assert said == f"chart evil 1.0.0 of {EVIL} is no .tgz archive: Not a gzipped file (b'no')"

        for path, told in (
            ("collector/templates", "collector/templates is no chart: "),
            ("nowhere", "there is no chart at nowhere: "),
        ):
            other = MergePatch({"spec": {"chart": {"repository": None, "version": None, "path": path}}})
            await attack.mallory.patch(Collector, "amp", other, attack.team_a)
            found = await attack.trial.until(Collector, "amp", partial(says, told))
            assert message(found).startswith(told)
        assert len([url for url, _ in attack.web.asked if url.endswith(".tgz")]) == 1


def says(told: str, resource: Collector) -> bool:
    return told in message(resource)


def message(resource: Collector) -> str:
    found = find_condition(resource.status.conditions, "Ready")
    return found.message if found else ""


async def test_slow_repositories_of_one_tenant_do_not_occupy_every_worker(attacking: Attacking) -> None:
    charts = SlowCharts()
    async with attacking(charts) as attack:
        chart = {"name": "evil", "repository": EVIL, "version": "1.0.0"}
        names = [f"slow-{number}" for number in range(12)]  # more than there are workers
        for name in names:
            await attack.mallory.create(collector(name, attack.team_a, instance=name, chart=chart))

        async def queued() -> bool:
            found = await attack.trial.client.list(Collector, attack.team_a)
            return [reason(each) for each in found].count("Queued") == len(names)

        await until(queued, patience=20)
        await attack.mallory.create(collector("amp", attack.team_a))
        await attack.trial.ready(Collector, "amp")
        assert charts.most == 3
        charts.go.set()
        for name in names:
            await attack.trial.until(Collector, name, lambda each: reason(each) == "ChartFetchFailed")


async def is_gone(attack: Attack, namespace: str) -> bool:
    return not (await attack.trial.client.list(Collector, namespace)).items


async def test_a_move_elsewhere_removes_nothing_there(attacking: Attacking) -> None:
    async with attacking() as attack:
        trial = attack.trial
        theirs = collector("theirs", attack.team_b)
        theirs.metadata.namespace = attack.team_b
        await trial.client.create(theirs)
        await attack.mallory.create(collector("amp", attack.team_a))
        await trial.ready(Collector, "amp")
        await until(partial(is_deployed, trial, attack.team_b), patience=20)
        move = MergePatch({"spec": {"tenant": {"reference": attack.team_b}}})
        await attack.mallory.patch(Collector, "amp", move, attack.team_a)
        await attack.refused("TenantNotAllowed")
        stays = await deployed(trial, release_in(trial))
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await trial.gone(Collector, "amp")

        assert stays is not None
        assert await left(trial, release_in(trial)) == []
        assert await is_deployed(trial, attack.team_b)
        await trial.client.delete(Collector, "theirs", attack.team_b)
        await until(partial(is_gone, attack, attack.team_b), patience=20)


async def is_deployed(trial: Trial, namespace: str) -> bool:
    return await deployed(trial, Key(namespace, RELEASE)) is not None


async def test_a_forged_status_removes_nothing_of_others(attacking: Attacking) -> None:
    async with attacking() as attack:
        trial = attack.trial
        other = Deployment.from_wire(
            {
                "metadata": {
                    "name": RELEASE,
                    "namespace": attack.team_b,
                    "annotations": {
                        "meta.helm.sh/release-name": RELEASE,
                        "meta.helm.sh/release-namespace": attack.team_b,
                    },
                },
                "spec": {
                    "selector": {"matchLabels": {"a": "b"}},
                    "template": {
                        "metadata": {"labels": {"a": "b"}},
                        "spec": {"containers": [{"name": "a", "image": "a"}]},
                    },
                },
            }
        )
        await trial.client.create(other)
        await attack.mallory.create(collector("amp", attack.team_a))
        await trial.ready(Collector, "amp")
        trial.network.partition()
        release = {"name": RELEASE, "namespace": attack.team_b, "revision": 1, "serviceAccount": ""}
        resources = [
            {"apiVersion": "apps/v1", "kind": "Deployment", "name": RELEASE, "namespace": attack.team_b}
        ]
        forged = MergePatch({"status": {"release": release, "resources": resources}})
        await trial.client.status.patch(Collector, "amp", forged)
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        trial.network.heal()

        await attack.refused("Forbidden")
        assert await is_deployed(trial, attack.team_b)
        mended = MergePatch({"status": {"release": {**release, "namespace": attack.team_a}}})
        await trial.client.status.patch(Collector, "amp", mended)
        await trial.gone(Collector, "amp")


@pytest.mark.parametrize(
    "forged",
    [
        {"release": {"serviceAccount": "a/b"}},
        {"release": {"serviceAccount": "system:masters"}},
        {"resources": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "../../b/secrets/crown"}]},
        {"resources": [{"apiVersion": "", "kind": "", "name": "x"}]},
    ],
)
async def test_a_status_that_makes_no_sense_keeps_no_collector_from_deletion(
    attacking: Attacking, forged: dict[str, Any]
) -> None:
    async with attacking() as attack:
        trial = attack.trial
        await attack.mallory.create(collector("amp", attack.team_a))
        await trial.ready(Collector, "amp")
        trial.network.partition()
        await trial.client.status.patch(Collector, "amp", MergePatch({"status": forged}))
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        trial.network.heal()

        await trial.gone(Collector, "amp")
        assert await left(trial, release_in(trial)) == []


async def test_a_name_that_leads_elsewhere_is_a_chart_that_does_not_render(attacking: Attacking) -> None:
    async with attacking() as attack:
        chart = attack.serve(config_map('"../../../vault/secrets/crown"'))
        assert "metadata.name" in await attack.attempt("RenderFailed", chart=chart)
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await attack.trial.gone(Collector, "amp")


async def test_a_release_of_which_an_object_is_missing_is_not_available(attacking: Attacking) -> None:
    async with attacking() as attack:
        trial = attack.trial
        await attack.mallory.create(collector("amp", attack.team_a))
        await trial.ready(Collector, "amp")
        await trial.settled()  # so that the record was read while it could be
        await revoke(trial, "admin-default", "default")
        await trial.client.delete(Deployment, RELEASE)
        await attack.refused("Forbidden")

        def is_unavailable(found: Collector) -> bool:
            condition = find_condition(found.status.conditions, "Available")
            return condition is not None and condition.status == "False" and "Deployment" in condition.message

        await trial.until(Collector, "amp", is_unavailable)
        await grant(trial.client, attack.team_a)
        await trial.ready(Collector, "amp", within=timedelta(seconds=40))


async def test_more_records_than_a_history_has_are_not_read(attacking: Attacking) -> None:
    async with attacking() as attack:
        trial = attack.trial
        labels = {"owner": "helm", "name": RELEASE, "status": "superseded"}
        for number in range(1, 40):
            named = ObjectMeta(
                name=f"sh.helm.release.v1.{RELEASE}.v{number}", labels={**labels, "version": str(number)}
            )
            filler = {"release": "x" * 1_000_000}
            await trial.client.create(ReleaseRecord(metadata=named, type="helm.sh/release.v1", data=filler))
        assert "larger than 32 MiB together" in await attack.attempt("ApplyFailed")
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await trial.gone(Collector, "amp")


async def test_a_release_whose_account_has_lost_its_rights_stays_until_it_has_them_again(
    attacking: Attacking,
) -> None:
    async with attacking() as attack:
        trial = attack.trial
        with suppress(AlreadyExists):  # a controller may make it
            await trial.client.create(ServiceAccount(metadata=ObjectMeta(name="default")))
        await attack.mallory.create(collector("amp", attack.team_a))
        await trial.ready(Collector, "amp")
        await trial.settled()  # so that the record was read while it could be
        await revoke(trial, "admin-default", "default")
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        said = await attack.refused("Forbidden")
        stays = await deployed(trial, release_in(trial))
        await grant(trial.client, attack.team_a)
        await trial.gone(Collector, "amp")

        assert "cannot list resource" in said
        assert stays is not None
        assert await left(trial, release_in(trial)) == []


async def test_a_release_stays_while_its_account_may_not_delete_a_part_of_it(attacking: Attacking) -> None:
    async with attacking() as attack:
        trial = attack.trial
        named: dict[str, Any] = {"name": "partly", "namespace": attack.team_a}
        rights = [
            PolicyRule(api_groups=[""], resources=["secrets", "services"], verbs=list(EVERYTHING)),
            PolicyRule(api_groups=["apps"], resources=["deployments"], verbs=list(EVERYTHING)),
        ]
        await trial.client.create(ServiceAccount(metadata=ObjectMeta(**named)))
        role = await trial.client.create(Role(metadata=ObjectMeta(**named), rules=rights))
        binding = RoleBinding(
            metadata=ObjectMeta(**named),
            role_ref=RoleRef(api_group=RBAC, kind="Role", name="partly"),
            subjects=[Subject(kind="ServiceAccount", **named)],
        )
        await trial.client.create(binding)
        await attack.mallory.create(collector("amp", attack.team_a, serviceAccountName="partly"))
        await trial.ready(Collector, "amp")
        role.rules = rights[:1]
        role = await trial.client.update(role)
        await lost(trial, "partly", Deployment)
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        said = await attack.refused("Forbidden")
        stays = await deployed(trial, release_in(trial))
        role.rules = rights
        await trial.client.update(role)
        await trial.gone(Collector, "amp")

        assert "deployments" in said
        assert stays is not None
        assert await left(trial, release_in(trial)) == []


async def test_a_collector_whose_account_is_gone_can_be_deleted(attacking: Attacking) -> None:
    async with attacking() as attack:
        trial = attack.trial
        await grant(trial.client, attack.team_a, "leaver")
        made = collector("amp", attack.team_a, serviceAccountName="leaver")
        await attack.mallory.create(made)
        await trial.ready(Collector, "amp")
        await revoke(trial, "admin-leaver", "leaver")
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await trial.gone(Collector, "amp")

        await until(partial(attack.told, "UninstallSkipped"), patience=20)
        records = await trial.client.list(ReleaseRecord, attack.team_a, labels=f"owner=helm,name={RELEASE}")
        assert [each.state for each in records] == ["deployed"]  # for `helm uninstall`


async def test_a_namespace_that_the_operator_creates_belongs_to_the_tenant(attacking: Attacking) -> None:
    async with attacking(tenancy=LENIENT) as attack:
        tenant = f"{attack.team_a}-made"
        await attack.mallory.create(collector("amp", tenant))
        await attack.trial.ready(Collector, "amp")
        found = await attack.trial.client.get(Namespace, tenant)
        binding = await attack.trial.client.get(RoleBinding, f"collector:{attack.team_a}:default", tenant)

        assert found.metadata.annotations["example.com/created-for"] == attack.team_a
        assert [(each.name, each.namespace) for each in binding.subjects] == [("default", attack.team_a)]
        await attack.trial.client.delete(Namespace, tenant)


async def test_values_that_nest_deeply_are_deployed(attacking: Attacking) -> None:
    async with attacking() as attack:
        values: Any = 1
        for _ in range(190):  # the server in this process takes 200 levels
            values = {"a": values}
        chart = attack.serve(config_map("mine", data="{{ .Values | toJson | len | quote }}"))
        await attack.mallory.create(collector("amp", attack.team_a, chart=chart, values=values))
        await attack.trial.ready(Collector, "amp")

        assert int((await attack.trial.client.get(ConfigMap, "mine")).data["loot"]) > 190 * len('{"a":}')


async def test_a_collector_that_nests_too_deeply_stops_no_other(attacking: Attacking) -> None:
    """The server in this process refuses it; the real one stores 10,000 levels."""
    async with attacking() as attack:
        chart = attack.serve(config_map("mine"))
        whole = collector("amp", attack.team_a, chart=chart, values={"deep": 0}).to_wire()
        deep = orjson.dumps(whole).replace(b'"deep":0', b'"deep":' + b'{"a":' * 1500 + b"0" + b"}" * 1500)
        request = Request(
            method="POST",
            path=Collector.__kind__.path("", attack.team_a),
            headers={"Content-Type": "application/json"},
            body=deep,
        )
        if (await attack.mallory.transport.send(request)).status != HTTPStatus.CREATED:
            return
        await until(attack.undecodable, patience=20)
        await attack.mallory.create(collector("other", attack.team_a, chart=chart))
        await attack.trial.ready(Collector, "other")
        await attack.mallory.delete(Collector, "amp", attack.team_a)
        await attack.trial.gone(Collector, "amp")
