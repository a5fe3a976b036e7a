"""protobuf: answers in that form."""

from contract import JSON, Api, config_map, deployment
from contract_crd import Definitions
from contract_protobuf import event, exchanged, frames, received
from contract_reads import PROTOBUF, current, raw

METADATA = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
METADATA_LIST = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
TABLE = ";as=Table;g=meta.k8s.io;v=v1"
OBJECT_FORMS = f"application/json, application/yaml, {PROTOBUF}"


async def test_an_object_is_the_same_in_both_forms(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    status, found = await exchanged(api, "GET", f"{deployments}/a")

    assert (status, found) == (200, (await api.get(f"{deployments}/a")).ok())


async def test_a_list_is_the_same_in_both_forms(api: Api, config_maps: str) -> None:
    for name in ("a", "b"):
        (await api.create(config_maps, config_map(name, {"k": name}))).ok()

    _, first = await exchanged(api, "GET", config_maps, limit="1")
    _, found = await exchanged(api, "GET", config_maps)

    assert (first["metadata"]["remainingItemCount"], len(first["items"])) == (1, 1)
    assert found["kind"] == "ConfigMapList"
    assert found["items"] == (await api.get(config_maps)).ok()["items"]


async def test_what_is_written_is_answered_in_the_form_that_was_asked_for(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", {"k": "v"}), accept=f"{PROTOBUF},{JSON}")

    assert (reply.status, reply.headers["content-type"]) == (201, PROTOBUF)
    assert (await exchanged(api, "GET", f"{config_maps}/a"))[1]["data"] == {"k": "v"}


async def test_a_refusal_is_a_status(api: Api, config_maps: str) -> None:
    status, found = await exchanged(api, "GET", f"{config_maps}/absent")

    assert status == 404
    assert found == (await api.get(f"{config_maps}/absent")).body


async def test_a_deletion_is_answered_with_a_status(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    status, found = await exchanged(api, "DELETE", f"{config_maps}/a")

    assert (status, found["kind"], found["status"]) == (200, "Status", "Success")
    assert found["details"]["name"] == "a"


async def test_a_watch_is_a_stream_of_messages_with_their_lengths(api: Api, config_maps: str) -> None:
    since = await current(api, config_maps)
    created = (await api.create(config_maps, config_map("a", {"k": "v"}))).ok()
    updated = (await api.patch(f"{config_maps}/a", {"data": {"k": "w"}})).ok()

    query = (("watch", "true"), ("resourceVersion", since), ("timeoutSeconds", "1"))
    response = await raw(api, config_maps, query=query, Accept=PROTOBUF)

    assert response.headers["content-type"] == f"{PROTOBUF};stream=watch"
    assert [event(frame) for frame in frames(response.body)] == [("ADDED", created), ("MODIFIED", updated)]


async def test_a_watch_that_expired_says_so_in_its_form(api: Api, config_maps: str) -> None:
    query = (("watch", "true"), ("resourceVersion", "1"), ("timeoutSeconds", "1"))
    response = await raw(api, config_maps, query=query, Accept=PROTOBUF)

    for kind, status in map(event, frames(response.body)):
        assert (kind, status["kind"], status["code"], status["reason"]) == ("ERROR", "Status", 410, "Expired")


async def test_metadata_alone_can_be_had(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"k": "v"}))).ok()

    one = await raw(api, f"{config_maps}/a", Accept=PROTOBUF + METADATA)
    several = received((await raw(api, config_maps, Accept=PROTOBUF + METADATA_LIST)).body)

    assert one.headers["content-type"] == PROTOBUF
    assert received(one.body) == {
        "kind": "PartialObjectMetadata",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": created["metadata"],
    }
    assert (several["kind"], several["items"]) == (
        "PartialObjectMetadataList",
        [{"metadata": created["metadata"]}],
    )


async def test_the_metadata_of_custom_resources_can_be_had_too(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    created = (await widgets.create("a")).ok()

    one = await raw(api, f"{widgets.path}/a", Accept=PROTOBUF + METADATA)
    query = (("watch", "true"), ("timeoutSeconds", "1"))
    watched = await raw(api, widgets.path, query=query, Accept=PROTOBUF + METADATA)

    assert received(one.body)["metadata"] == created["metadata"]
    [(kind, found)] = map(event, frames(watched.body))
    assert (kind, found["metadata"]) == ("ADDED", created["metadata"])


async def test_a_refusal_about_custom_resources_is_a_status_in_protobuf(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    absent = await raw(api, f"{widgets.path}/absent", Accept=f"{PROTOBUF},{JSON}")
    unacceptable = await raw(api, f"{widgets.path}/absent", Accept=PROTOBUF)

    assert (absent.status, received(absent.body)["reason"]) == (404, "NotFound")
    status = received(unacceptable.body)
    assert (status["code"], status["message"]) == (
        406,
        f"only the following media types are accepted: {OBJECT_FORMS}",
    )
    assert "details" not in status


async def test_there_is_no_table_in_protobuf(api: Api, config_maps: str) -> None:
    either = await raw(api, config_maps, Accept=f"{PROTOBUF}{TABLE},{JSON}{TABLE}")
    only = await api.get(config_maps, accept=PROTOBUF + TABLE)

    assert (either.status, either.headers["content-type"]) == (200, JSON)
    refused = only.refused(406, "NotAcceptable")
    assert refused["message"] == f"only the following media types are accepted: {OBJECT_FORMS}"
    assert "details" not in refused


async def test_another_stream_than_a_watch_is_not_acceptable(api: Api, config_maps: str) -> None:
    reply = await api.get(config_maps, accept=f"{PROTOBUF};stream=other,{JSON};stream=other")

    assert reply.status == 406


async def test_discovery_can_be_had(api: Api) -> None:
    for path in ("/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1"):
        response = await raw(api, path, Accept=PROTOBUF)
        expected = (await api.get(path)).ok()

        assert response.headers["content-type"] == PROTOBUF
        assert received(response.body) == {"apiVersion": "", **expected}
