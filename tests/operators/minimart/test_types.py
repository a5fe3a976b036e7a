from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from windlass.client import MergePatch, Request
from windlass.codegen import custom_resource_definitions, load_project
from windlass.operators.minimart import Minimart
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.client import Client

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


def test_the_definition_leaves_spec_and_status_free() -> None:
    (definition,) = custom_resource_definitions([Minimart])
    (version,) = definition["spec"]["versions"]
    schema = version["schema"]["openAPIV3Schema"]
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    shown = {"example": schema["properties"]["spec"]["example"]}

    assert definition["metadata"]["name"] == "minimarts.charts.samutup.com"
    assert schema["properties"]["spec"] == free | shown
    assert schema["properties"]["status"] == free
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
    assert reported.status == {"conditions": [], "deployedRelease": {"name": "shop"}, "more": 1}
    assert (await client.get(Minimart, "shop")).spec == written


def test_the_sample_is_the_generated_one() -> None:
    folder = files("windlass.operators.minimart") / "samples"
    made = load_project("windlass.operators.minimart").samples()

    assert {f"samples/{each.name}": each.read_text(encoding="utf-8") for each in folder.iterdir()} == made
    assert made.keys() == {"samples/charts_v1alpha1_minimart.yaml"}
