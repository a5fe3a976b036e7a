"""discovery: which groups, versions and resources there are."""

import pytest

from contract import Api, Object
from contract_callers import bearer, with_headers
from windlass.testing import Access

ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


async def resources(api: Api, path: str) -> dict[str, Object]:
    """The resources of a group version by name."""
    return {resource["name"]: resource for resource in (await api.get(path)).ok()["resources"]}


async def test_the_core_versions_are_listed_with_the_address_of_the_server(api: Api) -> None:
    versions = (await api.get("/api")).ok()

    [address] = versions.pop("serverAddressByClientCIDRs")
    assert versions == {"kind": "APIVersions", "versions": ["v1"]}
    assert address["clientCIDR"] == "0.0.0.0/0"
    assert address["serverAddress"]


async def test_groups_are_listed_with_their_versions(api: Api) -> None:
    listing = (await api.get("/apis")).ok()

    assert (listing["kind"], listing["apiVersion"]) == ("APIGroupList", "v1")
    groups = {group["name"]: group for group in listing["groups"]}
    only = {"groupVersion": "apps/v1", "version": "v1"}
    assert groups["apps"] == {"name": "apps", "versions": [only], "preferredVersion": only}
    assert "" not in groups
    expected = {"batch", "policy", "rbac.authorization.k8s.io", "apiextensions.k8s.io", "events.k8s.io"}
    assert expected <= set(groups)


async def test_a_group_prefers_its_first_version(api: Api) -> None:
    group = (await api.get("/apis/autoscaling")).ok()

    v1, v2 = ({"groupVersion": f"autoscaling/{name}", "version": name} for name in ("v1", "v2"))
    assert group == {
        "kind": "APIGroup",
        "apiVersion": "v1",
        "name": "autoscaling",
        "versions": [v2, v1],
        "preferredVersion": v2,
    }


@pytest.mark.parametrize("path", ["/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1"])
async def test_a_trailing_slash_makes_no_difference(api: Api, path: str) -> None:
    with_slash, without = (await api.get(f"{path}/")).ok(), (await api.get(path)).ok()

    assert with_slash["kind"] == without["kind"]


async def test_the_list_of_core_resources_leaves_out_its_own_version(api: Api) -> None:
    core, apps = (await api.get("/api/v1")).ok(), (await api.get("/apis/apps/v1")).ok()

    assert (core["kind"], core["groupVersion"]) == ("APIResourceList", "v1")
    assert "apiVersion" not in core
    assert (apps["kind"], apps["groupVersion"], apps["apiVersion"]) == ("APIResourceList", "apps/v1", "v1")


async def test_a_resource_is_described_with_its_subresources(api: Api) -> None:
    apps = await resources(api, "/apis/apps/v1")

    assert apps["deployments"] == {
        "name": "deployments",
        "singularName": "deployment",
        "namespaced": True,
        "kind": "Deployment",
        "verbs": ALL_VERBS,
        "shortNames": ["deploy"],
        "categories": ["all"],
        "storageVersionHash": "8aSe+NMegvE=",
    }
    assert apps["deployments/status"] == {
        "name": "deployments/status",
        "singularName": "",
        "namespaced": True,
        "kind": "Deployment",
        "verbs": ["get", "patch", "update"],
    }
    assert apps["deployments/scale"] == {
        "name": "deployments/scale",
        "singularName": "",
        "namespaced": True,
        "group": "autoscaling",
        "version": "v1",
        "kind": "Scale",
        "verbs": ["get", "patch", "update"],
    }


@pytest.mark.parametrize(
    ("name", "kind", "short_names", "namespaced", "verbs"),
    [
        ("configmaps", "ConfigMap", ["cm"], True, ALL_VERBS),
        ("secrets", "Secret", None, True, ALL_VERBS),
        ("endpoints", "Endpoints", ["ep"], True, ALL_VERBS),
        ("nodes", "Node", ["no"], False, ALL_VERBS),
        ("namespaces", "Namespace", ["ns"], False, [v for v in ALL_VERBS if v != "deletecollection"]),
        ("namespaces/finalize", "Namespace", None, False, ["update"]),
        ("bindings", "Binding", None, True, ["create"]),
        ("pods/binding", "Binding", None, True, ["create"]),
        ("pods/log", "Pod", None, True, ["get"]),
        ("pods/exec", "PodExecOptions", None, True, ["create", "get"]),
        ("pods/ephemeralcontainers", "Pod", None, True, ["get", "patch", "update"]),
        ("pods/resize", "Pod", None, True, ["get", "patch", "update"]),
    ],
)
async def test_core_resources_say_what_can_be_done_with_them(
    api: Api, *, name: str, kind: str, short_names: list[str] | None, namespaced: bool, verbs: list[str]
) -> None:
    resource = (await resources(api, "/api/v1"))[name]

    assert resource["kind"] == kind
    assert resource.get("shortNames") == short_names
    assert resource["namespaced"] is namespaced
    assert resource["verbs"] == verbs


@pytest.mark.parametrize(
    ("name", "group", "kind"),
    [
        ("pods/eviction", "policy", "Eviction"),
        ("serviceaccounts/token", "authentication.k8s.io", "TokenRequest"),
        ("replicationcontrollers/scale", "autoscaling", "Scale"),
    ],
)
async def test_a_subresource_of_another_group_names_it(api: Api, name: str, group: str, kind: str) -> None:
    resource = (await resources(api, "/api/v1"))[name]

    assert (resource["group"], resource["version"], resource["kind"]) == (group, "v1", kind)


async def test_resources_are_listed_in_the_order_of_their_names(api: Api) -> None:
    names = list(await resources(api, "/api/v1"))

    assert names == sorted(names)


async def test_what_is_stored_has_the_hash_of_the_version_it_is_stored_in(api: Api) -> None:
    core = await resources(api, "/api/v1")
    v1 = await resources(api, "/apis/autoscaling/v1")
    v2 = await resources(api, "/apis/autoscaling/v2")

    assert core["pods"]["storageVersionHash"] == "xPOwRZ+Yhw8="
    assert "storageVersionHash" not in core["pods/status"]
    assert "storageVersionHash" not in core["bindings"]
    name = "horizontalpodautoscalers"
    assert v1[name]["storageVersionHash"] == v2[name]["storageVersionHash"] == "qwQve8ut294="


async def test_the_root_lists_paths(api: Api) -> None:
    root = (await api.get("/")).ok()

    assert set(root) == {"paths"}
    assert root["paths"] == sorted(root["paths"])
    assert {
        "/api",
        "/api/v1",
        "/apis",
        "/apis/apps",
        "/apis/apps/v1",
        "/healthz",
        "/livez",
        "/metrics",
        "/openapi/v2",
        "/openapi/v3",
        "/readyz",
        "/version",
    } <= set(root["paths"])


async def test_discovery_is_read_only(api: Api) -> None:
    (await api.send("POST", "/apis/apps/v1", {})).refused(405, "MethodNotAllowed")


@pytest.mark.parametrize("path", ["/api", "/apis", "/apis/apps/v1", "/openapi/v3", "/version", "/healthz"])
async def test_everybody_with_a_name_may_discover(control_plane: Access, path: str) -> None:
    async with bearer(control_plane, control_plane.token("nobody")) as nobody:
        assert (await nobody.get(path)).status == 200


async def test_the_root_is_an_index(api: Api) -> None:
    index = (await api.get("/index.html")).ok()

    assert set(index) == {"paths"}
    assert {"/api/v1", "/apis/apps/v1", "/openapi/v3"} <= set(index["paths"])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/openid/v1/jwks", "/.well-known/openid-configuration", "/version"])
async def test_a_document_is_only_read_whatever_form_is_wanted(api: Api, path: str, method: str) -> None:
    (await api.send(method, path)).refused(405, "MethodNotAllowed")
    (await api.send(method, path, accept="text/html")).refused(405, "MethodNotAllowed")


@pytest.mark.parametrize("path", ["/", "/metrics", "/nonsense"])
async def test_other_paths_need_a_right(control_plane: Access, path: str) -> None:
    async with bearer(control_plane, control_plane.token("nobody")) as nobody:
        refused = (await nobody.get(path)).refused(403, "Forbidden")

    assert refused["message"] == f'forbidden: User "nobody" cannot get path "{path}"'
    assert refused["details"] == {}


@pytest.mark.parametrize("path", ["/", "/api", "/apis", "/apis/apps/v1", "/openapi/v3", "/nonsense"])
async def test_strangers_may_not_discover(control_plane: Access, path: str) -> None:
    async with with_headers(control_plane) as stranger:
        refused = (await stranger.get(path)).refused(403, "Forbidden")

    assert refused["message"] == f'forbidden: User "system:anonymous" cannot get path "{path}"'


async def test_who_may_not_read_is_not_told_what_exists(control_plane: Access) -> None:
    async with bearer(control_plane, control_plane.token("nobody")) as nobody:
        refused = (await nobody.get("/api/v1/nonsense")).refused(403, "Forbidden")

    assert refused["message"] == (
        'nonsense is forbidden: User "nobody" cannot list resource "nonsense" in API group "" '
        "at the cluster scope"
    )
