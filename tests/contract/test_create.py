"""create: what the server adds, what it refuses."""

import re
from uuid import UUID

import pytest

from contract import Api, config_map, deployment, pod
from contract_objects import with_metadata, with_spec

# Neither vowels nor digits that look like letters: a generated name never spells a word.
SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}"


async def test_create_answers_201_with_the_stored_object(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", {"key": "value"}))

    assert reply.status == 201
    assert reply.body["data"] == {"key": "value"}
    assert reply.body["metadata"]["uid"]
    assert reply.body["metadata"]["resourceVersion"]
    assert reply.body["metadata"]["creationTimestamp"].endswith("Z")
    assert (await api.get(f"{config_maps}/a")).ok() == reply.body


async def test_create_gives_every_object_a_uid_of_its_own(api: Api, config_maps: str) -> None:
    first = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]
    (await api.delete(f"{config_maps}/a")).ok()
    second = (await api.create(config_maps, config_map("a"))).ok()["metadata"]["uid"]

    assert str(UUID(first)) == first
    assert first != second


async def test_create_of_a_taken_name_is_a_conflict(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.create(config_maps, config_map("a"))).refused(409, "AlreadyExists")

    assert refused["details"] == {"name": "a", "kind": "configmaps"}
    assert refused["message"] == 'configmaps "a" already exists'


async def test_create_of_a_taken_name_names_the_group_of_the_kind(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    refused = (await api.create(deployments, deployment("a"))).refused(409, "AlreadyExists")

    assert refused["details"] == {"name": "a", "group": "apps", "kind": "deployments"}
    assert refused["message"] == 'deployments.apps "a" already exists'


async def test_create_of_the_name_of_a_terminating_object_says_so(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", finalizers=["example.com/a"]))).ok()
    (await api.delete(f"{config_maps}/a")).ok()

    refused = (await api.create(config_maps, config_map("a"))).refused(409, "AlreadyExists")

    assert refused["message"] == 'object is being deleted: configmaps "a" already exists'


async def test_create_takes_the_namespace_from_the_path(api: Api, namespace: str, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    assert created["metadata"]["namespace"] == namespace


async def test_create_with_another_namespace_in_the_body_is_a_bad_request(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", namespace="elsewhere"))

    assert reply.refused(400, "BadRequest")["message"] == (
        "the namespace of the provided object does not match the namespace sent on the request"
    )


async def test_create_of_a_cluster_scoped_object_drops_its_namespace(api: Api, namespace: str) -> None:
    body = {"metadata": {"name": f"{namespace}-role", "namespace": namespace}}
    path = "/apis/rbac.authorization.k8s.io/v1/clusterroles"

    created = (await api.create(path, body, dryRun="All")).ok()

    assert "namespace" not in created["metadata"]


async def test_create_in_a_missing_namespace_finds_no_namespace(api: Api, namespace: str) -> None:
    missing = f"{namespace}-missing"

    refused = (await api.create(f"/apis/apps/v1/namespaces/{missing}/deployments", deployment("a"))).refused(
        404, "NotFound"
    )

    assert refused["details"] == {"name": missing, "kind": "namespaces"}
    assert refused["message"] == f'namespaces "{missing}" not found'


async def test_create_of_a_namespaced_object_needs_a_namespace_in_the_path(api: Api, namespace: str) -> None:
    reply = await api.create("/api/v1/configmaps", config_map("a", namespace=namespace))

    assert reply.refused(405, "MethodNotAllowed")["message"] == (
        "the server does not allow this method on the requested resource"
    )


async def test_create_at_the_path_of_an_object_is_not_allowed(api: Api, config_maps: str) -> None:
    (await api.create(f"{config_maps}/a", config_map("a"))).refused(405, "MethodNotAllowed")


async def test_create_without_a_name_is_invalid(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map())

    refused = reply.refused(422, "Invalid")
    assert refused["message"] == (
        'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'
    )
    assert refused["details"] == {
        "kind": "ConfigMap",
        "causes": [
            {
                "reason": "FieldValueRequired",
                "message": "Required value: name or generateName is required",
                "field": "metadata.name",
            }
        ],
    }


async def test_create_completes_a_generate_name_with_five_letters(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map(generateName="web-"))).ok()

    assert re.fullmatch(f"web-{SUFFIX}", created["metadata"]["name"])
    assert created["metadata"]["generateName"] == "web-"


async def test_create_generates_another_name_each_time(api: Api, config_maps: str) -> None:
    replies = [await api.create(config_maps, config_map(generateName="web-")) for _ in range(5)]

    assert len({reply.ok()["metadata"]["name"] for reply in replies}) == 5


async def test_create_shortens_a_long_generate_name_to_63_characters(api: Api, config_maps: str) -> None:
    prefix = "x" * 80

    created = (await api.create(config_maps, config_map(generateName=prefix))).ok()

    assert re.fullmatch(f"x{{58}}{SUFFIX}", created["metadata"]["name"])
    assert created["metadata"]["generateName"] == prefix


async def test_create_prefers_a_name_to_a_generate_name(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", generateName="web-"))).ok()

    assert created["metadata"]["name"] == "a"
    assert created["metadata"]["generateName"] == "web-"


@pytest.mark.parametrize("deleted", [False, True], ids=["there", "being deleted"])
async def test_a_name_that_is_taken_beside_one_to_be_generated_may_be_tried_again(
    api: Api, config_maps: str, *, deleted: bool
) -> None:
    (await api.create(config_maps, config_map("a", finalizers=["example.com/hold"]))).ok()
    if deleted:
        (await api.delete(f"{config_maps}/a")).ok()

    reply = await api.create(config_maps, config_map("a", generateName="web-"))

    refused = reply.refused(409, "AlreadyExists")
    await api.patch(f"{config_maps}/a", {"metadata": {"finalizers": None}})
    assert refused["message"] == (
        f"{'object is being deleted: ' if deleted else ''}"
        'configmaps "a" already exists, the server was not able to generate a unique name for the object'
    )
    assert (refused["details"]["retryAfterSeconds"], reply.headers["retry-after"]) == (1, "1")


async def test_create_with_a_bad_generate_name_complains_about_both_names(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map(generateName="Web-"))

    reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.generateName", "metadata.name"]


async def test_create_with_a_resource_version_is_refused(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", resourceVersion="1"))

    assert reply.status == 500
    assert reply.body["message"] == "resourceVersion should not be set on objects to be created"
    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


@pytest.mark.parametrize("version", ["é", "0", "-1"])
async def test_a_resource_version_that_is_none_is_told_again_when_it_would_be_created(
    api: Api, config_maps: str, version: str
) -> None:
    tried = await api.create(config_maps, config_map("a", resourceVersion=version), dryRun="All")

    assert tried.ok()["metadata"]["resourceVersion"] == version


async def test_create_with_resource_version_zero_is_accepted(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a", resourceVersion="0"))

    assert reply.ok()["metadata"]["resourceVersion"] != "0"


async def test_create_of_a_kind_with_a_spec_starts_at_generation_1(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a", generation=7))).ok()

    assert created["metadata"]["generation"] == 1


async def test_create_of_a_kind_without_a_spec_sets_no_generation(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    assert "generation" not in created["metadata"]


async def test_create_drops_the_status_of_a_deployment(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, {**deployment("a"), "status": {"replicas": 5}})).ok()

    assert created["status"] == {}


async def test_create_starts_a_pod_as_pending(api: Api, pods: str) -> None:
    claimed = {**pod("a"), "status": {"phase": "Running", "podIP": "10.0.0.1"}}

    created = (await api.create(pods, claimed)).ok()

    assert created["status"] == {"phase": "Pending", "qosClass": "BestEffort"}


async def test_create_ignores_unknown_query_parameters(api: Api, config_maps: str) -> None:
    assert (await api.create(config_maps, config_map("a"), colour="blue")).status == 201


async def test_create_keeps_nothing_of_empty_maps_and_lists(api: Api, config_maps: str) -> None:
    empty = with_metadata(config_map("a", {}), labels={}, annotations={}, finalizers=[], ownerReferences=[])

    created = (await api.create(config_maps, empty)).ok()

    assert "data" not in created
    assert {"labels", "annotations", "finalizers", "ownerReferences"}.isdisjoint(created["metadata"])


async def test_create_reads_null_as_absent(api: Api, config_maps: str, deployments: str) -> None:
    plain = (await api.create(config_maps, {**config_map("a", labels=None), "data": None})).ok()
    defaulted = (await api.create(deployments, with_spec(deployment("a"), replicas=None))).ok()

    assert "data" not in plain
    assert "labels" not in plain["metadata"]
    assert defaulted["spec"]["replicas"] == 1


async def test_create_reads_null_in_a_map_of_strings_as_empty(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, {**config_map("a"), "data": {"key": None}})).ok()

    assert created["data"] == {"key": ""}


async def test_create_keeps_a_zero_that_differs_from_the_default(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a", replicas=0))).ok()

    assert created["spec"]["replicas"] == 0


async def test_create_answers_in_the_form_that_was_asked_for(api: Api, config_maps: str) -> None:
    partial = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"

    reply = await api.create(config_maps, config_map("a", {"key": "value"}), accept=partial)

    assert reply.status == 201
    assert (reply.body["apiVersion"], reply.body["kind"]) == ("meta.k8s.io/v1", "PartialObjectMetadata")
    assert "data" not in reply.body


async def test_create_stores_nothing_when_the_answer_cannot_be_given(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"), accept="text/html")).refused(406, "NotAcceptable")

    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")
