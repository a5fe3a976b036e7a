"""apply: YAML, nulls, and fields that the schema does not have."""

import pytest

from contract import Api, Object, config_map
from contract_writes import owned

HEAD = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
DUPLICATE = HEAD + b"data:\n  key: first\n  key: last\n"
NOT_TYPED = "failed to create typed patch object (/a; /v1, Kind=ConfigMap): "


@pytest.fixture
def path(config_maps: str) -> str:
    """The path of a ConfigMap that need not exist."""
    return f"{config_maps}/a"


async def test_the_body_may_be_yaml(api: Api, path: str) -> None:
    reply = await api.apply(path, HEAD + b"data:\n  key: |\n    two\n    lines\n")

    assert reply.ok()["data"] == {"key": "two\nlines\n"}


async def test_of_several_documents_the_first_counts(api: Api, path: str) -> None:
    reply = await api.apply(path, HEAD + b"data: {key: first}\n---\ndata: {key: second}\n")

    assert reply.ok()["data"] == {"key": "first"}


async def test_a_key_given_twice_is_a_warning_and_the_last_counts(api: Api, path: str) -> None:
    reply = await api.apply(path, DUPLICATE)

    assert reply.ok()["data"] == {"key": "last"}
    assert reply.warnings == ('299 - "line 6: key \\"key\\" already set in map"',)


async def test_strict_validation_refuses_a_key_given_twice(api: Api, path: str) -> None:
    refused = (await api.apply(path, DUPLICATE, fieldValidation="Strict")).refused(400, "BadRequest")

    assert refused["message"].startswith("error strict decoding YAML: ")
    assert 'key "key" already set in map' in refused["message"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"apiVersion: [", "error decoding YAML: error converting YAML to JSON: "),
        (b"- a", "error decoding YAML: error unmarshaling JSON: "),
        (b"text", "error decoding YAML: error unmarshaling JSON: "),
        (b"", "invalid object type: /, Kind="),
        (b"{apiVersion: a/b/c, kind: ConfigMap}", "invalid object type: /, Kind="),
    ],
    ids=["cut off", "list", "text", "empty", "version of three parts"],
)
async def test_a_body_that_is_no_object_is_a_bad_request(
    api: Api, path: str, body: bytes, message: str
) -> None:
    assert (await api.apply(path, body)).refused(400, "BadRequest")["message"].startswith(message)


async def test_a_version_of_no_group_may_have_a_slash(api: Api, path: str) -> None:
    body = HEAD.replace(b"apiVersion: ", b"apiVersion: /")

    assert (await api.apply(path, body)).ok()["apiVersion"] == "v1"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (HEAD + b"data: {key: 5}\n", ".data.key: expected string, got "),
        (HEAD + b"data: {key: yes}\n", ".data.key: expected string, got "),
        (HEAD + b"data: text\n", ".data: expected map, got "),
        (HEAD + b"unknown: 1\n", ".unknown: field not declared in schema"),
    ],
    ids=["number for text", "YAML boolean for text", "text for map", "unknown field"],
)
@pytest.mark.parametrize("validation", ["Ignore", "Warn", "Strict"])
async def test_what_the_schema_does_not_allow_is_refused_at_any_level_of_validation(
    api: Api, path: str, body: bytes, message: str, validation: str
) -> None:
    reply = await api.apply(path, body, fieldValidation=validation)

    assert reply.status == 500
    assert reply.body["message"].startswith(NOT_TYPED + message)
    assert (await api.get(path)).status == 404


@pytest.mark.parametrize(
    ("managers", "message"),
    [
        ("x", ".metadata.managedFields: expected list, got &{x}"),
        ({}, ".metadata.managedFields: expected list, got &{map[]}"),
        ([1], ".metadata.managedFields[0]: expected map, got &{1}"),
    ],
)
async def test_managers_that_are_none_are_judged_like_any_field(
    api: Api, path: str, managers: object, message: str
) -> None:
    reply = await api.apply(path, config_map("a", managedFields=managers))

    assert (reply.status, reply.body["message"]) == (500, NOT_TYPED + message)


async def test_a_manager_that_is_null_is_nobody(api: Api, path: str) -> None:
    applied = (await api.apply(path, config_map("a", {"key": "1"}, managedFields=[None]))).ok()

    assert owned(applied, "tester") == {"f:data": {"f:key": {}}}
    assert len(applied["metadata"]["managedFields"]) == 1


async def test_a_null_map_is_owned_and_empty(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}, labels={"app": "x"}))).ok()

    body: Object = {**config_map("a", labels=None), "data": None}
    applied = (await api.apply(path, body)).ok()

    assert "data" not in applied
    assert "labels" not in applied["metadata"]
    assert owned(applied, "tester") == {"f:data": {}, "f:metadata": {"f:labels": {}}}


async def test_a_null_text_is_owned_and_empty(api: Api, path: str) -> None:
    body: Object = {**config_map("a"), "data": {"key": None}}

    applied = (await api.apply(path, body)).ok()

    assert applied["data"] == {"key": ""}
    assert owned(applied, "tester") == {"f:data": {"f:key": {}}}


async def test_an_empty_map_is_owned_and_absent(api: Api, path: str) -> None:
    applied = (await api.apply(path, config_map("a", {}))).ok()

    assert "data" not in applied
    assert owned(applied, "tester") == {"f:data": {}}


async def test_null_managed_fields_are_as_good_as_none(api: Api, path: str) -> None:
    assert (await api.apply(path, config_map("a", managedFields=None))).status == 201
