"""metadata alone: what caches of metadata read."""

import pytest

from contract import Api, Object, config_map, deployment
from contract_crd import Definitions
from contract_objects import with_metadata
from contract_reads import PARTIAL, PARTIAL_LIST, TABLE, version_of
from contract_writes import matching, pod_template, resource


def partial(whole: Object) -> Object:
    """What is left of an object."""
    return {
        "kind": "PartialObjectMetadata",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": whole["metadata"],
    }


async def test_an_object_can_be_had_as_its_metadata(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a", labels={"x": "y"}))).ok()

    reply = await api.get(f"{deployments}/a", accept=PARTIAL)

    assert reply.ok() == partial(created)
    assert reply.headers["content-type"] == "application/json"


async def test_a_list_can_be_had_as_metadata_whose_items_have_a_kind(api: Api, config_maps: str) -> None:
    created = [(await api.create(config_maps, config_map(name, {"k": "v"}))).ok() for name in ("a", "b")]

    listing = (await api.get(config_maps, accept=PARTIAL_LIST)).ok()

    assert listing == {
        "kind": "PartialObjectMetadataList",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": version_of(listing)},
        "items": [partial(each) for each in created],
    }


async def test_an_empty_list_of_metadata_has_null_for_items(api: Api, config_maps: str) -> None:
    assert (await api.get(config_maps, accept=PARTIAL_LIST)).ok()["items"] is None


async def test_custom_kinds_can_be_had_as_metadata(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()
    created = (await widgets.create("a", {"labels": {"x": "y"}}, spec={"size": 1})).ok()

    assert (await api.get(widgets.at("a"), accept=PARTIAL)).ok() == partial(created)
    assert (await api.get(widgets.path, accept=PARTIAL_LIST)).ok()["items"] == [partial(created)]


async def test_pages_of_metadata_go_on_as_others_do(api: Api, config_maps: str) -> None:
    for name in ("a", "b", "c"):
        (await api.create(config_maps, config_map(name))).ok()

    first = (await api.get(config_maps, accept=PARTIAL_LIST, limit=2)).ok()
    token = first["metadata"]["continue"]
    second = (await api.get(config_maps, accept=PARTIAL_LIST, limit=2, continue_=token)).ok()

    assert first["metadata"]["remainingItemCount"] == 1
    found = [item["metadata"]["name"] for item in first["items"] + second["items"]]
    assert found == ["a", "b", "c"]


async def test_the_answer_to_a_write_can_be_metadata_too(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", {"key": "value"}), accept=PARTIAL)

    assert reply.status == 201
    assert reply.ok() == partial((await api.get(f"{config_maps}/a")).ok())


@pytest.mark.parametrize(
    ("path", "accept", "complaint"),
    [
        ("", PARTIAL, "PartialObjectMetadata, but the requested object is a list ("),
        ("/a", PARTIAL_LIST, "PartialObjectMetadataList, but the requested object is not a list ("),
    ],
)
async def test_one_is_not_several(api: Api, config_maps: str, path: str, accept: str, complaint: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.get(config_maps + path, accept=accept)).refused(406, "NotAcceptable")

    assert refused["message"].startswith(f"you requested {complaint}")


async def test_a_custom_object_is_no_list_in_the_words_of_the_server(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    reply = await api.get(f"{widgets.path}/a", accept=PARTIAL_LIST)

    assert (reply.status, reply.body["message"]) == (500, "content is not a list")
    assert "reason" not in reply.body


async def test_a_watch_of_lists_ends_with_the_first_event(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    async with api.watch(config_maps, accept=PARTIAL_LIST, timeoutSeconds=60) as events:
        assert [event async for event in events] == []


@pytest.mark.parametrize(("given", "left"), [({}, None), ({"a": "b"}, {"a": "b"})])
async def test_the_metadata_of_a_daemon_set_does_not_tell_the_generation_of_its_template(
    api: Api, namespace: str, given: Object, left: Object | None
) -> None:
    path = f"/apis/apps/v1/namespaces/{namespace}/daemonsets"
    spec = {"selector": matching(), "template": pod_template()}
    body = with_metadata(resource("apps/v1", "DaemonSet", spec=spec), annotations=given)
    created = (await api.create(path, body)).ok()

    (listed,) = (await api.get(path, accept=PARTIAL_LIST)).ok()["items"]
    (row,) = (await api.get(path, accept=TABLE)).ok()["rows"]
    shown = [(await api.get(f"{path}/a", accept=PARTIAL)).ok(), listed, row["object"]]

    assert created["metadata"]["annotations"]["deprecated.daemonset.template.generation"] == "1"
    assert [each["metadata"].get("annotations") for each in shown] == [left] * 3
