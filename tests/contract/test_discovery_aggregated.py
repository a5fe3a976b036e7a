"""discovery: everything in one answer, as kubectl and client-go ask for it."""

import pytest

from contract import JSON, Api, Object
from contract_crd import Definitions, version
from contract_reads import AGGREGATED, raw
from polling import until

ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
OLDER = AGGREGATED.replace("v=v2", "v=v2beta1")


async def discovered(api: Api, path: str = "/apis") -> dict[str, Object]:
    """The groups by name."""
    listing = (await api.get(path, accept=AGGREGATED)).ok()
    return {group["metadata"].get("name", ""): group for group in listing["items"]}


@pytest.mark.parametrize("path", ["/api", "/apis"])
async def test_the_answer_says_in_its_type_what_it_is(api: Api, path: str) -> None:
    reply = await api.get(path, accept=f"{AGGREGATED},{OLDER},{JSON}")

    listing = reply.ok()
    assert reply.headers["content-type"] == AGGREGATED
    assert reply.headers["vary"] == "Accept"
    assert (listing["kind"], listing["apiVersion"]) == ("APIGroupDiscoveryList", "apidiscovery.k8s.io/v2")


async def test_the_core_group_has_no_name(api: Api) -> None:
    [group] = (await api.get("/api", accept=AGGREGATED)).ok()["items"]

    assert group["metadata"] == {}
    [only] = group["versions"]
    assert (only["version"], only["freshness"]) == ("v1", "Current")


async def test_a_resource_is_described_with_its_subresources(api: Api) -> None:
    [only] = (await discovered(api))["apps"]["versions"]

    found = {resource["resource"]: resource for resource in only["resources"]}
    # The kinds of the group itself leave the group and the version out; readers fill them in.
    kind = {"group": "", "version": "", "kind": "Deployment"}
    assert found["deployments"] == {
        "resource": "deployments",
        "responseKind": kind,
        "scope": "Namespaced",
        "singularResource": "deployment",
        "verbs": ALL_VERBS,
        "shortNames": ["deploy"],
        "categories": ["all"],
        "subresources": [
            {
                "subresource": "scale",
                "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
                "verbs": ["get", "patch", "update"],
            },
            {"subresource": "status", "responseKind": kind, "verbs": ["get", "patch", "update"]},
        ],
    }


async def test_cluster_scoped_resources_say_so(api: Api) -> None:
    [only] = (await discovered(api, "/api"))[""]["versions"]

    scopes = {resource["resource"]: resource["scope"] for resource in only["resources"]}
    assert (scopes["namespaces"], scopes["pods"]) == ("Cluster", "Namespaced")


async def test_the_preferred_version_comes_first(api: Api) -> None:
    versions = (await discovered(api))["autoscaling"]["versions"]

    assert [version["version"] for version in versions] == ["v2", "v1"]


async def test_both_forms_know_the_same_groups_in_the_same_order(api: Api) -> None:
    plain = [group["name"] for group in (await api.get("/apis")).ok()["groups"]]
    aggregated = list(await discovered(api))

    def built_in(names: list[str]) -> list[str]:
        return [name for name in names if not name.startswith("test-")]  # other tests come and go

    assert built_in(aggregated) == built_in(plain)
    assert "apps" in aggregated


async def test_an_answer_that_the_client_already_has_is_not_sent_again(api: Api) -> None:
    first = await raw(api, "/api", Accept=AGGREGATED)

    again = await raw(api, "/api", Accept=AGGREGATED, If_None_Match=first.headers["etag"])
    other = await raw(api, "/api", Accept=AGGREGATED, If_None_Match='"other"')

    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert "content-type" not in again.headers  # a client would give it to what it has kept
    assert (other.status, other.body) == (200, first.body)


async def test_the_answer_may_be_kept_and_asked_for_again(api: Api) -> None:
    reply = await api.get("/api", accept=AGGREGATED)

    assert reply.headers["cache-control"] == "public"
    assert reply.headers["etag"].startswith('"')
    assert reply.headers["etag"].endswith('"')


async def test_a_custom_kind_is_discovered_with_its_group_and_under_a_new_tag(
    crds: Definitions, api: Api
) -> None:
    before = (await api.get("/apis", accept=AGGREGATED)).headers["etag"]
    crd = crds.new(subresources={"status": {}})
    crd["spec"]["names"] |= {"shortNames": ["wd"], "categories": ["all"]}
    await crds.serve_definition(crd)

    reply = await until(
        lambda: api.get("/apis", accept=AGGREGATED), lambda reply: crds.group in str(reply.body)
    )

    [group] = [item for item in reply.ok()["items"] if item["metadata"]["name"] == crds.group]
    [only] = group["versions"]
    kind = {"group": crds.group, "version": "v1", "kind": "Widget"}
    assert only["freshness"] == "Current"
    [resource] = only["resources"]
    assert sorted(resource.pop("verbs")) == ALL_VERBS
    assert resource == {
        "resource": "widgets",
        "responseKind": kind,
        "scope": "Namespaced",
        "singularResource": "widget",
        "shortNames": ["wd"],
        "categories": ["all"],
        "subresources": [
            {"subresource": "status", "responseKind": kind, "verbs": ["get", "patch", "update"]}
        ],
    }
    assert reply.headers["etag"] != before


async def test_versions_of_a_custom_kind_are_ordered_by_maturity(crds: Definitions, api: Api) -> None:
    names = ("v1alpha1", "v1", "v2beta1", "v10", "v2")
    crd = crds.new()
    crd["spec"]["versions"] = [version(name, storage=name == "v1") for name in names]
    await crds.serve_definition(crd)

    reply = await until(
        lambda: api.get("/apis", accept=AGGREGATED), lambda reply: crds.group in str(reply.body)
    )

    [group] = [item for item in reply.ok()["items"] if item["metadata"]["name"] == crds.group]
    found = [each["version"] for each in group["versions"]]
    assert found == ["v10", "v2", "v1", "v2beta1", "v1alpha1"]


@pytest.mark.parametrize("accept", [JSON, "*/*", f"application/json;as=Nonsense;g=a;v=b,{JSON}"])
async def test_who_does_not_ask_for_it_gets_the_groups_alone(api: Api, accept: str) -> None:
    reply = await api.get("/apis", accept=accept)

    assert reply.ok()["kind"] == "APIGroupList"
    assert reply.headers["content-type"] == JSON


@pytest.mark.parametrize("path", ["/api", "/apis"])
async def test_a_form_that_was_given_up_is_not_acceptable(api: Api, path: str) -> None:
    (await api.get(path, accept=OLDER)).refused(406, "NotAcceptable")
