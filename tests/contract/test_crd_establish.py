"""custom resource definitions: how a kind comes to be served, shows in discovery, and goes."""

import hashlib
from base64 import b64encode

import pytest

from contract import Api, Object, Reply
from contract_crd import (
    CRDS,
    Definitions,
    conditions,
    definition,
    is_established,
    obj,
    spec,
    string,
    version,
)
from polling import until

DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
CLEANUP = "customresourcecleanup.apiextensions.k8s.io"


def is_found(reply: Reply) -> bool:
    return reply.status == 200


def is_missing(reply: Reply) -> bool:
    return reply.status == 404


async def test_an_established_definition_says_so_and_lists_its_names(api: Api, crds: Definitions) -> None:
    crd = crds.new()
    crd["spec"]["names"]["shortNames"] = ["wd"]
    (await crds.create(crd)).ok()

    reply = await until(lambda: api.get(f"{CRDS}/widgets.{crds.group}"), is_established)

    accepted, established = (conditions(reply.body)[kind] for kind in ("NamesAccepted", "Established"))
    assert (accepted["status"], accepted["reason"]) == ("True", "NoConflicts")
    assert accepted["message"] == "no conflicts found"
    assert (established["status"], established["reason"]) == ("True", "InitialNamesAccepted")
    assert established["message"] == "the initial names have been accepted"
    assert established["lastTransitionTime"].endswith("Z")
    assert reply.body["status"]["storedVersions"] == ["v1"]
    assert reply.body["status"]["acceptedNames"] == {
        "plural": "widgets",
        "singular": "widget",
        "shortNames": ["wd"],
        "kind": "Widget",
        "listKind": "WidgetList",
    }


async def test_establishing_a_kind_reaches_those_who_watch_its_definition(
    api: Api, crds: Definitions
) -> None:
    async with api.watch(CRDS, fieldSelector=f"metadata.name=widgets.{crds.group}") as events:
        (await crds.create(crds.new())).ok()

        event = await anext(events)
        assert event["type"] == "ADDED"
        while not is_established(Reply(200, event["object"])):
            event = await anext(events)
            assert event["type"] == "MODIFIED"


async def test_an_established_kind_is_served(api: Api, crds: Definitions) -> None:
    (await crds.create(crds.new())).ok()
    await until(lambda: api.get(f"{CRDS}/widgets.{crds.group}"), is_established)

    listing = await until(lambda: api.get(f"/apis/{crds.group}/v1/widgets"), is_found)

    assert listing.body["apiVersion"] == f"{crds.group}/v1"
    assert listing.body["kind"] == "WidgetList"
    assert listing.body["items"] == []
    assert listing.body["metadata"]["resourceVersion"]


async def test_the_list_has_the_kind_that_the_definition_gives_it(api: Api, crds: Definitions) -> None:
    crd = crds.new()
    crd["spec"]["names"]["listKind"] = "WidgetPile"

    widgets = await crds.serve_definition(crd)

    assert (await api.get(widgets.path)).ok()["kind"] == "WidgetPile"


async def test_a_definition_without_served_versions_is_established_yet_not_served(
    api: Api, crds: Definitions
) -> None:
    (await crds.create(crds.new(served=False))).ok()

    await until(lambda: api.get(f"{CRDS}/widgets.{crds.group}"), is_established)

    assert (await api.get(f"/apis/{crds.group}/v1/widgets")).status == 404
    assert (await api.get(f"/apis/{crds.group}")).status == 404


@pytest.mark.parametrize("said", [[], [{"type": "Established", "status": "False"}]])
async def test_a_definition_whose_conditions_somebody_takes_away_serves_nothing(
    api: Api, crds: Definitions, said: list[Object]
) -> None:
    widgets = await crds.serve(obj())

    (await api.patch(f"{widgets.definition}/status", {"status": {"conditions": said}})).ok()

    await until(lambda: api.get(widgets.path), is_missing)
    assert conditions((await api.get(widgets.definition)).ok()).keys() == {each["type"] for each in said}


async def test_a_path_that_no_definition_serves_is_a_404_in_plain_text(api: Api, crds: Definitions) -> None:
    await crds.serve()

    for path in ("v1/gadgets", "v2/widgets", "v2"):
        reply = await api.get(f"/apis/{crds.group}/{path}")
        assert (reply.status, reply.body) == (404, "404 page not found\n")
        assert reply.headers["content-type"].startswith("text/plain")


async def test_discovery_of_a_version_lists_the_kind_and_its_subresources(
    api: Api, crds: Definitions
) -> None:
    scale = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
    crd = crds.new(subresources={"status": {}, "scale": scale})
    crd["spec"]["names"] |= {"shortNames": ["wd", "wdg"], "categories": ["all", "tools"]}
    await crds.serve_definition(crd)

    listing = (await until(lambda: api.get(f"/apis/{crds.group}/v1"), is_found)).ok()

    assert (listing["kind"], listing["groupVersion"]) == ("APIResourceList", f"{crds.group}/v1")
    widgets, status, scaling = listing["resources"]
    assert widgets.pop("storageVersionHash")
    assert sorted(widgets.pop("verbs")) == sorted(
        ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
    )
    assert widgets == {
        "name": "widgets",
        "singularName": "widget",
        "namespaced": True,
        "kind": "Widget",
        "shortNames": ["wd", "wdg"],
        "categories": ["all", "tools"],
    }
    assert (status["name"], status["kind"], status["namespaced"]) == ("widgets/status", "Widget", True)
    assert sorted(status["verbs"]) == sorted(scaling["verbs"]) == ["get", "patch", "update"]
    assert (scaling["group"], scaling["version"], scaling["kind"]) == ("autoscaling", "v1", "Scale")


async def test_every_version_has_the_hash_of_the_one_that_is_stored(api: Api, crds: Definitions) -> None:
    crd = definition(crds.group, version("v1"), version("v2", obj(), storage=False))
    await crds.serve_definition(crd)

    first = await until(lambda: api.get(f"/apis/{crds.group}/v1"), is_found)
    second = await until(lambda: api.get(f"/apis/{crds.group}/v2"), is_found)

    stored = hashlib.sha256(f"{crds.group}/v1/Widget".encode()).digest()[:8]
    hashes = [reply.body["resources"][0]["storageVersionHash"] for reply in (first, second)]
    assert hashes == [b64encode(stored).decode()] * 2


async def test_a_group_lists_its_versions_most_stable_first(api: Api, crds: Definitions) -> None:
    names = ["v2", "foo1", "v1alpha1", "v10", "v11beta2", "v1", "v3beta1", "bar", "v12alpha1"]
    versions = [version(name, spec(a=string(title=name)), storage=name == "v2") for name in names]
    await crds.serve_definition(definition(crds.group, *versions))

    group = (await until(lambda: api.get(f"/apis/{crds.group}"), is_found)).ok()

    assert group["kind"] == "APIGroup"
    assert [each["version"] for each in group["versions"]] == [
        *("v10", "v2", "v1"),
        *("v11beta2", "v3beta1"),
        *("v12alpha1", "v1alpha1"),
        *("bar", "foo1"),
    ]
    assert group["preferredVersion"] == {"groupVersion": f"{crds.group}/v10", "version": "v10"}


async def test_a_group_joins_the_list_of_groups_and_leaves_it(api: Api, crds: Definitions) -> None:
    def is_listed(reply: Reply) -> bool:
        return crds.group in [group["name"] for group in reply.ok()["groups"]]

    widgets = await crds.serve()
    await until(lambda: api.get("/apis"), is_listed)

    (await api.delete(widgets.definition)).ok()

    await until(lambda: api.get("/apis"), lambda reply: not is_listed(reply))
    await until(lambda: api.get(f"/apis/{crds.group}"), is_missing)


async def test_aggregated_discovery_has_the_kind(api: Api, crds: Definitions) -> None:
    def found(reply: Reply) -> list[Object]:
        return [item for item in reply.ok()["items"] if item["metadata"]["name"] == crds.group]

    await crds.serve(subresources={"status": {}})

    reply = await until(lambda: api.get("/apis", accept=DISCOVERY), lambda reply: bool(found(reply)))

    (served,) = found(reply)[0]["versions"]
    (widgets,) = served["resources"]
    assert (widgets["resource"], widgets["scope"], widgets["singularResource"]) == (
        *("widgets", "Namespaced", "widget"),
    )
    assert widgets["responseKind"] == {"group": crds.group, "version": "v1", "kind": "Widget"}
    assert [each["subresource"] for each in widgets["subresources"]] == ["status"]


async def test_openapi_describes_the_kind(api: Api, crds: Definitions) -> None:
    await crds.serve(spec(colour=string(description="of the whole widget")))
    document = f"apis/{crds.group}/v1"
    index = await until(lambda: api.get("/openapi/v3"), lambda reply: document in reply.ok()["paths"])
    assert index.body["paths"][document]["serverRelativeURL"].startswith(f"/openapi/v3/{document}?hash=")

    described = (await api.get(f"/openapi/v3/{document}")).ok()

    assert f"/apis/{crds.group}/v1/namespaces/{{namespace}}/widgets/{{name}}" in described["paths"]
    reverse = ".".join(reversed(crds.group.split(".")))
    widget = described["components"]["schemas"][f"{reverse}.v1.Widget"]
    assert widget["properties"]["spec"] == obj(colour=string(description="of the whole widget"))
    assert sorted(widget["properties"]) == ["apiVersion", "kind", "metadata", "spec"]
    assert widget["x-kubernetes-group-version-kind"] == [
        {"group": crds.group, "kind": "Widget", "version": "v1"}
    ]


async def test_a_definition_is_held_by_a_finalizer_from_its_deletion_on(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    assert "finalizers" not in (await api.get(widgets.definition)).ok()["metadata"]

    deleted = (await api.delete(widgets.definition)).ok()

    assert deleted["metadata"]["finalizers"] == [CLEANUP]
    assert deleted["metadata"]["deletionTimestamp"]
    terminating = conditions(deleted)["Terminating"]
    assert (terminating["status"], terminating["reason"]) == ("True", "InstanceDeletionPending")


async def test_objects_go_with_their_definition(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    async with api.watch(widgets.path) as events:
        assert (await anext(events))["type"] == "ADDED"
        (await api.delete(widgets.definition)).ok()
        event = await anext(events)

    assert (event["type"], event["object"]["metadata"]["name"]) == ("DELETED", "a")
    (await until(lambda: api.get(widgets.definition), is_missing)).refused(404, "NotFound")
    await until(lambda: api.get(widgets.path), is_missing)


async def test_objects_do_not_come_back_with_their_definition(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()
    (await api.delete(widgets.definition)).ok()
    await until(lambda: api.get(widgets.definition), is_missing)

    again = await crds.serve()

    assert (await api.get(again.path)).ok()["items"] == []


async def test_a_definition_waits_for_the_finalizers_of_its_objects(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("held", {"finalizers": ["example.com/hold"]})).ok()

    (await api.delete(widgets.definition)).ok()

    def in_progress(reply: Reply) -> bool:
        return bool(conditions(reply.ok())["Terminating"]["reason"] == "InstanceDeletionInProgress")

    crd = (await until(lambda: api.get(widgets.definition), in_progress)).ok()
    assert conditions(crd)["Terminating"]["message"] == "CustomResource deletion is in progress"
    await until(
        lambda: api.get(widgets.at("held")), lambda reply: "deletionTimestamp" in reply.ok()["metadata"]
    )
    (await api.patch(widgets.at("held"), {"metadata": {"finalizers": None}})).ok()


async def test_no_object_is_created_while_the_definition_goes(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("held", {"finalizers": ["example.com/hold"]})).ok()
    (await api.delete(widgets.definition)).ok()

    created = await until(
        lambda: api.create(widgets.path, widgets.object("late"), dryRun="All"),
        lambda reply: reply.status == 403,
    )
    applied = await api.apply(widgets.at("late"), widgets.object("late"))
    updated = await api.patch(widgets.at("held"), {"spec": {"a": 1}})
    defined = await crds.create(crds.new())

    message = "create not allowed while custom resource definition is terminating"
    for refused in (created, applied):
        assert refused.refused(403, "Forbidden")["message"] == (
            f'widgets.{crds.group} "late" is forbidden: {message}'
        )
    assert updated.status == 200
    assert defined.refused(409, "AlreadyExists")["message"] == (
        f'object is being deleted: customresourcedefinitions.apiextensions.k8s.io "widgets.{crds.group}" '
        "already exists"
    )
    (await api.patch(widgets.at("held"), {"metadata": {"finalizers": None}})).ok()
