"""JSON patch: each operation, pointers, and what is refused."""

from typing import Any

import pytest

from contract import JSON_PATCH, Api, Object, Reply, config_map, deployment
from contract_writes import resource, version

REJECTED = "the server rejected our request due to an error in our request"


@pytest.fixture
async def path(api: Api, config_maps: str) -> str:
    """The path of a ConfigMap with two finalizers, an annotation and some data."""
    body = config_map(
        "a",
        {"key": "value"},
        annotations={"example.com/note": "old"},
        finalizers=["example.com/a", "example.com/b"],
    )
    (await api.create(config_maps, body)).ok()
    return f"{config_maps}/a"


async def patched(api: Api, path: str, *operations: Object, **query: Any) -> Reply:
    return await api.patch(path, list(operations), JSON_PATCH, **query)


def op(name: str, path: str, **fields: Any) -> Object:
    return {"op": name, "path": path, **fields}


async def test_operations_are_carried_out_in_order(api: Api, path: str) -> None:
    reply = await patched(
        api,
        path,
        op("add", "/data/new", value="1"),
        op("replace", "/data/key", value="2"),
        op("copy", "/data/copied", **{"from": "/data/key"}),
        op("move", "/data/moved", **{"from": "/data/new"}),
        op("test", "/data/key", value="2"),
        op("remove", "/data/key"),
    )

    assert reply.status == 200
    assert reply.body["data"] == {"copied": "2", "moved": "1"}


async def test_a_failed_test_refuses_the_whole_patch(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()

    reply = await patched(
        api, path, op("add", "/data/new", value="1"), op("test", "/data/key", value="another")
    )

    assert reply.refused(422, "Invalid")["message"] == REJECTED
    assert (await api.get(path)).ok() == before


async def test_a_test_compares_objects_and_not_the_order_of_their_keys(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("b", {"one": "1", "two": "2"}))).ok()

    reply = await patched(
        api,
        f"{config_maps}/b",
        op("test", "/data", value={"two": "2", "one": "1"}),
        op("replace", "/data/one", value="tested"),
    )

    assert reply.ok()["data"] == {"one": "tested", "two": "2"}


@pytest.mark.parametrize(
    "operation",
    [op("test", "/data/absent", value=None), op("test", "/data/absent")],
    ids=["value null", "no value"],
)
async def test_an_absent_member_tests_equal_to_null(api: Api, path: str, operation: Object) -> None:
    reply = await patched(api, path, operation, op("add", "/data/tested", value="yes"))

    assert reply.ok()["data"] == {"key": "value", "tested": "yes"}


async def test_replacing_an_absent_member_adds_it(api: Api, path: str) -> None:
    reply = await patched(api, path, op("replace", "/data/absent", value="now"))

    assert reply.ok()["data"] == {"key": "value", "absent": "now"}


async def test_copying_an_absent_member_copies_null(api: Api, path: str) -> None:
    reply = await patched(api, path, op("copy", "/data/copied", **{"from": "/data/absent"}))

    assert reply.ok()["data"] == {"key": "value", "copied": ""}


async def test_what_is_copied_is_read_in_the_order_of_its_names(api: Api, namespace: str) -> None:
    path = f"/apis/apps/v1/namespaces/{namespace}/deployments"
    (await api.create(path, deployment("a"))).ok()

    reply = await patched(
        api,
        f"{path}/a",
        op("test", "/spec/template/spec/restartPolicy", value="Always"),
        op("copy", "/spec/template/metadata/labels", **{"from": "/spec"}),
    )

    # progressDeadlineSeconds comes before selector
    assert "cannot unmarshal number into" in reply.refused(422, "Invalid")["message"]


async def test_a_dash_appends_to_a_list(api: Api, path: str) -> None:
    reply = await patched(api, path, op("add", "/metadata/finalizers/-", value="example.com/c"))

    assert reply.ok()["metadata"]["finalizers"] == ["example.com/a", "example.com/b", "example.com/c"]


async def test_adding_at_an_index_moves_the_rest_up(api: Api, path: str) -> None:
    reply = await patched(api, path, op("add", "/metadata/finalizers/0", value="example.com/c"))

    assert reply.ok()["metadata"]["finalizers"] == ["example.com/c", "example.com/a", "example.com/b"]


async def test_a_negative_index_counts_from_the_end(api: Api, path: str) -> None:
    reply = await patched(api, path, op("remove", "/metadata/finalizers/-1"))

    assert reply.ok()["metadata"]["finalizers"] == ["example.com/a"]


async def test_a_slash_in_a_key_is_written_as_tilde_one(api: Api, path: str) -> None:
    reply = await patched(api, path, op("replace", "/metadata/annotations/example.com~1note", value="new"))

    assert reply.ok()["metadata"]["annotations"] == {"example.com/note": "new"}


@pytest.mark.parametrize(
    ("pointer", "status"),
    [("/data/a~0b/c~1d", 200), ("/data/a~01", 200), ("/data/a~b/c~1d", 200), ("/data/a~1b/c~1d", 422)],
)
async def test_a_tilde_in_a_key_is_written_as_tilde_zero(
    api: Api, namespace: str, pointer: str, status: int
) -> None:
    revisions = f"/apis/apps/v1/namespaces/{namespace}/controllerrevisions"
    data = {"a~1": 1, "a~b": {"c/d": 1}}
    (await api.create(revisions, resource("apps/v1", "ControllerRevision", data=data, revision=1))).ok()

    reply = await patched(
        api,
        f"{revisions}/a",
        op("test", pointer, value=1),
        op("replace", "/revision", value=2),
    )

    assert reply.status == status
    assert (await api.get(f"{revisions}/a")).ok()["revision"] == (2 if status == 200 else 1)


@pytest.mark.parametrize(
    "operation",
    [
        op("remove", "/data/absent"),
        op("remove", "/binaryData/absent"),
        op("remove", "/metadata/finalizers/2"),
        op("add", "/binaryData/key", value="AA=="),
        op("add", "/metadata/finalizers/9", value="example.com/z"),
        op("move", "/data/moved", **{"from": "/data/absent"}),
        op("test", "/absent/deeply", value=1),
        op("test", "/data/absent", value="something"),
        op("frobnicate", "/data/key", value="1"),
        {"path": "/data/key", "value": "1"},
        {"op": "add", "value": "1"},
    ],
    ids=lambda operation: " ".join(operation.get(key, "?") for key in ("op", "path")),
)
async def test_an_operation_that_cannot_be_carried_out_is_invalid(
    api: Api, path: str, operation: Object
) -> None:
    reply = await patched(api, path, operation)

    assert reply.refused(422, "Invalid")["message"] == REJECTED


async def test_an_object_instead_of_a_list_of_operations_is_a_bad_request(api: Api, path: str) -> None:
    reply = await api.patch(path, op("add", "/data/key", value="1"), JSON_PATCH)

    assert reply.refused(400, "BadRequest")["message"].startswith(
        "error decoding patch: json: cannot unmarshal"
    )


async def test_a_cut_off_body_is_a_bad_request(api: Api, path: str) -> None:
    reply = await api.patch(path, b'[{"op":', JSON_PATCH)

    assert reply.refused(400, "BadRequest")["message"] == "error decoding patch: unexpected end of JSON input"


@pytest.mark.parametrize("body", [b"[]", b"null"])
async def test_no_operations_change_nothing(api: Api, path: str, body: bytes) -> None:
    before = (await api.get(path)).ok()

    reply = await api.patch(path, body, JSON_PATCH)

    assert reply.ok() == before


async def test_ten_thousand_operations_are_the_most(api: Api, path: str) -> None:
    operation = op("test", "/data/key", value="value")
    assert (await patched(api, path, *[operation] * 10_000)).status == 200

    refused = (await patched(api, path, *[operation] * 10_001)).refused(413, "RequestEntityTooLarge")

    assert refused["message"] == (
        "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001"
    )


async def test_a_result_of_the_wrong_type_is_invalid(api: Api, path: str) -> None:
    reply = await patched(api, path, op("add", "/data/number", value=5))

    reply.refused(422, "Invalid")
    assert reply.fields == ["patch"]


async def test_a_null_string_becomes_empty(api: Api, path: str) -> None:
    reply = await patched(api, path, op("replace", "/data/key", value=None))

    assert reply.ok()["data"] == {"key": ""}


async def test_an_unknown_field_is_dropped_with_a_warning(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()

    reply = await patched(api, path, op("add", "/unknown", value=5))

    assert reply.ok() == before
    assert reply.warnings == ('299 - "unknown field \\"unknown\\""',)


async def test_strict_validation_refuses_an_unknown_field(api: Api, path: str) -> None:
    reply = await patched(api, path, op("add", "/unknown", value=5), fieldValidation="Strict")

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["patch"]
    assert refused["message"].endswith('strict decoding error: unknown field "unknown"')


async def test_the_name_cannot_be_changed(api: Api, path: str) -> None:
    refused = (await patched(api, path, op("replace", "/metadata/name", value="b"))).refused(
        400, "BadRequest"
    )

    assert refused["message"] == "the name of the object (b) does not match the name on the URL (a)"


async def test_the_namespace_cannot_be_changed(api: Api, path: str) -> None:
    reply = await patched(api, path, op("replace", "/metadata/namespace", value="other"))

    assert reply.refused(400, "BadRequest")["message"] == (
        "the namespace of the provided object does not match the namespace sent on the request"
    )


async def test_the_uid_cannot_be_changed(api: Api, path: str) -> None:
    reply = await patched(api, path, op("replace", "/metadata/uid", value="other"))

    reply.refused(422, "Invalid")
    assert set(reply.fields) == {"metadata.uid"}


@pytest.mark.parametrize(
    "operation",
    [
        op("remove", "/metadata/uid"),
        op("replace", "/metadata/creationTimestamp", value="2020-01-01T00:00:00Z"),
    ],
    ids=["uid removed", "creationTimestamp changed"],
)
async def test_what_the_server_set_is_put_back(api: Api, path: str, operation: Object) -> None:
    before = (await api.get(path)).ok()

    assert (await patched(api, path, operation)).ok() == before


async def test_a_stale_resource_version_is_a_conflict(api: Api, path: str) -> None:
    stale = version((await api.get(path)).ok())
    (await patched(api, path, op("add", "/data/new", value="1"))).ok()

    reply = await patched(
        api,
        path,
        op("replace", "/metadata/resourceVersion", value=stale),
        op("replace", "/data/new", value="2"),
    )

    reply.refused(409, "Conflict")


async def test_the_data_of_an_immutable_config_map_cannot_be_patched(api: Api, path: str) -> None:
    (await patched(api, path, op("add", "/immutable", value=True))).ok()

    reply = await patched(api, path, op("replace", "/data/key", value="other"))

    reply.refused(422, "Invalid")
    assert reply.fields == ["data"]


async def test_a_patch_of_an_absent_object_is_not_found(api: Api, config_maps: str) -> None:
    reply = await patched(api, f"{config_maps}/absent", op("add", "/data/key", value="1"))

    assert reply.refused(404, "NotFound")["details"] == {"name": "absent", "kind": "configmaps"}
