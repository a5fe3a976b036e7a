"""list: what a list says about itself and its items."""

import pytest

from contract import Api, config_map, deployment
from contract_crd import Definitions
from contract_reads import names, revision, version_of


@pytest.mark.parametrize(
    ("path", "kind", "api_version"),
    [
        ("/api/v1/namespaces/{}/configmaps", "ConfigMapList", "v1"),
        ("/api/v1/namespaces/{}/endpoints", "EndpointsList", "v1"),
        ("/apis/apps/v1/namespaces/{}/deployments", "DeploymentList", "apps/v1"),
        ("/apis/networking.k8s.io/v1/namespaces/{}/ingresses", "IngressList", "networking.k8s.io/v1"),
    ],
)
async def test_an_empty_list_has_its_kind_a_version_and_an_empty_array(
    api: Api, namespace: str, path: str, kind: str, api_version: str
) -> None:
    listing = (await api.get(path.format(namespace))).ok()

    assert listing == {
        "kind": kind,
        "apiVersion": api_version,
        "metadata": {"resourceVersion": version_of(listing)},
        "items": [],
    }
    assert revision(listing) > 0


async def test_items_of_built_in_kinds_leave_out_kind_and_version(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    [item] = (await api.get(deployments)).ok()["items"]

    assert item == {name: value for name, value in created.items() if name not in {"kind", "apiVersion"}}


async def test_items_of_custom_kinds_have_kind_and_version(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()
    created = (await widgets.create("a", spec={"size": 1})).ok()

    listing = (await api.get(widgets.path)).ok()

    assert listing == {
        "apiVersion": f"{widgets.group}/v1",
        "kind": "WidgetList",
        "metadata": {"continue": "", "resourceVersion": version_of(listing)},
        "items": [created],
    }


async def test_a_list_in_an_unknown_namespace_is_empty(api: Api, namespace: str) -> None:
    reply = await api.get(f"/api/v1/namespaces/{namespace}-unknown/configmaps")

    assert (reply.status, reply.ok()["items"]) == (200, [])


async def test_a_list_is_as_new_as_the_newest_of_its_items(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()
    changed = (await api.patch(f"{config_maps}/a", {"data": {"key": "value"}})).ok()

    listing = (await api.get(config_maps)).ok()

    assert revision(listing) >= revision(changed) > revision(created)


async def test_a_list_shows_every_write_that_was_answered_before_it(api: Api, config_maps: str) -> None:
    for name in ("a", "b", "c"):
        (await api.create(config_maps, config_map(name))).ok()
        assert name in names((await api.get(config_maps)).ok())
        (await api.delete(f"{config_maps}/{name}")).ok()
        assert name not in names((await api.get(config_maps)).ok())


async def test_items_are_in_the_order_of_the_bytes_of_their_names(api: Api, config_maps: str) -> None:
    for name in ("b", "a0", "a", "a.b", "a-b", "10", "9"):
        (await api.create(config_maps, config_map(name))).ok()

    assert names((await api.get(config_maps)).ok()) == ["10", "9", "a", "a-b", "a.b", "a0", "b"]


async def test_across_namespaces_the_order_is_that_of_namespace_slash_name(
    api: Api, namespace: str, neighbour: str
) -> None:
    labels = {"of": namespace}
    for place in (namespace, neighbour):
        (await api.create(f"/api/v1/namespaces/{place}/configmaps", config_map("a", labels=labels))).ok()

    listing = (await api.get("/api/v1/configmaps", labelSelector=f"of={namespace}")).ok()

    # A minus sign comes before a slash: the longer name is first.
    assert [item["metadata"]["namespace"] for item in listing["items"]] == [neighbour, namespace]


async def test_a_namespace_shows_its_own_objects_only(api: Api, config_maps: str, neighbour: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.get(f"/api/v1/namespaces/{neighbour}/configmaps")).ok()["items"] == []


async def test_a_terminating_object_is_still_listed(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", finalizers=["example.com/x"]))).ok()
    (await api.delete(f"{config_maps}/a")).ok()

    [item] = (await api.get(config_maps)).ok()["items"]

    assert item["metadata"]["deletionTimestamp"]


async def test_unknown_parameters_are_ignored(api: Api, config_maps: str) -> None:
    assert (await api.get(config_maps, nonsense=1)).ok()["items"] == []


@pytest.mark.parametrize("parameter", ["limit", "timeoutSeconds"])
@pytest.mark.parametrize("value", ["x", ""])
async def test_a_number_that_is_none_is_refused(
    api: Api, config_maps: str, parameter: str, value: str
) -> None:
    refused = (await api.get(config_maps, **{parameter: value})).refused(400, "BadRequest")

    assert refused["message"] == f'strconv.ParseInt: parsing "{value}": invalid syntax'
