import orjson

from described import builtin_resources, custom_resource
from windlass.apiserver.discovery import Discovery, storage_hash

ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
CUSTOM_VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]


def test_the_core_versions_come_with_the_address_of_the_server() -> None:
    assert Discovery(builtin_resources()).core_versions("10.0.0.1:443") == {
        "kind": "APIVersions",
        "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": "10.0.0.1:443"}],
    }


def test_a_group_prefers_its_first_version() -> None:
    group = Discovery(builtin_resources()).group("autoscaling")

    v1, v2 = ({"groupVersion": f"autoscaling/{each}", "version": each} for each in ("v1", "v2"))
    assert group == {
        "kind": "APIGroup",
        "apiVersion": "v1",
        "name": "autoscaling",
        "versions": [v2, v1],
        "preferredVersion": v2,
    }


def test_what_is_not_served_has_no_document() -> None:
    discovery = Discovery(builtin_resources())

    assert discovery.group("example.com") is None
    assert discovery.group("") is None
    assert discovery.resource_list("apps", "v2") is None
    assert discovery.resource_list("example.com", "v1") is None


def test_custom_groups_follow_the_built_in_ones_by_name_and_their_versions_by_maturity() -> None:
    versions = ("v1alpha1", "v1", "v2beta1", "v10", "v2", "zebra", "ant")
    custom = [custom_resource("b.example.com", each) for each in versions]
    discovery = Discovery([custom_resource("c.example.com"), *builtin_resources(), *custom])

    groups = discovery.group_list()["groups"]

    assert [group["name"] for group in groups[-2:]] == ["b.example.com", "c.example.com"]
    assert groups[0]["name"] == "apps"
    assert [each["version"] for each in groups[-2]["versions"]] == [
        "v10", "v2", "v1", "v2beta1", "v1alpha1", "ant", "zebra",
    ]  # fmt: skip


def test_a_resource_is_listed_with_its_subresources() -> None:
    discovery = Discovery(builtin_resources())

    listing = discovery.resource_list("apps", "v1")

    assert listing is not None
    found = {each["name"]: each for each in listing["resources"]}
    assert (listing["apiVersion"], listing["groupVersion"]) == ("v1", "apps/v1")
    assert found["deployments"] == {
        "name": "deployments",
        "singularName": "deployment",
        "namespaced": True,
        "kind": "Deployment",
        "verbs": ALL_VERBS,
        "shortNames": ["deploy"],
        "categories": ["all"],
        "storageVersionHash": "8aSe+NMegvE=",
    }
    assert found["deployments/scale"] == {
        "name": "deployments/scale",
        "singularName": "",
        "namespaced": True,
        "group": "autoscaling",
        "version": "v1",
        "kind": "Scale",
        "verbs": ["get", "patch", "update"],
    }
    assert list(found) == sorted(found)
    assert "apiVersion" not in (discovery.resource_list("", "v1") or {})


def test_a_custom_resource_is_listed_in_the_order_of_its_own_kind() -> None:
    listing = Discovery([custom_resource("example.com")]).resource_list("example.com", "v1")

    assert listing is not None
    assert [each["name"] for each in listing["resources"]] == ["widgets", "widgets/status", "widgets/scale"]
    assert listing["resources"][0]["verbs"] == CUSTOM_VERBS
    assert listing["resources"][0]["storageVersionHash"] == "hash"


def test_built_in_kinds_leave_out_their_own_group_where_custom_ones_name_it() -> None:
    discovery = Discovery([*builtin_resources(), custom_resource("example.com")])

    items = {
        each["metadata"]["name"]: each
        for each in orjson.loads(discovery.aggregated(core=False).body)["items"]
    }

    [apps], [example] = items["apps"]["versions"], items["example.com"]["versions"]
    deployments = next(each for each in apps["resources"] if each["resource"] == "deployments")
    assert deployments["responseKind"] == {"group": "", "version": "", "kind": "Deployment"}
    assert deployments["subresources"][0]["responseKind"] == {
        "group": "autoscaling",
        "version": "v1",
        "kind": "Scale",
    }
    [widgets] = example["resources"]
    kind = {"group": "example.com", "version": "v1", "kind": "Widget"}
    assert widgets == {
        "resource": "widgets",
        "responseKind": kind,
        "scope": "Namespaced",
        "singularResource": "widget",
        "verbs": CUSTOM_VERBS,
        "shortNames": ["wd"],
        "categories": ["all"],
        "subresources": [
            {"subresource": "status", "responseKind": kind, "verbs": ["get", "patch", "update"]},
            {
                "subresource": "scale",
                "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
                "verbs": ["get", "patch", "update"],
            },
        ],
    }


def test_the_core_group_is_alone_in_its_answer_and_has_no_name() -> None:
    [group] = orjson.loads(Discovery(builtin_resources()).aggregated(core=True).body)["items"]

    assert group["metadata"] == {}
    assert [each["version"] for each in group["versions"]] == ["v1"]


def test_an_answer_has_a_new_tag_only_when_it_is_another() -> None:
    before, same = Discovery(builtin_resources()), Discovery(builtin_resources())
    after = Discovery([*builtin_resources(), custom_resource("example.com")])

    assert before.aggregated(core=False).etag == same.aggregated(core=False).etag
    assert before.aggregated(core=False).etag != after.aggregated(core=False).etag
    assert before.aggregated(core=True).etag == after.aggregated(core=True).etag
    assert before.aggregated(core=True).etag.strip('"') == before.aggregated(core=True).hash


def test_the_root_lists_groups_versions_checks_and_documents_in_order() -> None:
    paths = Discovery([*builtin_resources(), custom_resource("example.com")]).root()["paths"]

    assert paths == sorted(set(paths))
    assert {
        "/api/v1",
        "/apis/apps/v1",
        "/apis/example.com",
        "/openapi/v3",
        "/readyz/ping",
        "/version",
    } <= set(paths)


def test_the_hash_of_a_storage_version_is_that_of_the_real_server() -> None:
    assert storage_hash("apps", "v1", "Deployment") == "8aSe+NMegvE="
    assert storage_hash("", "v1", "Pod") == "xPOwRZ+Yhw8="
