from typing import Any

import orjson

from described import builtin_resources, custom_resource
from windlass.apiserver.builtin import library
from windlass.apiserver.openapi import OpenApi

META = "io.k8s.apimachinery.pkg.apis.meta.v1"
SCHEMA = {
    "type": "object",
    "description": "A widget.",
    "required": ["spec"],
    "properties": {
        "metadata": {"type": "object"},
        "spec": {"type": "object", "properties": {"size": {"type": "integer", "description": "How large."}}},
        "inner": {"type": "object", "x-kubernetes-embedded-resource": True},
    },
}


def openapi() -> OpenApi:
    return OpenApi([*builtin_resources(), custom_resource("shop.example.com", schema=SCHEMA)], library())


def described(found: OpenApi, root: str) -> dict[str, Any]:
    document = found.document(root)
    assert document is not None
    return dict(orjson.loads(document.body))


def test_every_reference_in_a_document_leads_into_it() -> None:
    found = openapi()

    def targets(value: Any) -> set[str]:
        match value:
            case {"$ref": str(target)}:
                return {target.removeprefix("#/components/schemas/")}
            case dict():
                return {target for inner in value.values() for target in targets(inner)}
            case list():
                return {target for inner in value for target in targets(inner)}
        return set()

    for root in found.index()["paths"]:
        document = described(found, root)
        assert targets(document) <= document["components"]["schemas"].keys(), root


def test_the_index_has_an_address_with_a_hash_for_each_version() -> None:
    found = openapi()
    paths = found.index()["paths"]

    assert {"api/v1", "apis/apps/v1", "apis/autoscaling/v2", "apis/shop.example.com/v1"} <= paths.keys()
    document = found.document("apis/apps/v1")
    assert document is not None
    assert paths["apis/apps/v1"] == {"serverRelativeURL": f"/openapi/v3/apis/apps/v1?hash={document.hash}"}
    assert found.document("apis/apps/v2") is None


def test_facts_of_go_are_not_published() -> None:
    document = openapi().document("api/v1")

    assert document is not None
    assert b'"x-go' not in document.body
    assert b'"x-proto' not in document.body
    assert b'"x-keep' not in document.body


def test_a_field_that_is_another_definition_is_a_reference_with_something_around_it() -> None:
    schemas = described(openapi(), "apis/apps/v1")["components"]["schemas"]

    reference = {"$ref": "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec"}
    spec = schemas["io.k8s.api.apps.v1.Deployment"]["properties"]["spec"]
    assert spec == {"description": "", "default": {}, "allOf": [reference]}
    items = schemas["io.k8s.api.apps.v1.DeploymentList"]["properties"]["items"]["items"]
    assert items == {"default": {}, "allOf": [{"$ref": "#/components/schemas/io.k8s.api.apps.v1.Deployment"}]}


def test_shared_definitions_name_the_kinds_of_their_document() -> None:
    options = described(openapi(), "apis/apps/v1")["components"]["schemas"][f"{META}.DeleteOptions"]

    assert [each["group"] for each in options["x-kubernetes-group-version-kind"]] == ["", "apps"]


def test_a_custom_kind_is_described_by_its_schema_and_what_every_object_has() -> None:
    schemas = described(openapi(), "apis/shop.example.com/v1")["components"]["schemas"]

    widget, listing = schemas["com.example.shop.v1.Widget"], schemas["com.example.shop.v1.WidgetList"]
    assert widget["description"] == "A widget."
    assert widget["properties"]["spec"] == SCHEMA["properties"]["spec"]  # type: ignore[index]
    assert widget["properties"]["apiVersion"] == {"type": "string"}
    metadata = [{"$ref": f"#/components/schemas/{META}.ObjectMeta"}]
    assert widget["properties"]["metadata"]["allOf"] == metadata
    assert widget["properties"]["inner"]["properties"]["metadata"]["allOf"] == metadata
    assert widget["properties"]["inner"]["required"] == ["apiVersion", "kind"]
    assert widget["x-kubernetes-group-version-kind"] == [
        {"group": "shop.example.com", "kind": "Widget", "version": "v1"}
    ]
    assert listing["required"] == ["items"]
    assert listing["properties"]["items"]["items"] == {
        "$ref": "#/components/schemas/com.example.shop.v1.Widget"
    }


def test_a_schema_that_is_published_is_not_changed() -> None:
    before = orjson.dumps(SCHEMA)

    openapi().index()

    assert orjson.dumps(SCHEMA) == before


def test_a_custom_kind_takes_no_strategic_patch() -> None:
    paths = described(openapi(), "apis/shop.example.com/v1")["paths"]

    patch = paths["/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}"]["patch"]
    assert "application/strategic-merge-patch+json" not in patch["requestBody"]["content"]
    assert "application/apply-patch+yaml" in patch["requestBody"]["content"]
    scale = paths["/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}/scale"]
    content = scale["get"]["responses"]["200"]["content"]["application/json"]
    assert content["schema"] == {"$ref": "#/components/schemas/io.k8s.api.autoscaling.v1.Scale"}


def test_a_path_has_the_methods_of_its_verbs() -> None:
    paths = described(openapi(), "api/v1")["paths"]

    assert set(paths["/api/v1/namespaces/{name}"]) == {"get", "put", "patch", "delete", "parameters"}
    assert set(paths["/api/v1/namespaces"]) == {"get", "post", "parameters"}
    assert set(paths["/api/v1/pods"]) == {"get", "parameters"}
    assert set(paths["/api/v1/namespaces/{namespace}/pods/{name}/eviction"]) == {"post", "parameters"}
    assert "/api/v1/namespaces/{namespace}/pods/{name}/exec" not in paths


def test_only_documents_of_changed_resources_are_made_anew() -> None:
    resources = builtin_resources()
    first = OpenApi([*resources, custom_resource("a.example.com")], library())
    before = {root: first.document(root) for root in first.index()["paths"]}

    second = OpenApi([*resources, custom_resource("a.example.com", schema=SCHEMA)], library(), first)

    assert second.document("api/v1") is before["api/v1"]
    assert second.document("apis/a.example.com/v1") != before["apis/a.example.com/v1"]
    third = OpenApi(resources, library(), second)
    assert third.document("apis/a.example.com/v1") is None
    assert "apis/a.example.com/v1" not in third.index()["paths"]


def test_the_older_document_describes_everything_at_once() -> None:
    document = orjson.loads(openapi().older().body)

    definitions = document["definitions"]
    assert document["swagger"] == "2.0"
    assert definitions["io.k8s.api.apps.v1.DeploymentSpec"]["properties"]["strategy"] == {
        "description": "",
        "x-kubernetes-patch-strategy": "retainKeys",
        "$ref": "#/definitions/io.k8s.api.apps.v1.DeploymentStrategy",
    }
    assert definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] == {
        "type": "string",
        "format": "int-or-string",
    }
    assert "default" not in definitions["io.k8s.api.core.v1.ContainerPort"]["properties"]["protocol"]
    groups = {
        each["group"] for each in definitions[f"{META}.DeleteOptions"]["x-kubernetes-group-version-kind"]
    }
    assert {"", "apps", "batch", "shop.example.com"} <= groups
    assert "com.example.shop.v1.Widget" in definitions
    create = document["paths"]["/api/v1/namespaces/{namespace}/configmaps"]["post"]
    body = {
        "name": "body",
        "in": "body",
        "required": True,
        "schema": {"$ref": "#/definitions/io.k8s.api.core.v1.ConfigMap"},
    }
    assert create["parameters"][0] == body
    assert create["responses"]["201"]["schema"] == {"$ref": "#/definitions/io.k8s.api.core.v1.ConfigMap"}
