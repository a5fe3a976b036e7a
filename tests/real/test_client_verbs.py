"""Every verb on the real server: on built-in kinds, on a kind of our own, and untyped."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from real import GADGETS, Gadget, GadgetSpec, OldGadget, Part, administrator, settled
from windlass.api import Model, ObjectMeta, Quantity, Resource, Selector, Untyped
from windlass.client import (
    NO_RETRY,
    DeleteOptions,
    JsonPatch,
    ListOptions,
    MergePatch,
    StrategicPatch,
    WatchOptions,
)
from windlass.errors import (
    AlreadyExists,
    ApiError,
    BadRequest,
    Conflict,
    Invalid,
    NotFound,
    ServerTimeout,
    TooLarge,
    UnsupportedMediaType,
)
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.coordination.v1 import Lease, LeaseSpec
from windlass.kinds.core.v1 import (
    ConfigMap,
    Container,
    Namespace,
    Pod,
    PodSpec,
    ResourceRequirements,
    Secret,
    Service,
    ServiceAccount,
    ServicePort,
    ServiceSpec,
)
from windlass.kinds.policy.v1 import PodDisruptionBudget, PodDisruptionBudgetSpec
from windlass.kinds.rbac.v1 import ClusterRole, PolicyRule
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.testing import Access

NOW = timedelta()


@pytest.fixture(autouse=True)
async def quiet() -> AsyncIterator[None]:
    """Each test is over when its connections are."""
    async with settled():
        yield


@pytest.fixture
def warnings() -> list[str]:
    """What the server warned of."""
    return []


@pytest.fixture
async def client(control_plane: Access, namespace: str, warnings: list[str]) -> AsyncIterator[Client]:
    """An administrator's client in this test's namespace."""
    async with administrator(
        control_plane, namespace, on_warning=lambda _request, text: warnings.append(text)
    ) as made:
        yield made


@pytest.fixture
async def gadgets(client: Client, warnings: list[str]) -> None:
    """The kind of our own is installed."""
    await install_kinds(client, GADGETS)
    warnings.clear()


def config_map(name: str, data: dict[str, str] | None = None, **labels: str) -> ConfigMap:
    made = ConfigMap(metadata=ObjectMeta(name=name))
    made.metadata.labels.update(labels)  # nobody who applies `{}` can share an object with others
    made.data.update(data or {})
    return made


def gadget(name: str = "a", **spec: Any) -> Gadget:
    return Gadget(metadata=ObjectMeta(name=name), spec=GadgetSpec(**spec))


def deployment(*images: str) -> Deployment:
    labels = {"app": "web"}
    containers = [{"name": f"c{index}", "image": image} for index, image in enumerate(images)]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    return Deployment.from_wire({"metadata": {"name": "web"}, "spec": spec})


def images_of(found: Deployment) -> dict[str, str | None]:
    spec = found.spec.template.spec
    return {each.name: each.image for each in spec.containers} if spec else {}


def pod(name: str = "a", **container: Any) -> Pod:
    containers = [Container(name="main", image="example.com/app:1", **container)]
    spec = PodSpec(containers=containers, automount_service_account_token=False)
    return Pod(metadata=ObjectMeta(name=name), spec=spec)


@pytest.mark.usefixtures("gadgets")
@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        (ConfigMap, {"data": {"a": "1"}}, {"data": {"a": "2"}}),
        (Gadget, {"spec": {"size": 1}}, {"spec": {"size": 2}}),
        (Untyped.of(ConfigMap.__kind__), {"data": {"a": "1"}}, {"data": {"a": "2"}}),
        (Untyped.of(Gadget.__kind__), {"spec": {"size": 1}}, {"spec": {"size": 2}}),
    ],
    ids=["built-in", "custom", "untyped built-in", "untyped custom"],
)
async def test_each_verb_serves_every_sort_of_kind(
    client: Client, namespace: str, kind: type[Resource], first: dict[str, Any], second: dict[str, Any]
) -> None:
    def has(found: Resource, part: dict[str, Any]) -> bool:
        wire = found.to_wire()
        return all(wire[key].items() >= value.items() for key, value in part.items())

    created = await client.create(kind.from_wire({"metadata": {"name": "a"}, **first}))
    assert (created.metadata.namespace, has(created, first)) == (namespace, True)
    assert (await client.get(kind, "a")).to_wire() == created.to_wire()
    assert [each.metadata.uid for each in await client.list(kind, namespace)] == [created.metadata.uid]

    updated = await client.update(kind.from_wire({**created.to_wire(), **second}))
    assert has(updated, second)
    assert updated.metadata.resource_version != created.metadata.resource_version
    assert has(await client.patch(kind, "a", MergePatch(first)), first)
    field = next(iter(second))
    operations = [{"op": "replace", "path": f"/{field}", "value": second[field]}]
    assert has(await client.patch(kind, "a", JsonPatch(operations)), second)
    applied = await client.apply(kind.from_wire({"metadata": {"name": "a"}, **first}), force=True)
    assert has(applied, first)

    assert await client.delete(kind, "a") is None
    with pytest.raises(NotFound):
        await client.get(kind, "a")


async def test_a_list_takes_label_and_field_selectors(client: Client, namespace: str) -> None:
    for name, tier in (("a", "web"), ("b", "web"), ("c", "db")):
        await client.create(config_map(name, tier=tier))

    async def names(labels: str | Selector = "", fields: str = "") -> list[str]:
        found = await client.list(ConfigMap, namespace, labels=labels, fields=fields)
        return [each.metadata.name for each in found]

    assert await names("tier in (web, cache)") == ["a", "b"]
    assert await names(Selector.parse("tier!=web")) == ["c"]
    assert await names("tier=web", "metadata.name!=a") == ["b"]
    assert await names("tier=none") == []


@pytest.mark.usefixtures("gadgets")
async def test_a_list_takes_the_selectable_fields_of_a_custom_kind(client: Client, namespace: str) -> None:
    await asyncio.gather(*(client.create(gadget(f"g{size}", size=size)) for size in range(3)))

    found = await client.list(Gadget, namespace, fields="spec.size=2")

    assert [each.metadata.name for each in found] == ["g2"]


async def test_pages_show_one_snapshot_while_the_collection_changes(client: Client, namespace: str) -> None:
    for name in "abcde":
        await client.create(config_map(name))

    pages = []
    async for page in client.pages(ConfigMap, namespace, options=ListOptions(page_size=2)):
        pages.append(page)
        if len(pages) == 1:
            await client.delete(ConfigMap, "d")
            await client.create(config_map("bb"))
            await client.patch(ConfigMap, "e", MergePatch({"data": {"changed": "yes"}}))

    assert [[each.metadata.name for each in page] for page in pages] == [["a", "b"], ["c", "d"], ["e"]]
    assert len({page.resource_version for page in pages}) == 1
    assert [page.remaining for page in pages] == [3, 1, None]
    assert pages[2].items[0].data == {}


async def test_a_list_can_be_of_a_certain_version(client: Client, namespace: str) -> None:
    first = await client.create(config_map("a"))
    second = await client.create(config_map("b"))

    async def names(**options: Any) -> list[str]:
        found = await client.list(ConfigMap, namespace, options=ListOptions(**options))
        return [each.metadata.name for each in found]

    then, later = first.metadata.resource_version, second.metadata.resource_version
    assert await names(resource_version=then, resource_version_match="Exact") == ["a"]
    assert await names(resource_version=later, resource_version_match="NotOlderThan") == ["a", "b"]
    assert await names() == ["a", "b"]
    assert set(await names(resource_version="0")) <= {"a", "b"}


async def test_a_version_that_the_server_has_not_reached_is_a_timeout(
    control_plane: Access, namespace: str
) -> None:
    options = ListOptions(resource_version=str(10**12), resource_version_match="NotOlderThan")

    async with administrator(control_plane, namespace, retry=NO_RETRY) as impatient:
        with pytest.raises(ServerTimeout, match="Too large resource version"):
            await impatient.list(ConfigMap, namespace, options=options)


async def test_a_server_makes_up_a_name(client: Client) -> None:
    made = await client.create(ConfigMap(metadata=ObjectMeta(generate_name="made-")))

    assert made.metadata.name.startswith("made-")
    assert (await client.get(ConfigMap, made.metadata.name)).metadata.uid == made.metadata.uid


async def test_a_dry_run_changes_nothing(client: Client) -> None:
    dry = client.using(dry_run=True)
    kept = await client.create(config_map("a", {"x": "1"}))

    assert (await dry.create(config_map("b"))).metadata.uid
    assert (await dry.update(config_map("a", {"x": "2"}))).data == {"x": "2"}
    assert (await dry.apply(config_map("a", {"x": "3"}), force=True)).data == {"x": "3"}
    assert (await dry.patch(ConfigMap, "a", MergePatch({"data": None}))).data == {}
    await dry.delete(ConfigMap, "a")
    await dry.delete_collection(ConfigMap)

    assert (await client.get(ConfigMap, "a")).to_wire() == kept.to_wire()
    with pytest.raises(NotFound):
        await client.get(ConfigMap, "b")


@pytest.mark.usefixtures("gadgets")
@pytest.mark.parametrize("made", [config_map("a", {"x": "1"}), gadget(), deployment("one:1")], ids=str)
async def test_an_update_that_changes_nothing_keeps_the_version(client: Client, made: Resource) -> None:
    created = await client.create(made)

    again = await client.update(await client.get(type(made), created.metadata.name))

    assert again.metadata.resource_version == created.metadata.resource_version


async def test_an_object_listed_without_managed_fields_keeps_them_on_the_server(
    client: Client, namespace: str
) -> None:
    await client.using(field_manager="owner").apply(config_map("a", {"x": "1"}))
    (listed,) = await client.list(ConfigMap, namespace)
    assert listed.metadata.managed_fields == []

    listed.data["y"] = "2"
    updated = await client.update(listed)

    managers = {
        entry["manager"]: entry["fieldsV1"]["f:data"].keys() for entry in updated.metadata.managed_fields
    }
    assert managers == {"owner": {"f:x"}, "windlass": {"f:y"}}


async def test_a_failed_test_in_a_json_patch_changes_nothing(client: Client) -> None:
    await client.create(config_map("a", {"x": "1"}))
    operations = [
        {"op": "test", "path": "/data/x", "value": "2"},
        {"op": "replace", "path": "/data/x", "value": "3"},
    ]

    with pytest.raises(Invalid, match="test"):
        await client.patch(ConfigMap, "a", JsonPatch(operations))
    assert (await client.get(ConfigMap, "a")).data == {"x": "1"}


async def test_a_merge_patch_removes_what_is_none_and_replaces_lists(client: Client) -> None:
    await client.create(deployment("one:1", "two:1"))
    template = {"spec": {"containers": [{"name": "c1", "image": "two:2"}]}}

    patch = MergePatch({"spec": {"revisionHistoryLimit": None, "template": template}})
    patched = await client.patch(Deployment, "web", patch)

    assert images_of(patched) == {"c1": "two:2"}


async def test_a_strategic_patch_merges_lists_by_key_and_only_of_built_in_kinds(
    client: Client, gadgets: None
) -> None:
    await client.create(deployment("one:1", "two:1"))
    await client.create(gadget())
    template = {"spec": {"containers": [{"name": "c1", "image": "two:2"}]}}

    patched = await client.patch(Deployment, "web", StrategicPatch({"spec": {"template": template}}))

    assert images_of(patched) == {"c0": "one:1", "c1": "two:2"}
    with pytest.raises(UnsupportedMediaType):
        await client.patch(Gadget, "a", StrategicPatch({"spec": {"size": 2}}))


@pytest.mark.usefixtures("gadgets")
async def test_apply_owns_what_it_sets_and_drops_what_it_no_longer_sets(client: Client) -> None:
    parts = [Part(name="wheel", amount=Quantity("4")), Part(name="door")]
    applied = await client.apply(gadget(size=3, parts=parts))

    (entry,) = (each for each in applied.metadata.managed_fields if each["manager"] == "windlass")
    assert entry["operation"] == "Apply"
    assert set(entry["fieldsV1"]["f:spec"]) == {"f:size", "f:parts"}

    again = await client.apply(gadget(parts=parts[1:]))
    assert [part.name for part in again.spec.parts] == ["door"]
    assert again.spec.size == 1  # the default of the schema


async def test_a_field_that_two_managers_apply_stays_when_one_stops(client: Client) -> None:
    one, two = client.using(field_manager="one"), client.using(field_manager="two")
    await one.apply(config_map("a", {"both": "1", "one": "1"}))
    await two.apply(config_map("a", {"both": "1"}))

    left = await one.apply(config_map("a"))

    assert left.data == {"both": "1"}


async def test_apply_takes_a_field_over_by_force_only(client: Client) -> None:
    one, two = client.using(field_manager="one"), client.using(field_manager="two")
    await one.apply(config_map("a", {"x": "1"}))

    with pytest.raises(Conflict, match='conflict with "one"'):
        await two.apply(config_map("a", {"x": "2"}))
    taken = await two.apply(config_map("a", {"x": "2"}), force=True)

    owners = [each["manager"] for each in taken.metadata.managed_fields if "f:data" in each["fieldsV1"]]
    assert (taken.data, owners) == ({"x": "2"}, ["two"])


async def test_apply_changes_nothing_the_second_time(client: Client) -> None:
    first = await client.apply(deployment("one:1"))
    second = await client.apply(deployment("one:1"))

    assert second.metadata.resource_version == first.metadata.resource_version


async def test_delete_means_only_the_object_of_its_preconditions(client: Client) -> None:
    old = await client.create(config_map("a"))
    new = await client.patch(ConfigMap, "a", MergePatch({"data": {"x": "1"}}))

    with pytest.raises(Conflict, match="UID"):
        await client.delete(ConfigMap, "a", options=DeleteOptions(uid="another"))
    stale = DeleteOptions(resource_version=old.metadata.resource_version)
    with pytest.raises(Conflict, match="ResourceVersion"):
        await client.delete(ConfigMap, "a", options=stale)
    meant = DeleteOptions(uid=new.metadata.uid, resource_version=new.metadata.resource_version)
    assert await client.delete(ConfigMap, "a", options=meant) is None


async def test_an_object_with_a_finalizer_is_still_there_until_it_is_removed(client: Client) -> None:
    metadata = ObjectMeta(name="a", finalizers=["example.com/wait"])
    await client.create(ConfigMap(metadata=metadata))

    left = await client.delete(ConfigMap, "a")

    assert left is not None
    assert left.metadata.deletion_timestamp is not None
    left.metadata.finalizers.clear()
    await client.update(left)
    with pytest.raises(NotFound):
        await client.get(ConfigMap, "a")


@pytest.mark.parametrize(
    ("policy", "finalizers"),
    [("Background", None), ("Foreground", ["foregroundDeletion"]), ("Orphan", ["orphan"])],
)
async def test_each_propagation_does_what_it_says(
    client: Client, policy: Any, finalizers: list[str] | None
) -> None:
    await client.create(config_map("a"))

    left = await client.delete(ConfigMap, "a", options=DeleteOptions(propagation=policy))

    assert (left.metadata.finalizers if left else None) == finalizers


@pytest.mark.parametrize(
    "resource",
    [
        config_map("a"),
        pod(),
        ServiceAccount(metadata=ObjectMeta(name="a")),
        Service(metadata=ObjectMeta(name="a"), spec=ServiceSpec(ports=[ServicePort(port=80)])),
    ],
    ids=str,
)
async def test_delete_returns_nothing_when_the_object_is_gone(client: Client, resource: Resource) -> None:
    await client.create(resource)

    assert await client.delete(type(resource), "a", options=DeleteOptions(grace_period=NOW)) is None
    with pytest.raises(NotFound):
        await client.get(type(resource), "a")


async def test_delete_returns_what_waits_for_something(client: Client) -> None:
    created = await client.create(pod())
    binding = {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": "a"},
        "target": {"kind": "Node", "name": "somewhere"},
    }
    await client.subresource("binding").post_form(Pod, "a", created.metadata.namespace, binding)
    short_of_a_second = DeleteOptions(grace_period=timedelta(milliseconds=300))

    leaving = await client.delete(Pod, "a", options=short_of_a_second)
    space = await client.create(Namespace(metadata=ObjectMeta(generate_name="test-")))
    ending = await client.delete(Namespace, space.metadata.name)

    assert leaving is not None
    assert leaving.metadata.deletion_grace_period_seconds == 1
    assert (await client.get(Pod, "a")).metadata.deletion_timestamp is not None
    assert ending is not None
    assert ending.status.phase == "Terminating"


async def test_delete_collection_takes_what_is_selected_in_one_namespace(
    client: Client, namespace: str
) -> None:
    for name, tier in (("a", "web"), ("b", "web"), ("c", "db")):
        await client.create(config_map(name, tier=tier))
    elsewhere = await client.create(
        ConfigMap(metadata=ObjectMeta(generate_name="kept-", namespace="default", labels={"tier": "web"}))
    )

    await client.delete_collection(ConfigMap, labels="tier=web", fields="metadata.name!=b")

    assert [each.metadata.name for each in await client.list(ConfigMap, namespace)] == ["b", "c"]
    assert await client.delete(ConfigMap, elsewhere.metadata.name, "default") is None


@pytest.mark.usefixtures("gadgets")
async def test_the_status_of_a_custom_kind_is_written_apart(client: Client) -> None:
    made = gadget(size=2)
    made.status.phase = "ignored"
    created = await client.create(made)
    assert created.status.phase == ""

    created.spec.size = 9
    created.status.phase = "Building"
    updated = await client.status.update(created)
    assert (updated.status.phase, updated.spec.size, updated.metadata.generation) == ("Building", 2, 1)

    patched = await client.status.patch(Gadget, "a", MergePatch({"status": {"replicas": 4}}))
    assert (patched.status.phase, patched.status.replicas) == ("Building", 4)

    wanted = Gadget(metadata=ObjectMeta(name="a"))
    wanted.status.phase = "Done"
    applied = await client.status.apply(wanted, force=True)
    assert (applied.status.phase, applied.status.replicas, applied.spec.size) == ("Done", 4, 2)
    entries = {(each["manager"], each.get("subresource")) for each in applied.metadata.managed_fields}
    assert ("windlass", "status") in entries
    assert (await client.status.get(Gadget, "a")).to_wire() == (await client.get(Gadget, "a")).to_wire()


class SlimSpec(Model):
    size: int = 0


class SlimGadget(Resource, group="client.example.com", version="v1", kind="Gadget"):
    """The same kind, as a program knows it that was written before most of its fields."""

    spec: SlimSpec


@pytest.mark.usefixtures("gadgets")
async def test_fields_that_a_type_does_not_know_survive_reading_changing_and_writing(client: Client) -> None:
    made = gadget(size=1, port="http", parts=[Part(name="wheel", amount=Quantity("500m"))])
    made.metadata.annotations["note"] = "kept"
    created = await client.create(made)
    created.status.phase = "Built"
    before = await client.status.update(created)

    slim = await client.get(SlimGadget, "a")
    slim.spec.size = 5
    await client.update(slim)

    after = await client.get(Gadget, "a")
    assert after.spec.size == 5
    after.spec.size = 1
    assert after.spec.to_wire() == before.spec.to_wire()
    assert after.status.to_wire() == before.status.to_wire()
    assert after.metadata.annotations == {"note": "kept"}


@pytest.mark.usefixtures("gadgets")
async def test_what_was_changed_in_place_inside_defaults_is_sent(client: Client) -> None:
    made = Gadget(metadata=ObjectMeta(name="a"))
    made.metadata.labels["tier"] = "web"
    made.spec.shell.paint.layers.append("blue")
    made.spec.shell.paint.notes["by"] = "hand"
    created = await client.create(made)
    assert created.metadata.labels == {"tier": "web"}
    assert (created.spec.shell.paint.layers, created.spec.shell.paint.notes) == (["blue"], {"by": "hand"})

    created.spec.shell.paint.layers.clear()
    del created.metadata.labels["tier"]
    created.spec.parts.append(Part(name="wheel"))
    updated = await client.update(created)

    read = await client.get(Gadget, "a")
    assert read.to_wire() == updated.to_wire()
    assert (read.spec.shell.paint.layers, read.metadata.labels) == ([], {})
    assert [part.name for part in read.spec.parts] == ["wheel"]


async def test_the_data_of_a_secret_is_bytes(client: Client) -> None:
    every = bytes(range(256))
    secret = Secret(metadata=ObjectMeta(name="a"), data={"every": every, "none": b""})
    secret.string_data["text"] = "schön"
    created = await client.create(secret)

    assert created.data == {"every": every, "none": b"", "text": "schön".encode()}
    assert created.string_data == {}
    created.data["every"] += b"!"
    assert (await client.update(created)).data["every"] == every + b"!"


async def test_quantities_keep_their_meaning(client: Client) -> None:
    limits = {"cpu": Quantity("1000m"), "memory": Quantity("1.5Gi"), "ephemeral-storage": Quantity("12e6")}
    created = await client.create(pod(resources=ResourceRequirements(limits=limits)))

    resources = created.spec.containers[0].resources
    assert resources is not None
    assert resources.limits == limits
    assert {key: each.to_wire() for key, each in resources.limits.items()} == {
        "cpu": "1",
        "memory": "1536Mi",
        "ephemeral-storage": "12e6",
    }
    assert resources.requests == limits  # the server's default


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 4, 5, 1, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        datetime(1970, 1, 1, tzinfo=UTC),
    ],
    ids=str,
)
async def test_the_times_of_a_lease_are_taken_to_the_microsecond(client: Client, moment: datetime) -> None:
    spec = LeaseSpec(holder_identity="me", acquire_time=moment, renew_time=moment)
    created = await client.create(Lease(metadata=ObjectMeta(name="a"), spec=spec))

    assert (created.spec.acquire_time, created.spec.renew_time) == (moment, moment)
    created.spec.renew_time = moment + timedelta(microseconds=1)
    assert (await client.update(created)).spec.renew_time == moment + timedelta(microseconds=1)


@pytest.mark.usefixtures("gadgets")
async def test_a_number_or_a_text_stays_what_it_is(client: Client) -> None:
    ports = [
        ServicePort(name="one", port=80, target_port=8080),
        ServicePort(name="two", port=81, target_port="http"),
    ]
    service = await client.create(Service(metadata=ObjectMeta(name="a"), spec=ServiceSpec(ports=ports)))
    budgets = [
        await client.create(
            PodDisruptionBudget(
                metadata=ObjectMeta(generate_name="a-"), spec=PodDisruptionBudgetSpec(min_available=least)
            )
        )
        for least in (1, "25%")
    ]
    gadgets = [await client.create(gadget(f"g{index}", port=port)) for index, port in enumerate((1, "1"))]

    assert [each.target_port for each in service.spec.ports] == [8080, "http"]
    assert [each.spec.min_available for each in budgets] == [1, "25%"]
    assert [each.spec.port for each in gadgets] == [1, "1"]


async def test_an_object_of_a_megabyte_goes_there_and_back(client: Client, namespace: str) -> None:
    data = {f"k{index:04}": "x" * 1000 + str(index) for index in range(1000)}
    created = await client.create(config_map("big", data))

    assert created.data == data
    (listed,) = await client.list(ConfigMap, namespace)
    assert listed.data == data
    listed.data["k0000"] = "changed"
    assert (await client.update(listed)).data["k0000"] == "changed"


@pytest.mark.parametrize(("megabytes", "error"), [(2, Invalid), (4, TooLarge)])
async def test_an_object_that_is_too_large_is_refused_as_such(
    client: Client, megabytes: int, error: type[ApiError]
) -> None:
    with pytest.raises(error):
        await client.create(config_map("big", {"x": "x" * megabytes * 2**20}))


async def test_two_hundred_requests_at_once_go_through_one_client(client: Client, namespace: str) -> None:
    names = [f"c{index:03}" for index in range(200)]

    await asyncio.gather(*(client.create(config_map(name, {"name": name})) for name in names))
    read = await asyncio.gather(*(client.get(ConfigMap, name) for name in names))

    assert [each.data["name"] for each in read] == names
    assert len(await client.list(ConfigMap, namespace)) == 200


async def test_one_of_many_creators_of_a_name_wins(client: Client) -> None:
    outcomes = await asyncio.gather(
        *(client.create(config_map("a", {"by": str(index)})) for index in range(20)), return_exceptions=True
    )

    made = [each for each in outcomes if isinstance(each, ConfigMap)]
    assert [type(each) for each in outcomes if each not in made] == [AlreadyExists] * 19
    assert (await client.get(ConfigMap, "a")).data == made[0].data


@pytest.mark.usefixtures("gadgets")
async def test_strict_validation_refuses_a_field_that_the_schema_does_not_know(
    client: Client, warnings: list[str]
) -> None:
    odd = Gadget.from_wire({"metadata": {"name": "a"}, "spec": {"size": 2, "siez": 3}})

    with pytest.raises(BadRequest, match=r'unknown field "spec\.siez"'):
        await client.using(field_validation="Strict").create(odd)
    created = await client.using(field_validation="Warn").create(odd)

    assert warnings == ['unknown field "spec.siez"']
    assert "siez" not in created.spec.to_wire()
    odd.metadata.resource_version = created.metadata.resource_version
    await client.using(field_validation="Ignore").update(odd)
    assert len(warnings) == 1


@pytest.mark.usefixtures("gadgets")
async def test_a_deprecated_version_is_warned_of(client: Client, namespace: str, warnings: list[str]) -> None:
    said = "use client.example.com/v1"
    await client.create(OldGadget(metadata=ObjectMeta(name="a")))
    assert warnings == [said]

    options = WatchOptions(initial_events=True)
    async with aclosing(client.watch(OldGadget, namespace, options=options)) as watch:
        await anext(watch)
    assert warnings == [said, said]

    await client.get(Gadget, "a")
    assert len(warnings) == 2


async def test_names_may_hold_what_kubernetes_allows(client: Client, namespace: str) -> None:
    name = f"system:{namespace}:a.b"
    rules = [PolicyRule(api_groups=[""], resources=["pods"], verbs=["get"])]
    await client.create(ClusterRole(metadata=ObjectMeta(name=name), rules=rules))

    assert (await client.get(ClusterRole, name)).rules == rules
    await client.patch(ClusterRole, name, MergePatch({"metadata": {"labels": {"a": "b"}}}))
    assert await client.delete(ClusterRole, name) is None
    with pytest.raises(NotFound):
        await client.get(ClusterRole, name)


@pytest.mark.parametrize("name", ["a/status", "..", "a%2fstatus", "a?watch=true", "a#b", "ä"])
async def test_no_name_leads_to_another_address(client: Client, name: str) -> None:
    await client.create(pod())

    with pytest.raises((ValueError, NotFound, BadRequest)):
        await client.get(Pod, name)
    with pytest.raises((ValueError, NotFound, BadRequest)):
        await client.get(Pod, "a", f"{name}/pods/a/..")
