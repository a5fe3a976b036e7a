"""What a definition says beyond its schema, on the real API server: names, versions, subresources, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from installed import installed, raw
from marker_page import app, probe
from windlass.client import (
    ClientOptions,
    Request,
    connect,
    discover,
    get_scale,
    load_config,
    set_scale,
)
from windlass.errors import BadRequest, NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.client import Client
    from windlass.testing import Access


@pytest.fixture
def group(namespace: str) -> str:
    """A group that no other test has."""
    return f"{namespace}.example.com"


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ("groupName", {"group": "shop.example.com"}),
        ("versionName", {"version": "v1alpha7"}),
        ("kubebuilder:resource (path)", {"plural": "applications"}),
        ("kubebuilder:resource (scope)", {"namespaced": False}),
        ("kubebuilder:resource (shortName)", {"short_names": ("ap",)}),
        ("kubebuilder:resource (categories)", {"categories": ("all",)}),
        ("kubebuilder:resource (singular)", {"singular": "application"}),
    ],
)
async def test_a_kind_is_served_under_its_names(
    marker: str, expected: dict[str, Any], control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group, fields="size: int = 1")
    plain = {
        "group": group,
        "version": "v1",
        "plural": "apps",
        "namespaced": True,
        "short_names": (),
        "categories": (),
        "singular": "app",
    }

    async with installed(control_plane, kind) as client:
        made = await client.create(raw(kind, namespace, spec={}))
        found = await told(client, kind)

    assert found == plain | expected
    assert made["spec"] == {"size": 1}


async def told(client: Client, kind: type[Resource]) -> dict[str, Any]:
    """What discovery tells about a kind."""
    known = kind.__kind__
    document = await client.json(Request(method="GET", path=f"/apis/{known.group}/{known.version}"))
    found = next(each for each in document["resources"] if each["name"] == known.plural)
    group, _, version = document["groupVersion"].partition("/")
    return {
        "group": group,
        "version": version,
        "plural": found["name"],
        "namespaced": found["namespaced"],
        "short_names": tuple(found.get("shortNames", ())),
        "categories": tuple(found.get("categories", ())),
        "singular": found["singularName"],
    }


async def test_the_status_is_written_apart_from_the_spec(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe("kubebuilder:subresource:status", group, fields="size: int = 1")

    async with installed(control_plane, kind) as client:
        made = await client.create(raw(kind, namespace, spec={"size": 2}, status={"size": 9}))
        assert "status" not in made
        made["status"], made["spec"]["size"] = {"size": 2, "unknown": 1}, 5
        written = await client.status.update(made)
        made = await client.get(type(made), "a", namespace)
        made["status"], made["spec"]["size"] = {"size": 7}, 3
        updated = await client.update(made)

    assert (written["spec"], written["status"]) == ({"size": 2}, {"size": 2})
    assert (updated["spec"], updated["status"]) == ({"size": 3}, {"size": 2})
    assert updated.metadata.generation == 2


async def test_without_the_subresource_the_status_is_written_with_the_rest(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = app(group, "definition=Definition(status=False)", fields="size: int = 1")

    async with installed(control_plane, kind) as client:
        made = await client.create(raw(kind, namespace, spec={}, status={"size": 9}))
        with pytest.raises(NotFound):
            await client.status.update(made)

    assert made["status"] == {"size": 9}


async def test_a_kind_can_be_scaled(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe("kubebuilder:subresource:scale", group, fields="size: int = 1")

    async with installed(control_plane, kind) as client:
        made = await client.create(raw(kind, namespace, spec={"size": 2}))
        made["status"] = {"size": 1, "selector": "app=a"}
        await client.status.update(made)
        before = await get_scale(client, kind, "a", namespace)
        await set_scale(client, kind, "a", 5, namespace)
        after = await client.get(type(made), "a", namespace)

    assert (before.spec.replicas, before.status.replicas, before.status.selector) == (2, 1, "app=a")
    assert after["spec"] == {"size": 5}


TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"


async def test_a_column_is_printed(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe("kubebuilder:printcolumn", group, fields="size: int = 1")

    async with installed(control_plane, kind) as client:
        await client.create(raw(kind, namespace, spec={"size": 4}))
        path = kind.__kind__.path(namespace=namespace)
        table = await client.json(Request(method="GET", path=path, headers={"Accept": TABLE}))

    name, size = table["columnDefinitions"]
    assert name["name"] == "Name"
    assert size == {
        "name": "Size",
        "type": "integer",
        "format": "int32",
        "description": "How many",
        "priority": 1,
    }
    assert [row["cells"] for row in table["rows"]] == [["a", 4]]


async def test_objects_are_stored_in_the_version_that_is_marked(
    control_plane: Access, namespace: str, group: str
) -> None:
    old = app(group, fields="", version="v1")
    new = probe("kubebuilder:storageversion", group, fields="size: int = 1", version="v2")

    async with installed(control_plane, old, new) as client:
        made = await client.create(raw(old, namespace, spec={"size": 4}))
        read = await client.get(type(raw(new, namespace)), "a", namespace)
        definition = await client.get(CustomResourceDefinition, f"apps.{group}")

    assert (made.api_version, read.api_version) == (f"{group}/v1", f"{group}/v2")
    assert read["spec"] == {"size": 4}
    assert definition.status.stored_versions == ["v2"]
    assert [(each.name, each.storage) for each in definition.spec.versions] == [("v1", False), ("v2", True)]


async def test_a_version_that_is_not_served_is_not_there(
    control_plane: Access, namespace: str, group: str
) -> None:
    gone = probe("kubebuilder:unservedversion", group, fields="size: int = 1", version="v1")
    new = probe("kubebuilder:storageversion", group, fields="size: int = 1", version="v2")

    async with installed(control_plane, gone, new) as client:
        await client.create(raw(new, namespace, spec={}))
        with pytest.raises(NotFound):
            await client.get(type(raw(gone, namespace)), "a", namespace)
        versions = [each.kind.version for each in await discover(client) if each.kind.group == group]

    assert versions == ["v2"]


async def test_a_deprecated_version_warns(control_plane: Access, namespace: str, group: str) -> None:
    old = probe("kubebuilder:deprecatedversion", group, fields="size: int = 1", version="v1")
    new = probe("kubebuilder:storageversion", group, fields="size: int = 1", version="v2")
    warnings: list[str] = []
    options = ClientOptions(on_warning=lambda _, warning: warnings.append(warning))

    async with (
        installed(control_plane, old, new),
        connect(load_config(control_plane.kubeconfig), options) as client,
    ):
        await client.list(new, namespace)
        assert warnings == []
        await client.list(old, namespace)

    assert warnings == ["App v1 is old; use v2"]


async def test_a_definition_has_its_own_labels_and_annotations(control_plane: Access, group: str) -> None:
    kind = probe("kubebuilder:metadata", group, fields="size: int = 1")

    async with installed(control_plane, kind) as client:
        (found,) = await client.list(
            CustomResourceDefinition, labels="team=shop", fields=f"metadata.name=apps.{group}"
        )

    assert found.metadata.labels == {"team": "shop"}
    assert found.metadata.annotations == {"example.com/docs": "https://example.com"}


async def test_objects_are_selected_by_a_field(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe("kubebuilder:selectablefield", group, fields="mode: Mode\nsize: int = 1")

    async with installed(control_plane, kind) as client:
        await client.create(raw(kind, namespace, "a", spec={"mode": "Fast"}))
        await client.create(raw(kind, namespace, "b", spec={"mode": "Safe"}))
        fast = await client.list(kind, namespace, fields="spec.mode=Fast")
        with pytest.raises(BadRequest, match=r"field label not supported: spec\.size"):
            await client.list(kind, namespace, fields="spec.size=1")

    assert [each.metadata.name for each in fast] == ["a"]
