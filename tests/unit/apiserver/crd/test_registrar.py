"""What becomes of definitions, as far as the contract suite does not tell."""

from typing import Any

from contract import Api, Object
from contract_crd import CRDS, conditions, definition, integer, invalid, spec, string, version
from windlass.apiserver.resource import Resource
from windlass.cluster import Cluster

GROUP = "example.com"
WIDGETS = f"/apis/{GROUP}/v1/namespaces/default/widgets"
DEFINITION = f"{CRDS}/widgets.{GROUP}"


async def serve(api: Api, crd: Object | None = None) -> Object:
    return (await api.create(CRDS, crd or definition(GROUP))).ok()


def widget(name: str, **metadata: Any) -> Object:
    return {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": {"name": name, **metadata}}


def served(cluster: Cluster, name: str = "v1") -> Resource:
    found = cluster.server.catalog.find(GROUP, name, "widgets")
    assert found is not None
    return found


async def test_the_server_manages_the_status_of_a_definition(api: Api) -> None:
    await serve(api)

    entries = (await api.get(DEFINITION)).ok()["metadata"]["managedFields"]

    (own,) = [entry for entry in entries if entry["manager"] == "kube-apiserver"]
    assert (own["operation"], own["subresource"]) == ("Update", "status")
    assert own["fieldsV1"]["f:status"].keys() == {"f:acceptedNames", "f:conditions"}


async def test_a_definition_is_established_in_two_steps(api: Api) -> None:
    async with api.watch(CRDS) as events:
        await serve(api)
        seen = [(await anext(events))["object"] for _ in range(3)]

    assert [conditions(each).get("Established", {}).get("reason") for each in seen] == [
        None,
        "Installing",
        "InitialNamesAccepted",
    ]


async def test_a_change_of_names_does_not_compile_the_schema_again(api: Api, cluster: Cluster) -> None:
    await serve(api)
    before = served(cluster)

    (await api.patch(DEFINITION, {"spec": {"names": {"shortNames": ["wd"]}}})).ok()

    assert served(cluster).short_names == ("wd",)
    assert served(cluster).shape is before.shape


async def test_a_change_of_labels_changes_nothing_that_is_served(api: Api, cluster: Cluster) -> None:
    await serve(api)
    before = served(cluster)

    (await api.patch(DEFINITION, {"metadata": {"labels": {"a": "b"}}})).ok()

    assert served(cluster) is before


async def test_a_change_of_one_schema_leaves_that_of_another_version(api: Api, cluster: Cluster) -> None:
    versions = [version("v1", spec(a=integer())), version("v2", spec(a=string()), storage=False)]
    await serve(api, definition(GROUP, *versions))
    first, second = served(cluster), served(cluster, "v2")
    versions[1]["schema"] = {"openAPIV3Schema": spec(b=string())}

    (await api.patch(DEFINITION, {"spec": {"versions": versions}})).ok()

    assert served(cluster).shape is first.shape
    assert served(cluster, "v2").shape is not second.shape


async def test_an_object_that_needs_no_change_is_not_read_twice(api: Api, cluster: Cluster) -> None:
    await serve(api)
    (await api.create(WIDGETS, widget("a"))).ok()
    resource = served(cluster)
    record = resource.collection.get("default/a")
    assert record is not None

    (await api.get(f"{WIDGETS}/a")).ok()

    assert resource.traits.body(resource, record) is record.body


async def test_a_definition_keeps_a_finalizer_of_its_own(api: Api) -> None:
    crd = definition(GROUP)
    crd["metadata"]["finalizers"] = ["example.com/hold"]
    await serve(api, crd)
    (await api.create(WIDGETS, widget("a"))).ok()

    (await api.delete(DEFINITION)).ok()

    left = (await api.get(DEFINITION)).ok()
    assert left["metadata"]["finalizers"] == ["example.com/hold"]
    assert conditions(left)["Terminating"]["reason"] == "InstanceDeletionCompleted"
    assert (await api.get(WIDGETS)).ok()["items"] == []
    assert (await api.create(WIDGETS, widget("late"))).status == 201
    (await api.patch(DEFINITION, {"metadata": {"finalizers": None}})).ok()
    assert (await api.get(WIDGETS)).status == 404


async def test_a_definition_that_was_never_established_says_so_when_it_goes(api: Api) -> None:
    await serve(api)
    second = definition(GROUP, plural="gadgets")
    second["metadata"]["finalizers"] = ["example.com/hold"]
    await serve(api, second)

    (await api.delete(f"{CRDS}/gadgets.{GROUP}")).ok()

    left = (await api.get(f"{CRDS}/gadgets.{GROUP}")).ok()
    assert conditions(left)["Terminating"]["reason"] == "NeverEstablished"


async def test_a_name_that_is_given_up_goes_to_who_waits_for_it(api: Api) -> None:
    crd = definition(GROUP)
    crd["spec"]["names"]["shortNames"] = ["x"]
    await serve(api, crd)
    other = definition(GROUP, plural="gadgets", kind="Gadget")
    other["spec"]["names"]["shortNames"] = ["x"]
    await serve(api, other)
    assert (await api.get(f"/apis/{GROUP}/v1/gadgets")).status == 404

    (await api.patch(DEFINITION, {"spec": {"names": {"shortNames": None}}})).ok()

    assert (await api.get(f"/apis/{GROUP}/v1/gadgets")).status == 200


async def test_a_definition_cannot_take_the_place_of_a_built_in_resource(api: Api) -> None:
    crd = definition("networking.k8s.io", plural="ingresses", kind="Ingress")
    crd["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, a test"}
    ingress = {
        "metadata": {"name": "a"},
        "spec": {"defaultBackend": {"resource": {"kind": "x", "name": "y"}}},
    }
    ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses"
    (await api.create(ingresses, ingress)).ok()
    (await api.create(CRDS, crd)).ok()

    assert "spec" in (await api.get(f"{ingresses}/a")).ok()
    (await api.delete(f"{CRDS}/ingresses.networking.k8s.io")).ok()

    assert (await api.get(f"{ingresses}/a")).status == 200
    assert (await api.get(f"{CRDS}/ingresses.networking.k8s.io")).status == 404


async def test_a_kind_whose_webhook_cannot_be_trusted_is_not_served_until_it_can(api: Api) -> None:
    crd = definition(GROUP)
    client = {"url": "https://example.com/convert", "caBundle": "aGk="}
    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": client}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": webhook}
    await serve(api, crd)
    assert conditions((await api.get(DEFINITION)).ok())["Established"]["reason"] == "InvalidCABundle"

    (await api.patch(DEFINITION, {"spec": {"conversion": {"strategy": "None", "webhook": None}}})).ok()

    assert (await api.get(WIDGETS)).status == 200
    assert invalid(await api.patch(DEFINITION, {"spec": {"conversion": crd["spec"]["conversion"]}})) == {
        (
            'spec.conversion.webhookClientConfig.caBundle: Invalid value: "aGk=": unable to load root '
            "certificates: unable to parse bytes as PEM block"
        )
    }


async def test_storage_moves_on_with_a_write_that_changes_nothing_else(api: Api, cluster: Cluster) -> None:
    versions = [
        version("v1", spec(a=integer())),
        version("v2", spec(a=integer(), b=integer()), storage=False),
    ]
    await serve(api, definition(GROUP, *versions))
    created = (await api.create(WIDGETS, widget("a") | {"spec": {"a": 1}})).ok()
    versions[0]["storage"], versions[1]["storage"] = False, True
    (await api.patch(DEFINITION, {"spec": {"versions": versions}})).ok()

    written = (await api.update(f"{WIDGETS}/a", created)).ok()

    assert written["metadata"]["resourceVersion"] != created["metadata"]["resourceVersion"]
    record = served(cluster).collection.get("default/a")
    assert record is not None
    assert record.version == f"{GROUP}/v2"
    again = (await api.update(f"{WIDGETS}/a", written)).ok()
    assert again["metadata"]["resourceVersion"] == written["metadata"]["resourceVersion"]


async def test_a_dry_run_shows_what_storage_would_leave(api: Api) -> None:
    versions = [
        version("v1", spec(a=integer())),
        version("v2", spec(a=integer(), b=integer()), storage=False),
    ]
    await serve(api, definition(GROUP, *versions))
    second = WIDGETS.replace("/v1/", "/v2/")
    sent = widget("a") | {"apiVersion": f"{GROUP}/v2", "spec": {"a": 1, "b": 2}}

    dry = (await api.create(second, sent, dryRun="All")).ok()

    assert dry["spec"] == {"a": 1}
    assert "resourceVersion" not in dry["metadata"]
