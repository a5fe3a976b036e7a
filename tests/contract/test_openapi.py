"""OpenAPI: the documents that describe every kind."""

import re
from urllib.parse import urlsplit

import pytest

from contract import Api, Object
from contract_crd import Definitions, integer, obj
from contract_reads import raw
from polling import until

APPS = "/openapi/v3/apis/apps/v1"
META = "io.k8s.apimachinery.pkg.apis.meta.v1"


def reference(name: str) -> Object:
    """A property that is another schema, with a description and perhaps a default around it."""
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}]}


async def schemas(api: Api, path: str) -> dict[str, Object]:
    found = (await api.get(path)).ok()["components"]["schemas"]
    assert isinstance(found, dict)
    return found


async def test_the_index_has_an_address_for_each_group_version(api: Api) -> None:
    paths = (await api.get("/openapi/v3")).ok()["paths"]

    assert {"api/v1", "apis/apps/v1", "apis/batch/v1", "apis/apiextensions.k8s.io/v1"} <= set(paths)
    address = paths["apis/apps/v1"]["serverRelativeURL"]
    assert re.fullmatch(rf"{APPS}\?hash=[0-9A-F]+", address)


async def test_a_document_under_its_hash_may_be_kept_for_ever(api: Api) -> None:
    index = (await api.get("/openapi/v3")).ok()["paths"]
    path, _, given = index["apis/apps/v1"]["serverRelativeURL"].partition("?hash=")

    response = await raw(api, path, query=(("hash", given),))
    again = await raw(api, path, query=(("hash", given),), If_None_Match=f'"{given}"')

    assert response.status == 200
    assert response.headers["etag"] == f'"{given}"'
    assert response.headers["cache-control"] == "public, immutable"
    assert (again.status, again.body) == (304, b"")
    assert "content-type" not in again.headers


@pytest.mark.parametrize("known", ["{}", "W/{}", '"0", {}', "*"])
async def test_a_client_may_have_one_of_several_documents(api: Api, known: str) -> None:
    etag = (await raw(api, APPS)).headers["etag"]

    again = await raw(api, APPS, If_None_Match=known.format(etag))

    assert (again.status, again.body) == (304, b"")


async def test_a_document_under_another_hash_has_moved(api: Api) -> None:
    response = await raw(api, APPS, query=(("hash", "0"),))

    index = (await api.get("/openapi/v3")).ok()["paths"]
    assert response.status == 301
    assert response.headers["location"] == index["apis/apps/v1"]["serverRelativeURL"]


async def test_a_document_without_a_hash_is_not_kept(api: Api) -> None:
    reply = await api.get(APPS)

    assert reply.headers["cache-control"] == "no-cache, private"
    assert reply.headers["content-type"] == "application/json"
    assert reply.ok()["openapi"].startswith("3.0")


async def test_a_kind_has_a_definition_that_names_it(api: Api) -> None:
    found = (await schemas(api, APPS))["io.k8s.api.apps.v1.Deployment"]

    assert found["type"] == "object"
    assert found["x-kubernetes-group-version-kind"] == [
        {"group": "apps", "kind": "Deployment", "version": "v1"}
    ]
    assert set(found["properties"]) == {"apiVersion", "kind", "metadata", "spec", "status"}
    spec = {"default": {}, **reference("io.k8s.api.apps.v1.DeploymentSpec")}
    assert found["properties"]["spec"] == {"description": found["properties"]["spec"]["description"], **spec}
    assert found["properties"]["metadata"]["allOf"] == reference(f"{META}.ObjectMeta")["allOf"]


async def test_a_list_has_a_definition_too(api: Api) -> None:
    found = (await schemas(api, APPS))["io.k8s.api.apps.v1.DeploymentList"]

    assert found["required"] == ["items"]
    assert found["properties"]["items"]["items"] == {
        "default": {},
        **reference("io.k8s.api.apps.v1.Deployment"),
    }
    assert found["x-kubernetes-group-version-kind"][0]["kind"] == "DeploymentList"


async def test_lists_say_how_they_merge(api: Api) -> None:
    found = await schemas(api, APPS)

    ports = found["io.k8s.api.core.v1.Container"]["properties"]["ports"]
    assert ports["x-kubernetes-list-type"] == "map"
    assert ports["x-kubernetes-list-map-keys"] == ["containerPort", "protocol"]
    assert ports["x-kubernetes-patch-merge-key"] == "containerPort"
    assert ports["x-kubernetes-patch-strategy"] == "merge"
    assert found["io.k8s.api.core.v1.PodSpec"]["required"] == ["containers"]
    selector = found[f"{META}.LabelSelector"]
    assert selector["x-kubernetes-map-type"] == "atomic"


async def test_types_of_two_forms_allow_both(api: Api) -> None:
    found = await schemas(api, "/openapi/v3/api/v1")

    port = found["io.k8s.apimachinery.pkg.util.intstr.IntOrString"]
    quantity = found["io.k8s.apimachinery.pkg.api.resource.Quantity"]
    assert port["format"] == "int-or-string"
    assert port["oneOf"] == [{"type": "integer"}, {"type": "string"}]
    assert quantity["oneOf"] == [{"type": "string"}, {"type": "number"}]


async def test_a_path_says_which_verbs_it_has_and_with_which_parameters(api: Api) -> None:
    paths = (await api.get(APPS)).ok()["paths"]

    several = paths["/apis/apps/v1/namespaces/{namespace}/deployments"]
    one = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]
    kind = {"group": "apps", "version": "v1", "kind": "Deployment"}
    assert set(several) - {"parameters"} == {"get", "post", "delete"}
    assert set(one) - {"parameters"} == {"get", "put", "patch", "delete"}
    assert several["get"]["x-kubernetes-action"] == "list"
    assert several["get"]["x-kubernetes-group-version-kind"] == kind
    known = {parameter["name"] for parameter in several["get"]["parameters"]}
    assert {"labelSelector", "fieldSelector", "limit", "continue", "watch", "sendInitialEvents"} <= known
    assert {parameter["name"] for parameter in one["patch"]["parameters"]} == {
        "dryRun",
        "fieldManager",
        "fieldValidation",
        "force",
    }
    assert set(one["patch"]["requestBody"]["content"]) >= {
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
    }


@pytest.mark.parametrize("path", ["/openapi/v3/apis/nonsense.example.com/v1", "/openapi/v3/api/v9"])
async def test_an_unknown_group_version_has_no_document(api: Api, path: str) -> None:
    reply = await api.get(path)

    assert (reply.status, reply.body) == (404, "")


async def test_who_reads_the_index_is_not_told_what_it_is_and_of_no_document_nothing_at_all(api: Api) -> None:
    index = await api.get("/openapi/v3")
    nothing = await api.get("/openapi/v3/nonsense")

    assert index.headers["content-type"] == "text/plain; charset=utf-8"
    assert (nothing.status, nothing.body) == (404, "")
    assert "content-type" not in nothing.headers


async def test_an_unknown_form_is_not_acceptable(api: Api) -> None:
    assert (await api.get(APPS, accept="text/html")).status == 406


async def test_the_older_document_describes_everything_at_once(api: Api) -> None:
    document = (await api.get("/openapi/v2")).ok()

    assert document["swagger"] == "2.0"
    assert document["definitions"]["io.k8s.api.core.v1.ConfigMap"]["x-kubernetes-group-version-kind"] == [
        {"group": "", "kind": "ConfigMap", "version": "v1"}
    ]
    assert "io.k8s.api.apps.v1.Deployment" in document["definitions"]
    assert "/api/v1/namespaces/{namespace}/configmaps" in document["paths"]


async def test_a_custom_kind_is_described_soon_after_it_is_served(crds: Definitions, api: Api) -> None:
    schema = obj(spec=obj(size=integer(description="How large.", minimum=1))) | {"description": "A widget."}
    widgets = await crds.serve(schema)
    entry = f"apis/{widgets.group}/v1"

    index = await until(lambda: api.get("/openapi/v3"), lambda reply: entry in reply.ok()["paths"])
    path = urlsplit(index.ok()["paths"][entry]["serverRelativeURL"]).path
    found = await schemas(api, path)

    # The name of the group is turned around.
    prefix = ".".join(reversed(widgets.group.split(".")))
    widget, listing = found[f"{prefix}.v1.Widget"], found[f"{prefix}.v1.WidgetList"]
    assert widget["description"] == "A widget."
    assert widget["x-kubernetes-group-version-kind"] == [
        {"group": widgets.group, "kind": "Widget", "version": "v1"}
    ]
    assert widget["properties"]["spec"]["properties"] == {
        "size": {"type": "integer", "description": "How large.", "minimum": 1}
    }
    assert widget["properties"]["metadata"]["allOf"] == reference(f"{META}.ObjectMeta")["allOf"]
    assert listing["required"] == ["items"]


@pytest.mark.parametrize(
    ("path", "body"),
    [("/openapi/v3/", ""), ("/openapi/v2/", "404 page not found\n"), ("/openapi/v4", "404 page not found\n")],
)
async def test_what_is_no_address_of_a_document_is_not_found(api: Api, path: str, body: str) -> None:
    reply = await api.get(path)

    assert (reply.status, reply.body) == (404, body)
