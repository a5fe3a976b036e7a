from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from free_form import is_created
from polling import until
from windlass.api import Kind, ObjectMeta, Untyped
from windlass.client import JsonPatch, MergePatch, Request
from windlass.codegen import custom_resource_definitions, load_project
from windlass.errors import Invalid
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.operators.minimart import Minimart
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.client import Client

SCHEMA = "/spec/versions/0/schema/openAPIV3Schema"
GROUP = {
    "kind": "APIResourceList",
    "apiVersion": "v1",
    "groupVersion": "charts.samutup.com/v1alpha1",
    "resources": [
        {
            "name": "minimarts",
            "singularName": "minimart",
            "namespaced": True,
            "kind": "Minimart",
            "verbs": [
                "delete",
                "deletecollection",
                "get",
                "list",
                "patch",
                "create",
                "update",
                "watch",
            ],
            "storageVersionHash": "wqUOO9GS5iM=",
        },
        {
            "name": "minimarts/status",
            "singularName": "",
            "namespaced": True,
            "kind": "Minimart",
            "verbs": ["get", "patch", "update"],
        },
    ],
}


async def test_the_group_answers_as_it_always_did(client: Client) -> None:
    await install_kinds(client, [Minimart])

    assert await client.json(Request(method="GET", path="/apis/charts.samutup.com/v1alpha1")) == GROUP


def test_the_definition_leaves_spec_and_status_free_but_for_the_generation() -> None:
    (definition,) = custom_resource_definitions([Minimart])
    (version,) = definition["spec"]["versions"]
    schema = version["schema"]["openAPIV3Schema"]
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    shown = {"example": schema["properties"]["spec"]["example"]}

    assert definition["metadata"]["name"] == "minimarts.charts.samutup.com"
    assert schema["properties"]["spec"] == free | shown
    status = schema["properties"]["status"]
    observed = status.pop("properties")["observedGeneration"]
    assert (observed["type"], observed["default"]) == ("integer", -1)
    assert status == free | {"default": {"observedGeneration": -1}}
    assert "required" not in schema
    assert version["subresources"] == {"status": {}}
    assert "conversion" not in definition["spec"]  # the server fills in None


async def test_whatever_is_written_comes_back(client: Client) -> None:
    await install_kinds(client, [Minimart])
    written = {"replicaCount": "2", "float": 1.5, "none": {"of": ["our", {"business": True}]}}
    made = await client.create(Minimart.from_wire({"metadata": {"name": "shop"}, "spec": written}))
    patch = MergePatch({"status": {"conditions": [], "deployedRelease": {"name": "shop"}, "more": 1}})
    reported = await client.status.patch(Minimart, "shop", patch)

    assert made.spec == written
    assert reported.status == {
        "conditions": [],
        "deployedRelease": {"name": "shop"},
        "more": 1,
        "observedGeneration": -1,
    }
    assert (await client.get(Minimart, "shop")).spec == written


def test_the_sample_is_the_generated_one() -> None:
    folder = files("windlass.operators.minimart") / "samples"
    made = load_project("windlass.operators.minimart").samples()

    assert {f"samples/{each.name}": each.read_text(encoding="utf-8") for each in folder.iterdir()} == made
    assert made.keys() == {"samples/charts_v1alpha1_minimart.yaml"}


@pytest.mark.xdist_group("minimart-definition")
@pytest.mark.parametrize(
    ("length", "taken"), [(53, True), (54, False), (63, False), (64, False), (253, False)]
)
async def test_a_name_that_helm_cannot_have_is_refused(client: Client, length: int, *, taken: bool) -> None:
    await install_kinds(client, [Minimart])
    made = Minimart.from_wire({"metadata": {"name": "x" * length}})
    if taken:
        await client.create(made)
        return
    with pytest.raises(Invalid, match=r"metadata\.name must have at most 53 characters"):
        await client.create(made)


async def test_an_object_that_is_older_than_the_rule_can_be_changed_and_deleted(
    client: Client, namespace: str
) -> None:
    kind = Kind(f"{namespace}.example.com", "v1alpha1", "Minimart", "minimarts", subresources=("status",))
    shops, (definition,) = Untyped.of(kind), custom_resource_definitions([Minimart])
    definition["metadata"]["name"], definition["spec"]["group"] = kind.resource, kind.group
    schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    rules = schema.pop("x-kubernetes-validations")
    name = "x" * 63
    old = shops(metadata=ObjectMeta(name=name, finalizers=["example.com/keep"]))
    await client.create(CustomResourceDefinition.from_wire(definition))
    await until(lambda: is_created(client, old))
    patch = [{"op": "add", "path": f"{SCHEMA}/x-kubernetes-validations", "value": rules}]
    await client.patch(CustomResourceDefinition, kind.resource, JsonPatch(patch))
    await until(lambda: is_refused(client, shops(metadata=ObjectMeta(name="y" * 63))))

    await client.patch(shops, name, MergePatch({"spec": {"replicaCount": 2}}))
    await client.status.patch(shops, name, MergePatch({"status": {"conditions": []}}))
    await client.delete(shops, name)
    await client.patch(shops, name, MergePatch({"metadata": {"finalizers": None}}))
    left = [each.metadata.name for each in await client.list(shops)]
    await client.delete(CustomResourceDefinition, kind.resource)

    assert name not in left


async def is_refused(client: Client, made: Untyped) -> bool:
    try:
        await client.create(made)
    except Invalid:
        return True
    await client.delete(type(made), made.metadata.name)
    return False
