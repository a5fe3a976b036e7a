"""merge patch: what is merged, what is removed, what is refused."""

import pytest

from contract import Api, Object, config_map, deployment
from contract_writes import pod_spec, version


@pytest.fixture
async def path(api: Api, config_maps: str) -> str:
    """The path of a ConfigMap with labels, a finalizer and some data."""
    body = config_map("a", {"one": "1", "two": "2"}, labels={"app": "x"}, finalizers=["example.com/a"])
    (await api.create(config_maps, body)).ok()
    return f"{config_maps}/a"


async def test_members_are_merged_and_null_removes_them(api: Api, path: str) -> None:
    reply = await api.patch(path, {"data": {"one": None, "three": "3"}})

    assert reply.status == 200
    assert reply.body["data"] == {"two": "2", "three": "3"}


async def test_null_removes_a_whole_object(api: Api, path: str) -> None:
    body = (await api.patch(path, {"data": None, "metadata": {"labels": None}})).ok()

    assert "data" not in body
    assert "labels" not in body["metadata"]


async def test_removing_the_last_member_removes_the_empty_object(api: Api, path: str) -> None:
    body = (await api.patch(path, {"metadata": {"labels": {"app": None}}})).ok()

    assert "labels" not in body["metadata"]


async def test_labels_are_merged(api: Api, path: str) -> None:
    body = (await api.patch(path, {"metadata": {"labels": {"tier": "y"}}})).ok()

    assert body["metadata"]["labels"] == {"app": "x", "tier": "y"}


async def test_lists_are_replaced(api: Api, path: str) -> None:
    body = (await api.patch(path, {"metadata": {"finalizers": ["example.com/b"]}})).ok()

    assert body["metadata"]["finalizers"] == ["example.com/b"]


async def test_a_list_of_containers_is_replaced_and_defaulted_anew(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    containers = [{"name": "other", "image": "example.com/other"}]

    patched = (
        await api.patch(f"{deployments}/a", {"spec": {"template": {"spec": {"containers": containers}}}})
    ).ok()

    assert pod_spec(patched)["containers"] == [
        {
            "name": "other",
            "image": "example.com/other",
            "imagePullPolicy": "Always",
            "resources": {},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
        }
    ]
    assert patched["metadata"]["generation"] == 2


async def test_removing_a_defaulted_field_brings_the_default_back(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a", replicas=3))).ok()

    patched = (await api.patch(f"{deployments}/a", {"spec": {"replicas": None, "strategy": None}})).ok()

    assert patched["spec"]["replicas"] == 1
    assert patched["spec"]["strategy"]["type"] == "RollingUpdate"


@pytest.mark.parametrize(
    "patch",
    [
        {},
        {"data": {"one": "1"}},
        {"data": {"absent": None}},
        {"binaryData": {"absent": None}},
        {"metadata": {"annotations": {"absent": None}}},
        {"metadata": {"uid": None}},
        {"metadata": {"generation": 7}},
        {"metadata": {"creationTimestamp": "2020-01-01T00:00:00Z"}},
    ],
    ids=str,
)
async def test_a_patch_that_changes_nothing_keeps_the_resource_version(
    api: Api, path: str, patch: Object
) -> None:
    before = (await api.get(path)).ok()

    assert (await api.patch(path, patch, fieldManager="somebody-else")).ok() == before


async def test_a_resource_version_in_the_patch_is_a_precondition(api: Api, path: str) -> None:
    first = version((await api.get(path)).ok())
    (await api.patch(path, {"metadata": {"resourceVersion": first}, "data": {"one": "2"}})).ok()

    reply = await api.patch(path, {"metadata": {"resourceVersion": first}, "data": {"one": "3"}})

    refused = reply.refused(409, "Conflict")
    assert refused["details"] == {"name": "a", "kind": "configmaps"}
    assert refused["message"] == (
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; '
        "please apply your changes to the latest version and try again"
    )


async def test_a_null_resource_version_is_no_precondition(api: Api, path: str) -> None:
    body = (await api.patch(path, {"metadata": {"resourceVersion": None}, "data": {"one": "2"}})).ok()

    assert body["data"]["one"] == "2"


async def test_the_name_cannot_be_changed(api: Api, path: str) -> None:
    refused = (await api.patch(path, {"metadata": {"name": "b"}})).refused(400, "BadRequest")

    assert refused["message"] == "the name of the object (b) does not match the name on the URL (a)"


async def test_the_name_cannot_be_removed(api: Api, path: str) -> None:
    refused = (await api.patch(path, {"metadata": {"name": None}})).refused(400, "BadRequest")

    assert refused["message"] == (
        "the name of the object (a based on URL) was undeterminable: name must be provided"
    )


async def test_another_uid_is_invalid(api: Api, path: str) -> None:
    reply = await api.patch(path, {"metadata": {"uid": "11111111-1111-1111-1111-111111111111"}})

    reply.refused(422, "Invalid")
    assert set(reply.fields) == {"metadata.uid"}


@pytest.mark.parametrize("patch", [{"data": {"one": 1}}, {"data": "text"}, {"data": []}], ids=str)
async def test_a_result_of_the_wrong_type_is_invalid(api: Api, path: str, patch: Object) -> None:
    reply = await api.patch(path, patch)

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["patch"]
    assert "json: cannot unmarshal" in refused["message"]


@pytest.mark.parametrize("body", [b"[]", b"null", b"3", b"{", b""], ids=repr)
async def test_a_body_that_is_no_object_is_a_bad_request(api: Api, path: str, body: bytes) -> None:
    (await api.patch(path, body)).refused(400, "BadRequest")


async def test_an_unknown_field_is_dropped_with_a_warning(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()

    reply = await api.patch(path, {"unknown": 1})

    assert reply.ok() == before
    assert reply.warnings == ('299 - "unknown field \\"unknown\\""',)


async def test_of_a_key_given_twice_the_last_counts_and_a_warning_says_so(api: Api, path: str) -> None:
    reply = await api.patch(path, b'{"data": {"one": "first", "one": "last"}}')

    assert reply.ok()["data"]["one"] == "last"
    assert reply.warnings == ('299 - "duplicate field \\"data.one\\""',)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b'{"unknown": 1}', 'unknown field "unknown"'),
        (b'{"data": {"one": "first", "one": "last"}}', 'duplicate field "data.one"'),
    ],
)
async def test_strict_validation_refuses_unknown_and_duplicate_fields(
    api: Api, path: str, body: bytes, fault: str
) -> None:
    reply = await api.patch(path, body, fieldValidation="Strict")

    assert reply.refused(422, "Invalid")["message"].endswith(f"strict decoding error: {fault}")
    assert reply.fields == ["patch"]
