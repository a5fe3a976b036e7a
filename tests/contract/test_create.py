"""create: what the server adds, what it refuses."""

from contract import Api, config_map


async def test_create_answers_201_with_the_stored_object(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", {"key": "value"}))

    assert reply.status == 201
    assert reply.body["data"] == {"key": "value"}
    assert reply.body["metadata"]["uid"]
    assert reply.body["metadata"]["resourceVersion"]
    assert reply.body["metadata"]["creationTimestamp"].endswith("Z")


async def test_create_of_a_taken_name_is_a_conflict(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.create(config_maps, config_map("a"))).refused(409, "AlreadyExists")

    assert refused["details"] == {"name": "a", "kind": "configmaps"}
    assert refused["message"] == 'configmaps "a" already exists'
