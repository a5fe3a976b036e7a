"""What the real server serves, as it says itself in two ways, and as the built-in kinds say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from every_kind import every_class
from real import GADGETS, Gadget, OldGadget, administrator, settled
from windlass.api import Kind, ObjectMeta, Resource, Untyped
from windlass.client import ListOptions, Request, Served, discover, find_kind, server_version
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Node
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.testing import Access


@pytest.fixture(autouse=True)
async def quiet() -> AsyncIterator[None]:
    """Each test is over when its connections are."""
    async with settled():
        yield


@pytest.fixture
async def client(control_plane: Access, namespace: str) -> AsyncIterator[Client]:
    """An administrator's client in this test's namespace."""
    async with administrator(control_plane, namespace) as made:
        yield made


async def read(client: Client, path: str) -> Any:
    return await client.json(Request(method="GET", path=path))


def is_built_in(group: str) -> bool:
    """Whether a group is not one that some test defines meanwhile."""
    return "." not in group or group.endswith(".k8s.io")


async def classic(client: Client) -> dict[Kind, tuple[Served, tuple[str, ...]]]:
    """What the documents of old say, one for each version of each group; with the subresources."""
    found: dict[Kind, tuple[Served, tuple[str, ...]]] = {}
    groups: list[Any] = [{"versions": [{"groupVersion": "v1"}], "preferredVersion": {"groupVersion": "v1"}}]
    groups += [group for group in (await read(client, "/apis"))["groups"] if is_built_in(group["name"])]
    for group in groups:
        for version in group["versions"]:
            stated = version["groupVersion"]
            preferred = stated == group["preferredVersion"]["groupVersion"]
            listed = (await read(client, f"/apis/{stated}" if "/" in stated else "/api/v1"))["resources"]
            for resource in (each for each in listed if "/" not in each["name"]):
                served, below = _served(stated, resource, listed, preferred=preferred)
                found[served.kind] = served, below
    return found


def _served(
    stated: str, resource: dict[str, Any], listed: list[dict[str, Any]], *, preferred: bool
) -> tuple[Served, tuple[str, ...]]:
    group, _, version = stated.rpartition("/")
    name = resource["name"]
    below = sorted(
        each["name"].removeprefix(f"{name}/") for each in listed if each["name"].startswith(f"{name}/")
    )
    kind = Kind(group, version, resource["kind"], name, resource["namespaced"])
    served = Served(
        kind,
        tuple(resource["verbs"]),
        tuple(resource.get("shortNames", ())),
        tuple(resource.get("categories", ())),
        preferred=preferred,
    )
    return served, tuple(below)


async def test_discovery_agrees_with_the_classic_documents(client: Client) -> None:
    served = [each for each in await discover(client) if is_built_in(each.kind.group)]
    documents = await classic(client)

    assert len(served) == len(documents) > 60
    assert {each.kind: each for each in served} == {kind: each for kind, (each, _) in documents.items()}
    assert {each.kind: each.kind.subresources for each in served} == {
        kind: below for kind, (_, below) in documents.items()
    }


async def test_discovery_tells_custom_kinds_and_which_version_is_preferred(client: Client) -> None:
    await install_kinds(client, GADGETS)

    found = [each for each in await discover(client) if each.kind.group == "client.example.com"]

    assert [(each.kind, each.preferred) for each in found] == [
        (Gadget.__kind__, True),
        (OldGadget.__kind__, False),
    ]
    assert {each.kind.subresources for each in found} >= {("scale", "status")}
    assert "deletecollection" in found[0].verbs


async def test_a_kind_that_is_found_by_name_can_be_used(client: Client, namespace: str) -> None:
    await install_kinds(client, GADGETS)
    for known in (Deployment, ConfigMap, Node, Gadget):
        found = await find_kind(client, known.__kind__.api_version, known.__kind__.name)
        assert found.__kind__ == known.__kind__
        assert await client.list(found, namespace) is not None

    found = await find_kind(client, "client.example.com/v1", "Gadget")
    made = found(metadata=ObjectMeta(name="a"))
    made["spec"] = {"size": 4}
    created = await client.create(made)
    assert (created["spec"]["size"], (await client.get(Gadget, "a")).spec.size) == (4, 4)


@pytest.mark.parametrize(
    ("api_version", "name"),
    [("v1", "Podd"), ("apps/v1", "Pod"), ("apps/v9", "Deployment"), ("nowhere.invalid/v1", "Thing")],
)
async def test_a_kind_that_is_not_served_is_not_found(client: Client, api_version: str, name: str) -> None:
    with pytest.raises(NotFound):
        await find_kind(client, api_version, name)


async def test_the_server_tells_its_version(client: Client) -> None:
    version = await server_version(client)

    assert (version["major"], version["gitVersion"].split(".")[0]) == ("1", "v1")
    assert int(version["minor"]) >= 36


def typed_kinds() -> dict[tuple[str, str], type[Resource]]:
    """The built-in kinds by API version and name."""
    classes = (each for each in every_class() if issubclass(each, Resource))
    return {(each.__kind__.api_version, each.__kind__.name): each for each in classes}


async def test_each_built_in_kind_has_the_plural_scope_and_subresources_that_are_served(
    client: Client,
) -> None:
    served = {(each.kind.api_version, each.kind.name): each.kind for each in await discover(client)}
    known = typed_kinds()
    both = known.keys() & served.keys()

    assert len(both) > 50
    assert {key: known[key].__kind__ for key in both} == {key: served[key] for key in both}
    assert {key: known[key].__kind__.subresources for key in both} == {
        key: served[key].subresources for key in both
    }


async def test_each_stable_kind_that_is_served_has_a_class(client: Client) -> None:
    served = [each.kind for each in await discover(client) if is_built_in(each.kind.group)]
    stable = {(each.api_version, each.name) for each in served if each.version.lstrip("v").isdigit()}

    assert stable - typed_kinds().keys() == set()


def without_nulls(value: Any) -> Any:
    """An object without fields that are null, which means the same."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def in_order(objects: list[Any]) -> list[Any]:
    """Objects by their names; a ComponentStatus, made up on demand, comes in any order."""
    return sorted(objects, key=lambda each: (each["metadata"].get("namespace", ""), each["metadata"]["name"]))


async def listed_as_it_is(client: Client, kind: type[Resource]) -> int:
    """List a kind typed and untyped, compare each object with what the server sent, and count them."""
    known = kind.__kind__
    raw = await read(client, known.path())
    stated = {"apiVersion": known.api_version, "kind": known.name}
    wire = [without_nulls(item | stated) for item in raw["items"] or ()]
    version = raw["metadata"].get("resourceVersion")  # which a ComponentStatus, made up on demand, has not
    options = ListOptions(
        managed_fields=True,
        resource_version=version,
        resource_version_match="Exact" if version else None,
    )
    for form in (kind, Untyped.of(known)):
        found = await client.list(form, options=options)
        assert in_order([without_nulls(each.to_wire()) for each in found]) == in_order(wire)
    return len(wire)


async def test_each_built_in_kind_is_listed_and_comes_back_as_it_was(client: Client) -> None:
    known = typed_kinds()
    counts = {
        served.kind.name: await listed_as_it_is(client, known[served.kind.api_version, served.kind.name])
        for served in await discover(client)
        if "list" in served.verbs and (served.kind.api_version, served.kind.name) in known
    }

    assert len(counts) > 50
    held = {name for name, count in counts.items() if count}
    assert held >= {"APIService", "ClusterRole", "FlowSchema", "Namespace", "PriorityClass", "Service"}
