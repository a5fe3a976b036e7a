"""create: how the body is read."""

import gzip

import orjson
import pytest

from contract import MERGE, Api, config_map, deployment
from contract_objects import secret, with_spec
from windlass.client import Request

YAML = "application/yaml"
UNRECOGNIZED = "the object provided is unrecognized (must be of type ConfigMap): "
UNKNOWN_FORMAT = (
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json, application/yaml, application/vnd.kubernetes.protobuf"
)


@pytest.mark.parametrize(
    "body",
    [b"not json", b'{"apiVersion":', b"[]", b'"text"', b'{"metadata":{"name":"a"}} {}'],
    ids=["words", "cut off", "a list", "a string", "two documents"],
)
async def test_a_body_that_is_no_json_object_is_a_bad_request(
    api: Api, config_maps: str, body: bytes
) -> None:
    refused = (await api.create(config_maps, body)).refused(400, "BadRequest")

    assert refused["message"].startswith(UNRECOGNIZED)
    assert "details" not in refused


async def test_an_empty_body_with_a_content_type_is_a_bad_request(api: Api, config_maps: str) -> None:
    refused = (await api.create(config_maps, b"")).refused(400, "BadRequest")

    assert refused["message"].startswith(UNRECOGNIZED)


async def test_no_body_at_all_is_an_unsupported_media_type(api: Api, config_maps: str) -> None:
    refused = (await api.create(config_maps, None)).refused(415, "UnsupportedMediaType")

    assert refused["message"] == UNKNOWN_FORMAT


@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", MERGE])
async def test_a_body_of_an_unknown_type_is_refused_with_the_known_ones(
    api: Api, config_maps: str, content_type: str
) -> None:
    reply = await api.create(config_maps, config_map("a"), content_type=content_type)

    assert reply.refused(415, "UnsupportedMediaType")["message"] == UNKNOWN_FORMAT


@pytest.mark.parametrize(
    "content_type",
    ["application/json, x", *(f"application/json;{broken}" for broken in (";", "a", 'a="', "a=b;a=c", "=b"))],
)
async def test_a_malformed_content_type_is_not_guessed_at(
    api: Api, config_maps: str, content_type: str
) -> None:
    created = await api.create(config_maps, config_map("a"), content_type=content_type)
    deleted = await api.delete(f"{config_maps}/a", {}, content_type=content_type)

    assert created.refused(415, "UnsupportedMediaType")["message"] == UNKNOWN_FORMAT
    assert deleted.refused(415, "UnsupportedMediaType")["message"] == UNKNOWN_FORMAT


@pytest.mark.parametrize(
    "content_type",
    ["application/json; charset=utf-8", "Application/JSON ;", 'application/json;a="b;c";a="b;c"'],
)
async def test_parameters_of_the_content_type_are_ignored(
    api: Api, config_maps: str, content_type: str
) -> None:
    reply = await api.create(config_maps, config_map("a"), content_type=content_type)

    assert reply.status == 201


async def test_an_empty_object_lacks_only_a_name(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, {})

    reply.refused(422, "Invalid")
    assert reply.fields == ["metadata.name"]


@pytest.mark.parametrize("given", [{}, {"kind": "ConfigMap"}, {"apiVersion": "v1"}])
async def test_kind_and_api_version_come_from_the_path_where_the_body_has_none(
    api: Api, config_maps: str, given: dict[str, str]
) -> None:
    created = (await api.create(config_maps, {**given, "metadata": {"name": "a"}})).ok()

    assert (created["apiVersion"], created["kind"]) == ("v1", "ConfigMap")


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"kind": "Secret"}, 'Secret in version "v1" cannot be handled as a ConfigMap'),
        ({"kind": "Colour"}, 'Colour in version "v1" cannot be handled as a ConfigMap'),
        ({"apiVersion": "v2"}, 'ConfigMap in version "v2" cannot be handled as a ConfigMap'),
    ],
    ids=["another kind", "an unknown kind", "an unknown version"],
)
async def test_a_body_of_another_kind_is_a_bad_request(
    api: Api, config_maps: str, claim: dict[str, str], message: str
) -> None:
    refused = (await api.create(config_maps, {**config_map("a"), **claim})).refused(400, "BadRequest")

    assert refused["message"].startswith(message)


@pytest.mark.parametrize("kind", ["List", "APIGroup", "ListOptions", "Secret"])
async def test_a_kind_that_the_server_knows_is_not_converted(api: Api, config_maps: str, kind: str) -> None:
    refused = (await api.create(config_maps, {"apiVersion": "v1", "kind": kind})).refused(400, "BadRequest")

    assert refused["message"] == (
        f'{kind} in version "v1" cannot be handled as a ConfigMap: '
        f"converting (v1.{kind}) to (core.ConfigMap): unknown conversion"
    )


async def test_a_body_of_another_served_version_of_the_kind_is_a_bad_request(
    api: Api, namespace: str
) -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
    body = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a"},
        "spec": {"maxReplicas": 1, "scaleTargetRef": target},
    }

    reply = await api.create(f"/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers", body)

    assert reply.refused(400, "BadRequest")["message"] == (
        "the API version in the data (autoscaling/v2) "
        "does not match the expected API version (autoscaling/v1)"
    )


@pytest.mark.parametrize("data", [{"key": 1}, {"key": True}, {"key": ["value"]}, "text", ["text"]])
async def test_a_value_of_the_wrong_type_is_a_bad_request(api: Api, config_maps: str, data: object) -> None:
    refused = (await api.create(config_maps, {**config_map("a"), "data": data})).refused(400, "BadRequest")

    assert refused["message"].startswith('ConfigMap in version "v1" cannot be handled as a ConfigMap: ')


@pytest.mark.parametrize("replicas", ["2", 2.5, 2.0, True, 2**31], ids=repr)
async def test_an_integer_field_takes_nothing_but_a_small_integer(
    api: Api, deployments: str, replicas: object
) -> None:
    reply = await api.create(deployments, with_spec(deployment("a"), replicas=replicas))

    refused = reply.refused(400, "BadRequest")
    assert refused["message"].startswith('Deployment in version "v1" cannot be handled as a Deployment: ')


async def test_bytes_that_are_no_base64_are_a_bad_request(api: Api, namespace: str) -> None:
    reply = await api.create(f"/api/v1/namespaces/{namespace}/secrets", secret("a", data={"key": "!"}))

    assert reply.refused(400, "BadRequest")["message"].startswith(
        'Secret in version "v1" cannot be handled as a Secret: illegal base64 data'
    )


async def test_field_names_are_case_sensitive(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, {**config_map("a"), "Data": {"key": "value"}})).ok()

    assert {"data", "Data"}.isdisjoint(created)


async def test_a_yaml_body_is_accepted(api: Api, config_maps: str) -> None:
    body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  key: |\n    two\n    lines\n"

    reply = await api.create(config_maps, body, content_type=YAML)

    assert reply.status == 201
    assert reply.body["data"] == {"key": "two\nlines\n"}


async def test_a_malformed_yaml_body_is_a_bad_request(api: Api, config_maps: str) -> None:
    refused = (await api.create(config_maps, b"a: [", content_type=YAML)).refused(400, "BadRequest")

    assert refused["message"].startswith(f"{UNRECOGNIZED}yaml: ")


async def test_a_yaml_body_is_yaml_1_1_where_on_is_a_boolean(api: Api, config_maps: str) -> None:
    body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: on}\n"

    (await api.create(config_maps, body, content_type=YAML)).refused(400, "BadRequest")


async def test_a_body_above_three_mebibytes_is_too_large(api: Api, config_maps: str) -> None:
    body = orjson.dumps(config_map("a")).ljust(3 * 2**20 + 1)

    refused = (await api.create(config_maps, body)).refused(413, "RequestEntityTooLarge")

    assert refused["message"] == "Request entity too large: limit is 3145728"


async def test_a_body_that_is_too_large_is_refused_as_anything_else_is(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, b"{}".ljust(4 * 2**20), accept=YAML)

    assert (reply.status, reply.headers["content-type"]) == (413, YAML)
    assert reply.headers["cache-control"] == "no-cache, private"
    assert reply.headers["audit-id"]


async def test_a_body_of_three_mebibytes_is_read(api: Api, config_maps: str) -> None:
    body = orjson.dumps(config_map("a")).ljust(3 * 2**20)

    assert (await api.create(config_maps, body)).status == 201


async def test_a_config_map_may_hold_one_mebibyte(api: Api, config_maps: str) -> None:
    full = await api.create(config_maps, config_map("a", {"key": "x" * 2**20}), dryRun="All")
    reply = await api.create(config_maps, config_map("a", {"key": "x" * (2**20 + 1)}))

    assert full.status == 201
    refused = reply.refused(422, "Invalid")
    assert refused["message"].endswith(": Too long: may not be more than 1048576 bytes")
    assert refused["details"]["causes"][0]["reason"] == "FieldValueTooLong"


async def test_nobody_looks_at_the_encoding_of_a_body(api: Api, config_maps: str) -> None:
    plain = orjson.dumps(config_map("a"))
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}

    replies = [
        await api.transport.send(Request(method="POST", path=config_maps, headers=headers, body=body))
        for body in (plain, gzip.compress(plain))
    ]

    assert [reply.status for reply in replies] == [201, 400]
    assert orjson.loads(replies[1].body)["message"].startswith(UNRECOGNIZED)
